/*
 * `npm run explore`: runs the property-based tests with new seeds until one fails, or for the given
 * number of minutes: `npm run explore -- 10`. `npm test` uses one seed for everybody: to see a failure
 * again, set SEED to the one that is printed.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const end = Date.now() + Number(process.argv[2] ?? Infinity) * 60_000;

const isPropertyBased = (file) => /from 'fast-check'/.test(readFileSync(join(ROOT, file), 'utf8'));
const files = ['libs', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('spec.ts') && !file.includes('node_modules') && isPropertyBased(file)),
);

while (Date.now() < end && !process.exitCode) {
  const SEED = String(randomInt(1, 2 ** 31));
  console.log(`SEED=${SEED}`);
  const args = ['test', '--silent', '--', '--silent', ...files];
  const { status } = spawnSync('npm', args, { cwd: ROOT, env: { ...process.env, SEED }, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
