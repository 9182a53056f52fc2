import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../peers/', import.meta.url);

/** Installs what we are compared with, as its lockfile says, unless it is there. Nobody else needs it. */
export function installPeers(): void {
  if (isInstalled()) return;
  console.error('Installing what nestor is compared with (some 600 packages, once) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: fileURLToPath(FOLDER),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ci in ${fileURLToPath(FOLDER)} ended with ${status}.`);
}

/** Whether what npm says it has installed is what the lockfile names. */
function isInstalled(): boolean {
  const installed = new URL('node_modules/.package-lock.json', FOLDER);
  if (!existsSync(installed)) return false;
  const versionsOf = (file: URL): Record<string, { version: string }> =>
    (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string }> }).packages;
  const there = versionsOf(installed);
  const wanted = (JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8')) as { dependencies: object })
    .dependencies;
  return Object.entries(wanted).every(([name, version]) => there[`node_modules/${name}`]?.version === version);
}
