import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { BuildRecord } from './build-record.js';

const HASHES = new Map([['src/a.ts', 'h1']]);

let folder: string;
let buildInfo: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'));
  buildInfo = join(folder, 'tsconfig.tsbuildinfo');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the record of a build', () => {
  it('is read by the next build with the same plugin', () => {
    new BuildRecord(buildInfo, 'v1').write(HASHES);
    expect(new BuildRecord(buildInfo, 'v1').read()).toEqual(HASHES);
    expect(new BuildRecord(buildInfo, 'v2').read()).toBeUndefined();
  });

  it('is missing before the first build, once it is deleted, and if it is broken', () => {
    const record = new BuildRecord(buildInfo, 'v1');
    expect(record.read()).toBeUndefined();
    record.delete();
    record.write(HASHES);
    record.delete();
    expect(record.read()).toBeUndefined();
    writeFileSync(join(folder, 'tsconfig.nestor.tsbuildinfo'), '{ "fingerprint": "v1", ');
    expect(record.read()).toBeUndefined();
  });

  it('is continued if TypeScript has its own', () => {
    const record = new BuildRecord(buildInfo, 'v1');
    expect(record.isContinued).toBe(false);
    writeFileSync(buildInfo, '{}');
    expect(record.isContinued).toBe(true);
  });

  it('names files from its folder on', () => {
    const file = ts.createSourceFile(join(folder, 'src/a.ts'), '', ts.ScriptTarget.Latest);
    expect(new BuildRecord(buildInfo, 'v1').nameOf(file)).toBe('src/a.ts');
  });
});
