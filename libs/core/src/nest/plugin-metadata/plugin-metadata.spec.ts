import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLASS_TYPES, sourceHash, typedMethodOf } from '@nestor-ai/schema';
import { BootstrapProblems } from '../bootstrap-problems.js';
import { AttachedTypes } from './plugin-metadata.js';

class Finder {
  find() {}
}
const TYPES = { version: 1, methods: { find: { description: 'typed', parameters: [] } }, sources: {} };
const metadata = (tools: unknown) => async () => ({ '@nestor-ai/core': { tools } });
const described = (type: { prototype: object } = Finder) => typedMethodOf(type.prototype, 'find')?.types.description;

async function problemsWith(given: unknown): Promise<readonly string[]> {
  const problems = new BootstrapProblems();
  await AttachedTypes.of(given, problems);
  return problems.list;
}
afterEach(() => {
  Reflect.deleteProperty(Finder, CLASS_TYPES);
});

describe('the types of a metadata.ts', () => {
  it('are attached to the classes that files export', async () => {
    const entry = [Promise.resolve({ Finder, Other: 5 }), { Finder: TYPES }];
    expect(await problemsWith(metadata([entry, entry]))).toEqual([]);
    expect(described()).toBe('typed');
    expect(await problemsWith(undefined)).toEqual([]);
    expect(await problemsWith(metadata(undefined))).toEqual([]);
  });

  it('do not replace those that the compiler wrote into the class', async () => {
    class Compiled {
      static [CLASS_TYPES]() {
        return { version: 1, sources: {}, methods: { find: { description: 'compiled', parameters: [] } } };
      }
      find() {}
    }
    class Derived extends Compiled {
      override find() {}
    }
    expect(
      await problemsWith(
        metadata([
          [
            { Compiled, Derived },
            { Compiled: TYPES, Derived: TYPES },
          ],
        ]),
      ),
    ).toEqual([]);
    expect([described(Compiled), described(Derived)]).toEqual(['compiled', 'typed']);
  });

  it.each<[string, unknown, RegExp]>([
    ['the module', { default: metadata([]) }, /^pluginMetadata is the module.*import metadata from/],
    ['its result', metadata([])(), /is the result of the function.*Do not call it/],
    ['its awaited result', { '@nestor-ai/core': {} }, /is the result of the function/],
    ['null', null, /but is null/],
    ['a text', './metadata.js', /but is string/],
    ['metadata of other packages', async () => ({ '@nestjs/swagger': {} }), /no types for "@nestor-ai\/core"/],
    ['nothing', async () => undefined, /no types for "@nestor-ai\/core"/],
    ['an inherited key', async () => Object.create({ '@nestor-ai/core': {} }) as object, /no types for/],
    ['no list', metadata({}), /"tools" of pluginMetadata is no list/],
    [
      'a failing import',
      () => Promise.reject(new Error('No module ./dto.js')),
      /cannot be loaded: No module \.\/dto\.js/,
    ],
    [
      'a function that throws',
      () => {
        throw new Error('oops');
      },
      /cannot be loaded: oops/,
    ],
    [
      'a failing file',
      metadata([[Promise.reject(new Error('No file')), { Finder: TYPES }]]),
      /file of Finder cannot be loaded: No file/,
    ],
    [
      'a class that is gone',
      metadata([[{}, { Finder: TYPES }]]),
      /class Finder, but its file does not export.*nestor-schemas/,
    ],
    ['no file', metadata([[undefined, { Finder: TYPES }]]), /class Finder, but its file does not export/],
    ['an export of Object.prototype', metadata([[{}, { toString: TYPES }]]), /class toString, but its file/],
    ['an export that is no class', metadata([[{ Finder: () => 1 }, { Finder: TYPES }]]), /class Finder, but its file/],
    [
      'a frozen class',
      metadata([[{ Frozen: Object.freeze(class Frozen {}) }, { Frozen: TYPES }]]),
      /the class is frozen/,
    ],
    [
      'another version',
      metadata([[{ Finder }, { Finder: { ...TYPES, version: 9 } }]]),
      /another version of @nestor-ai\/core \(format 9 instead of 1\)/,
    ],
    ['no types', metadata([[{ Finder }, { Finder: 'text' }]]), /another version/],
  ])('are a problem of the bootstrap, and never throw: %s', async (_what, given, message) => {
    const problems = await problemsWith(given);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(described()).toBeUndefined();
  });

  it('of a file that is still being loaded are a problem', async () => {
    const early = Object.defineProperty({}, 'Finder', {
      enumerable: true,
      get: () => {
        throw new ReferenceError('not initialized');
      },
    });
    expect(await problemsWith(metadata([[early, { Finder: TYPES }]]))).toEqual([expect.stringContaining('Finder')]);
  });

  it('ignore entries that are no pairs', async () => {
    expect(await problemsWith(metadata([null, 5, [], [{ Finder }], [{ Finder }, 'x']]))).toEqual([]);
  });

  it('name another version once', async () => {
    const old = { ...TYPES, version: 2 };
    const entries = [[{ Finder }, { Finder: old, Other: old, More: old }]];
    expect(await problemsWith(metadata(entries))).toHaveLength(1);
  });
});

describe('the sources of the types', () => {
  const { NODE_ENV } = process.env;
  let folder: string;
  let path: string;
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const error = jest.spyOn(Logger.prototype, 'error');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sources-'));
    path = join(folder, 'finder.ts');
    await writeFile(path, 'class Finder {}\r\n');
    for (const spy of [warn, error]) spy.mockReset().mockImplementation(() => undefined);
    process.env['NODE_ENV'] = 'development';
  });
  afterEach(async () => {
    process.env['NODE_ENV'] = NODE_ENV;
    await rm(folder, { recursive: true });
  });
  afterAll(() => {
    warn.mockRestore();
    error.mockRestore();
  });
  async function withSources(sources: unknown, type: object = class {}): Promise<void> {
    expect(await problemsWith(metadata([[{ Finder: type }, { Finder: { ...TYPES, sources } }]]))).toEqual([]);
  }
  const stale = () =>
    `The types of pluginMetadata may be stale: ${path} has changed since. Run nestor-schemas again, or build again.`;

  it('are compared with their hashes where they exist, outside production', async () => {
    await withSources({ [path]: sourceHash('class Finder {}\n') });
    expect(warn).not.toHaveBeenCalled();
    await withSources({ [path]: sourceHash('other') }, Finder);
    expect(warn.mock.calls).toEqual([[stale()]]);
    expect(described()).toBe('typed');
    await withSources({ [join(folder, 'gone.ts')]: 'x', [folder]: 'x', 'a\0b': 'x' });
    await withSources(null);
    process.env['NODE_ENV'] = 'production';
    await withSources({ [path]: sourceHash('other') });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(error).not.toHaveBeenCalled();
  });

  it('are an error in tests, where Nest hides warnings', async () => {
    process.env['NODE_ENV'] = 'test';
    await withSources({ [path]: sourceHash('other') });
    expect(error.mock.calls).toEqual([[stale()]]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('do not matter to a class into which the compiler wrote its types', async () => {
    class Compiled {
      static [CLASS_TYPES]() {
        return { version: 1, sources: {} };
      }
    }
    await withSources({ [path]: sourceHash('other') }, Compiled);
    expect(warn).not.toHaveBeenCalled();
  });
});
