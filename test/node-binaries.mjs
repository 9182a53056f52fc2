import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this repository keeps what its checks install: the folder `nestor` in your cache folder. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nestor');

/**
 * Finds another version of Node.js, from the npm package `node`.
 *
 * @param version a major version, or an exact one
 * @returns the folder of the binary, which is installed the first time
 */
export function nodeFolder(version) {
  const prefix = installed(`node-${version}`, join('node_modules', 'node', 'bin', 'node'), [`node@${version}`]);
  const bin = join(prefix, 'node_modules', 'node', 'bin');
  const found = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  if (!`${found}.`.startsWith(`v${version}.`)) {
    throw new Error(`${bin} has Node.js ${found} instead of ${version}. Delete it.`);
  }
  return bin;
}

/**
 * Installs npm packages into a folder of the cache the first time.
 *
 * @param name the name of the folder
 * @param file a file that exists after the installation, relative to the folder
 * @returns the folder
 */
export function installed(name, file, packages) {
  const prefix = join(CACHE, name);
  if (existsSync(join(prefix, file))) return prefix;
  mkdirSync(CACHE, { recursive: true });
  // Another process may install the same packages now: the folder has its name when it is complete.
  const making = mkdtempSync(`${prefix}-`);
  execFileSync('npm', ['install', '--prefix', making, '--no-audit', '--no-fund', '--silent', ...packages], {
    stdio: 'inherit',
  });
  try {
    renameSync(making, prefix);
  } catch (error) {
    rmSync(making, { recursive: true });
    if (!existsSync(join(prefix, file))) throw error;
  }
  return prefix;
}
