import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { PACKAGE_VERSION } from './version.js';

it('has the version of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as object;
  expect(manifest).toMatchObject({ version: PACKAGE_VERSION });
});
