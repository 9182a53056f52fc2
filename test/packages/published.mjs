/*
 * The packed packages as publint and attw see them: every entry point has its files and types, for
 * each way to resolve a module. Run after `npm run build:libs`.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack, run } from './toolchains/applications.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

for (const tarball of await pack()) {
  await run(ROOT, 'npx', ['publint', '--strict', tarball]);
  await run(ROOT, 'npx', ['attw', '--format', 'ascii', tarball]);
  console.log(`✓ publint and attw: ${basename(tarball)}`);
}
