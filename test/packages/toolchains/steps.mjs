/* Steps of several toolchains: configure, compile, bundle and start an application. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './applications.mjs';

export const npx = (folder, ...args) => run(folder, 'npx', args);

/** Adds a file of `configurations/` to an application. */
export function configure(folder, file) {
  copyFileSync(fileURLToPath(new URL(`configurations/${file}`, import.meta.url)), join(folder, file));
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

/** Builds with the Nest CLI. */
export async function nestBuild(folder, ...options) {
  // With these files, the compiler would assume that its output still exists.
  for (const file of ['dist', 'tsconfig.tsbuildinfo', 'tsconfig.build.tsbuildinfo'])
    rmSync(join(folder, file), { recursive: true, force: true });
  await npx(folder, 'nest', 'build', ...options);
}

/** Nest loads these packages only if they are installed. esbuild cannot know that. */
const OF_NEST = ['@nestjs/microservices', '@nestjs/websockets'];

/** Bundles with esbuild. It does not emit the types of parameters, so the compiler runs first. */
export async function esbuild(folder, file, ...options) {
  await nestBuild(folder);
  const external = OF_NEST.map((name) => `--external:${name}`);
  const outfile = `--outfile=${join(bundlesOf(folder), file)}`;
  await npx(folder, 'esbuild', 'dist/main.js', '--bundle', '--platform=node', outfile, ...external, ...options);
}
