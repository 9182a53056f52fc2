/*
 * Runs a command under other major versions of Node.js: `node test/nodes.mjs npm test -- test/nest`.
 * The binaries come from the npm package `node` and stay in your cache folder. NODES="22 24" chooses
 * the versions.
 */
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { nodeFolder } from './node-binaries.mjs';

const versions = (process.env.NODES ?? '22 24').split(/[\s,]+/);
const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error('Which command? For example: node test/nodes.mjs npm test -- test/nest');

for (const version of versions) {
  // Everything that the command starts takes the first `node` of the path.
  const env = { ...process.env, PATH: `${nodeFolder(version)}${delimiter}${process.env.PATH}` };
  console.log(`== Node.js ${version}: ${[command, ...args].join(' ')}`);
  const { status, error } = spawnSync(command, args, { env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}
