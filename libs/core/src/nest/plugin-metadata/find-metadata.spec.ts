import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findMetadata } from './find-metadata.js';

const OURS = 'export default async () => ({ "@nestor-ai/core": { tools: [] } });';
const OF_SWAGGER = 'export default async () => ({ "@nestjs/swagger": {} });';

describe('findMetadata()', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'metadata-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(path: string, text = OURS): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it.each([
    ['src/metadata.ts', 'dist/main.js'],
    ['src/metadata.ts', 'node_modules/jest/bin/jest.js'],
    ['src/metadata.ts', '../elsewhere/main.js'],
    ['apps/shop/src/metadata.ts', 'dist/apps/shop/main.js'],
    ['apps/shop/src/metadata.ts', 'dist/apps/shop/src/main'],
    ['dist/metadata.js', 'dist/main.js'],
    ['app/main/metadata.ts', 'app/main/main.ts'],
    ['src/metadata.ts', undefined],
  ])('finds %s if %s was started', (path, main) => {
    write(path);
    expect(findMetadata(folder, main && join(folder, main))).toBe(path);
  });

  it('finds the output of an application that was started from another folder', () => {
    write('app/dist/metadata.js');
    expect(findMetadata(join(folder, 'other'), join(folder, 'app/dist/main.js'))).toBe('../app/dist/metadata.js');
  });

  it('leaves files of other packages, and of other applications, alone', () => {
    write('src/metadata.ts', OF_SWAGGER);
    write('apps/admin/src/metadata.ts');
    mkdirSync(join(folder, 'dist/apps/shop/metadata.js'), { recursive: true });
    expect(findMetadata(folder, join(folder, 'dist/apps/shop/main.js'))).toBeUndefined();
  });
});
