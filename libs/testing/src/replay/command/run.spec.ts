import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { run } from './run.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
  writeFileSync(join(folder, 'one.turn.json'), '{}');
  writeFileSync(join(folder, 'empty.mjs'), 'export const nothing = 1;');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function outputOf(args: readonly string[]): Promise<string> {
  let output = '';
  const write = (text: unknown): boolean => {
    output += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(write));
  try {
    return `${await run(args)} ${output}`;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('nestor-replay', () => {
  it('says what is wrong with its arguments', async () => {
    const nowhere = join(folder, 'nowhere');
    expect(await outputOf([nowhere])).toContain(`2 There is no folder ${nowhere}.`);
    expect(await outputOf([folder, '--module', 'dist/nothing.js'])).toContain(
      '2 There is no dist/nothing.js. Build the',
    );
    expect(await outputOf([folder, '--user', '{'])).toContain('2 --user must be JSON');
    expect(await outputOf([folder, 'two'])).toContain('2 There can be one folder');
    expect(await outputOf([folder, '--wrong'])).toMatch(/^2 .*--wrong/);
    const empty = join(folder, 'empty.mjs');
    expect(await outputOf([folder, '--module', empty])).toContain('must export one module, but exports: none.');
    expect(await outputOf([folder, '--module', `${empty}#AppModule`])).toContain(
      "does not export a module 'AppModule'",
    );
  });

  it('prints its usage', async () => {
    expect(await outputOf(['--help'])).toMatch(/^0 Usage: nestor-replay/);
  });
});
