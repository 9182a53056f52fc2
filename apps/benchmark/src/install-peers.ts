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

/** Whether each of them is there, in its version. What they need themselves is npm's business. */
function isInstalled(): boolean {
  const { dependencies } = read<{ dependencies: Record<string, string> }>('package.json')!;
  return Object.entries(dependencies).every(
    ([name, version]) => read<{ version: string }>(`node_modules/${name}/package.json`)?.version === version,
  );
}

function read<T>(path: string): T | undefined {
  const file = new URL(path, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}
