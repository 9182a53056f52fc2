/* Steps of several toolchains: configure, compile, bundle and start an application. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { run } from './applications.mjs';

export const npx = (folder, ...args) => run(folder, 'npx', args);

const pathOf = (folder, name) => join(folder, 'node_modules/.bin', name);

/** Runs a program that the application has installed, without the time that npx takes. */
export const bin = (folder, name, ...args) => run(folder, pathOf(folder, name), args);

/** Adds a file of `configurations/` to an application. */
export function configure(folder, file) {
  copyFileSync(fileURLToPath(new URL(`configurations/${file}`, import.meta.url)), join(folder, file));
}

/** How long a command in watch mode may take to write a file, in milliseconds. */
const WATCH_TIMEOUT = 60_000;

/**
 * Runs commands that end when they are stopped, while a callback acts.
 *
 * @param commands programs of the application, each with its arguments
 */
export async function whileRunning(folder, commands, act) {
  let output = '';
  const started = commands.map(([name, ...args]) => {
    // A group of its own, because the Nest CLI does not pass signals on.
    const child = spawn(pathOf(folder, name), args, { cwd: folder, detached: true });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    return child;
  });
  try {
    await act();
  } catch (cause) {
    throw new Error(`${cause.message}\n${output}`, { cause });
  } finally {
    for (const child of started.filter(({ exitCode }) => exitCode === null)) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      process.kill(-child.pid);
      await closed;
    }
  }
}

/** Waits until a file has a text that matches. */
export async function untilWritten(file, expected) {
  for (const end = Date.now() + WATCH_TIMEOUT; Date.now() < end; await setTimeout(100))
    if (existsSync(file) && expected.test(readFileSync(file, 'utf8'))) return;
  throw new Error(`${file} does not match ${expected} after ${WATCH_TIMEOUT / 1000} s.`);
}

/** Starts a built application, which asks itself a question. @returns its output and answer */
export async function start(folder, file) {
  const output = await run(folder, process.execPath, [file]);
  const line = output.split('\n').find((text) => text.startsWith('{"answer"'));
  assert.ok(line, output);
  return { output, ...JSON.parse(line) };
}

export async function assertAnswers(folder, file) {
  const { answer, toolResponses, expected, isChatModel } = await start(folder, file);
  assert.equal(answer, 'Two lamps are on their way.');
  assert.deepEqual(toolResponses, expected);
  assert.equal(isChatModel, true, 'all packages have the same core');
}

/** Where bundles are started: outside of the application, without any node_modules. */
export function bundlesOf(folder) {
  const bundles = join(folder, '../bundles');
  mkdirSync(bundles, { recursive: true });
  return bundles;
}

/** Applications whose `dist` is what `nest build` has made. */
const built = new Set();

/** Builds with the Nest CLI. Without options, an application is built once. */
export async function nestBuild(folder, ...options) {
  if (options.length === 0 && built.has(folder)) return;
  built.delete(folder);
  // With these files, the compiler would assume that its output still exists.
  for (const file of ['dist', 'tsconfig.tsbuildinfo', 'tsconfig.build.tsbuildinfo'])
    rmSync(join(folder, file), { recursive: true, force: true });
  await bin(folder, 'nest', 'build', ...options);
  if (options.length === 0) built.add(folder);
}

/** Nest loads these packages only if they are installed. esbuild cannot know that. */
const OF_NEST = ['@nestjs/microservices', '@nestjs/websockets'];

/** Bundles with esbuild. It does not emit the types of parameters, so the compiler runs first. */
export async function esbuild(folder, file, ...options) {
  await nestBuild(folder);
  const external = OF_NEST.map((name) => `--external:${name}`);
  const outfile = `--outfile=${join(bundlesOf(folder), file)}`;
  await bin(folder, 'esbuild', 'dist/main.js', '--bundle', '--platform=node', outfile, ...external, ...options);
}
