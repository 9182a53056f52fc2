import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

it('an application that must not generate code names the flag to leave out', async () => {
  const flags = ['--disallow-code-generation-from-strings', '--import', here('../../apps/from-sources.mjs')];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, here('without-generated-code.ts')]);
  const remedy = 'start Node.js without --disallow-code-generation-from-strings';
  expect(JSON.parse(stdout)).toEqual({
    application: expect.stringContaining(`No tool can be called: `),
    tool: expect.stringContaining(remedy),
  });
  expect(stdout.split(remedy)).toHaveLength(3);
}, 30_000);
