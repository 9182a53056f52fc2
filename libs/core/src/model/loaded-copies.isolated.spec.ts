import { readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { loadedCopies, PACKAGE_NAME, PACKAGE_VERSION } from './loaded-copies.js';

const FILE = /\/libs\/core\/src\/model\/loaded-copies\.ts$/;

describe('loadedCopies()', () => {
  it('has the name and version of package.json', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(manifest).toMatchObject({ name: PACKAGE_NAME, version: PACKAGE_VERSION });
  });

  it('has this copy, with its file', () => {
    expect(loadedCopies()).toEqual([{ version: PACKAGE_VERSION, file: expect.stringMatching(FILE) }]);
  });

  it('has a file once that is loaded again', async () => {
    jest.resetModules();
    const again = await import('./loaded-copies.js');
    expect(again.loadedCopies).not.toBe(loadedCopies);
    expect(again.loadedCopies()).toHaveLength(1);
  });

  it('leaves the stack traces of the process as they were', () => {
    expect(new Error('test').stack).toMatch(/^Error: test\n\s+at /);
  });
});
