/*
 * `nest add @nestor-ai/core` and `nest g -c @nestor-ai/core tool` in an application that `nest new`
 * has just made, for each major version of Nest: its tests pass, it starts, and it answers. Run after
 * `npm run build:libs`; give majors to run only those.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOMS } from '../../libs/rooms.mjs';
import { freePort } from '../free-port.mjs';
import { serveModel } from './schematics/model.mjs';
import { serveRegistry } from './schematics/registry.mjs';

const majors = process.argv.length > 2 ? process.argv.slice(2) : ['11', '12'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nestor-schematics-'));

/** Runs a command; its output is shown only when it fails. */
async function run(cwd, command, ...args) {
  const start = Date.now();
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 1e8 });
    console.log(`  ${command} ${args.join(' ')}: ${((Date.now() - start) / 1000).toFixed(0)} s`);
    return stdout;
  } catch (error) {
    console.error(error.stdout, error.stderr);
    throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`, { cause: error });
  }
}

/** The files of an application that are its own, with their contents. */
function snapshot(app) {
  const isOwn = (path) => !/^(node_modules|dist|coverage)(\/|$)|package-lock\.json$/.test(path);
  const files = readdirSync(app, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => isOwn(path.slice(app.length + 1)))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

/** Starts the built application. @returns what it answers to a question */
async function ask(app, modelUrl) {
  appendFileSync(join(app, '.env'), `AI_MODEL_BASE_URL=${modelUrl}\n`);
  writeFileSync(join(app, '.env'), readFileSync(join(app, '.env'), 'utf8').replace(/(AI_MODEL_API_KEY=)/, '$1key'));
  const port = String(await freePort());
  const server = spawn(process.execPath, ['dist/main'], {
    cwd: app,
    env: { ...process.env, PORT: port },
    // Nest writes errors to stderr.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    for (let attempt = 0; ; attempt++) {
      assert.equal(server.exitCode, null, 'the application starts');
      const response = await fetch(`http://127.0.0.1:${port}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'How warm is it in Paris?' }),
      }).catch((error) => {
        // It may still be starting.
        if (attempt < 100) return undefined;
        throw error;
      });
      if (response) return { status: response.status, body: await response.json() };
      await setTimeout(200);
    }
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill();
      await once(server, 'exit');
    }
  }
}

async function check(major, registryUrl) {
  console.log(`Nest ${major}`);
  await run(folder, 'npx', '-y', `@nestjs/cli@${major}`, 'new', `app-${major}`, '--skip-git', '-p', 'npm');
  const app = join(folder, `app-${major}`);
  writeFileSync(join(app, '.npmrc'), `@nestor-ai:registry=${registryUrl}\n`);
  const added = await run(app, 'npx', 'nest', 'add', '@nestor-ai/core');
  assert.match(added, /src\/app\.module\.ts[^]*\nNext: put your key/, 'what to do next is said after the files');
  await run(app, 'npx', 'nest', 'g', '-c', '@nestor-ai/core', 'tool', 'send-mail');
  const before = snapshot(app);
  assert.match(before[join(app, 'src/app.module.ts')], /AiModule\.forRoot\(\{ pluginMetadata: metadata \}\)/);
  assert.match(before[join(app, 'src/app.module.ts')], /providers: \[AppService, SendMailTools\]/);
  const again = await run(app, 'npx', 'nest', 'add', '@nestor-ai/core', '--skip-install');
  assert.match(again, /Nothing to be done/);
  assert.deepEqual(snapshot(app), before, 'running it twice changes nothing');
  await run(app, 'npx', 'prettier', '--check', 'src', 'test');
  // The application's own script mends what it finds: here it must find nothing.
  await run(
    app,
    'npx',
    ...(major === '11'
      ? ['eslint', '--max-warnings', '0', 'src/chat', 'test/chat.e2e-spec.ts', 'src/send-mail']
      : ['oxlint', '--type-aware', 'src', 'test']),
  );
  await run(app, 'npm', 'test');
  await run(app, 'npm', 'run', 'test:e2e');
  await run(app, 'npm', 'run', 'build');
  const model = await serveModel();
  try {
    const { status, body } = await ask(app, model.url);
    assert.deepEqual(
      { status, body },
      { status: 201, body: { answer: 'The tool said {"city":"Paris","temperature":21}' } },
    );
  } finally {
    model.close();
  }
  console.log('  answers');
  await checkMonorepo(app);
}

/** A second application makes it a monorepo: only that one changes. */
async function checkMonorepo(app) {
  await run(app, 'npx', 'nest', 'g', 'app', 'shop');
  await run(app, 'npx', 'nest', 'add', '@nestor-ai/core', '--project', 'shop', '--skip-install');
  const changed = snapshot(app);
  assert.match(changed[join(app, 'apps/shop/src/shop.module.ts')], /AiModule\.forRoot\(\)/);
  assert.match(changed[join(app, 'apps/shop/test/chat.e2e-spec.ts')], /ShopModule/);
  await run(app, 'npx', 'tsc', '--noEmit', '-p', 'apps/shop/tsconfig.app.json');
}

const registry = await serveRegistry(
  await Promise.all(
    ROOMS.map(async ({ folder: room, manifest }) => {
      const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, join(root, 'libs', room)];
      const [{ filename }] = JSON.parse(await run(folder, 'npm', ...args));
      return { manifest, tarball: readFileSync(join(folder, filename)) };
    }),
  ),
);
try {
  for (const major of majors) await check(major, registry.url);
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}
