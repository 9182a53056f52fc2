import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadTypeScript } from './typescript.js';

describe('the copy of TypeScript of an application', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'typescript-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['7.0.2', 'module.exports = { version: "7.0.2" };'],
    ['5.4.5', 'module.exports = { version: "5.4.5", createProgram() {} };'],
  ])('is refused with the command that installs another one: %s', (version, text) => {
    const typescript = join(folder, 'node_modules/typescript');
    mkdirSync(typescript, { recursive: true });
    writeFileSync(join(typescript, 'package.json'), JSON.stringify({ name: 'typescript', version }));
    writeFileSync(join(typescript, 'index.js'), text);
    expect(() => loadTypeScript(folder)).toThrow(
      new RegExp(`5.5 to 6, but found ${version}.*npm install --save-dev typescript@6$`),
    );
  });
});
