/*
 * Builds rooms, each after those that it imports: `npm run build:libs [-- core mcp]`. The compiler
 * writes `dist` and `dist/types`, rollup `dist/bundle`, and the Nest CLI reads `dist/schematics`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below, ROOMS } from './rooms.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function run(command, ...args) {
  const path = command === 'node' ? process.execPath : join(ROOT, 'node_modules/.bin', command);
  const child = spawn(path, args, { cwd: ROOT, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed (${signal ?? `exit code ${code}`}).`);
}

async function build({ folder, manifest }) {
  // What an earlier build has left would be published, too.
  rmSync(join(ROOT, 'libs', folder, 'dist'), { recursive: true, force: true });
  if (manifest.schematics) await run('tsc', '-p', `libs/${folder}/tsconfig.schematics.json`);
  if (folder === 'inspector') await run('node', 'libs/inspector/build-page.mjs');
  await run('nest', 'build', folder);
  await run('rollup', '--config', 'libs/rollup.config.js', '--silent', '--configLib', folder);
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !ROOMS.some(({ folder }) => folder === name));
if (unknown !== undefined) throw new Error(`There is no room '${unknown}' in libs/rooms.mjs.`);

/** How many more builds may run at a time, and the ones that wait for that. */
let free = availableParallelism();
const waiting = [];

async function inTurn(work) {
  if (free > 0) free--;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

const builds = new Map();
for (const room of ROOMS.filter(({ folder }) => names.length === 0 || names.includes(folder))) {
  const imported = Promise.all(below(room).map((other) => builds.get(other)));
  builds.set(
    room,
    imported.then(() => inTurn(() => build(room))),
  );
}
await Promise.all(builds.values());
