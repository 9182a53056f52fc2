import { afterEach, describe, expect, it } from '@jest/globals';
import { type LoadedCopy, loadedCopies, PACKAGE_VERSION } from '../../model/loaded-copies.js';
import { checkLoadedCopies } from './loaded-copies.rule.js';

/** The global registry in which every copy of the package records itself, whatever its version. */
const shared = (globalThis as Record<symbol, Map<string, LoadedCopy> | undefined>)[
  Symbol.for('@nestor-ai/core:copies')
]!;
const load = (version: string, file: string) => shared.set(file, { version, file });

describe('checkLoadedCopies()', () => {
  const [own] = loadedCopies();
  afterEach(() => {
    for (const { file } of loadedCopies().slice(1)) shared.delete(file);
  });

  it('does not warn about a single copy', () => {
    expect(checkLoadedCopies()).toEqual([]);
  });

  it('names the files of two builds, and how to load one', () => {
    load(PACKAGE_VERSION, '/app/node_modules/@nestor-ai/core/dist/bundle/index.cjs');
    expect(checkLoadedCopies()).toEqual([
      `@nestor-ai/core is loaded 2 times. AiModule does not see tools, models and clients from another copy. Load it only once: ` +
        'bundle it everywhere or nowhere, and run tests entirely as ES modules or entirely as CommonJS.' +
        `\n  - ${PACKAGE_VERSION}, ${own!.file}\n  - ${PACKAGE_VERSION}, /app/node_modules/@nestor-ai/core/dist/bundle/index.cjs`,
    ]);
  });

  it('names two versions and how to find the packages that need them', () => {
    load('0.0.9', '/app/node_modules/other/node_modules/@nestor-ai/core/dist/bundle/index.js');
    expect(checkLoadedCopies()).toEqual([
      expect.stringMatching(
        /Install one version: npm ls @nestor-ai\/core shows which package needs which version\.[^]*\n {2}- 0\.0\.9, /,
      ),
    ]);
  });
});
