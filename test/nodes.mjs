/*
 * Runs a command under other major versions of Node.js: `node test/nodes.mjs npm test -- test/nest`.
 * The binaries come from the npm package `node` and stay in your cache folder. NODES="22 24" chooses
 * the versions.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const versions = (process.env.NODES ?? '22 24').split(/[\s,]+/);
const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error('Which command? For example: node test/nodes.mjs npm test -- test/nest');

/** @returns the folder of the binary, which is installed the first time */
function folderOf(version) {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nestor', `node-${version}`);
  const bin = join(cache, 'node_modules', 'node', 'bin');
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(cache, { recursive: true });
    execFileSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', '--silent', `node@${version}`], {
      stdio: 'inherit',
    });
  }
  return bin;
}

for (const version of versions) {
  const bin = folderOf(version);
  // Everything that the command starts takes the first `node` of the path.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const found = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  if (!found.startsWith(`v${version}.`))
    throw new Error(`${bin} has Node.js ${found} instead of ${version}. Delete it.`);
  console.log(`== Node.js ${found}: ${[command, ...args].join(' ')}`);
  const { status, error } = spawnSync(command, args, { env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}
