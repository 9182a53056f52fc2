/*
 * The applications that the toolchains build: the output of `nest new` for each major version of
 * Nest, with the sources of `application/` and our packed packages. They are kept between runs,
 * because installing takes longest.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOMS } from '../../../libs/rooms.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = fileURLToPath(new URL('application', import.meta.url));
/** Outside of the repository, whose node_modules the applications would see. Each checkout has its own. */
const CACHE = join(tmpdir(), 'nestor-toolchains', createHash('sha256').update(ROOT).digest('hex').slice(0, 8));

/** What the guides tell you to install with our packages. The AI SDK has zod as a peer. */
const BESIDE = ['@ai-sdk/openai@^3', 'zod@^4', 'class-validator@^0.14.2', 'class-transformer@^0.5.1'];

const KINDS = {
  'Nest 11': {
    cli: '@nestjs/cli@11',
    isEsm: false,
    dependencies: [...BESIDE, '@nestjs/config@^4'],
    devDependencies: [
      'esbuild@^0.28',
      '@rspack/core@^2',
      '@vercel/ncc@^0.45',
      '@swc/cli@^0.8',
      '@swc/core@^1',
      'chokidar@^5',
    ],
  },
  'Nest 12': {
    cli: '@nestjs/cli@12',
    isEsm: true,
    dependencies: [...BESIDE, '@nestjs/config@^12'],
    devDependencies: [
      'esbuild@^0.28',
      'jest@^30',
      '@jest/globals@^30',
      '@types/jest@^30',
      'ts-jest@^29',
      '@swc/cli@^0.8',
      '@swc/core@^1',
      '@rspack/core@^2',
      'webpack-node-externals@^3',
      'tsconfig-paths-webpack-plugin@^4',
    ],
  },
};

const execute = promisify(execFile);

/**
 * Runs a command.
 *
 * @returns its standard output
 * @throws Error with all its output when it fails
 */
export async function run(folder, command, args, env = {}) {
  try {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    return (await execute(command, args, options)).stdout;
  } catch (error) {
    const { signal, code } = error;
    const how = `${command} ${args.join(' ')} (${signal ?? `exit code ${code}`})`;
    throw new Error(`${how}\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });
  }
}

/** Packs what `npm publish` would upload. @returns the paths of the tarballs */
export async function pack() {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'packed-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const libs = ROOMS.map((room) => join(ROOT, 'libs', room.folder));
  await run(folder, 'npm', ['pack', '--ignore-scripts', '--silent', ...libs]);
  return readdirSync(folder).map((file) => join(folder, file));
}

/** Makes an application with everything but our packages, unless it is there. @returns its folder */
export async function prepareApplication(kind) {
  const { cli, dependencies, devDependencies } = KINDS[kind];
  const hash = createHash('sha256').update(JSON.stringify(KINDS[kind])).digest('hex').slice(0, 8);
  const folder = join(CACHE, `${kind.toLowerCase().replace(' ', '-')}-${hash}`);
  if (!existsSync(folder)) {
    const making = `${folder}-making`;
    mkdirSync(CACHE, { recursive: true });
    rmSync(making, { recursive: true, force: true });
    await run(CACHE, 'npx', [
      '--yes',
      cli,
      'new',
      basename(making),
      '--skip-install',
      '--skip-git',
      '--package-manager',
      'npm',
    ]);
    await run(making, 'npm', [
      'install',
      '--loglevel',
      'error',
      '--no-audit',
      '--no-fund',
      '--save-dev',
      ...devDependencies,
    ]);
    await run(making, 'npm', ['install', '--loglevel', 'error', '--no-audit', '--no-fund', ...dependencies]);
    renameSync(making, folder);
  }
  return folder;
}

/** Makes an application with our packages, or renews the one that is there. @returns its folder */
export async function makeApplication(kind, tarballs) {
  const folder = await prepareApplication(kind);
  rmSync(join(folder, 'node_modules/@nestor-ai'), { recursive: true, force: true });
  await run(folder, 'npm', [
    'install',
    '--loglevel',
    'error',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    ...tarballs,
  ]);
  assertOneCopy(folder, tarballs);
  copySources(folder, KINDS[kind].isEsm);
  return folder;
}

/** A package of ours that brings its own copy of another one would have other classes and tokens. */
function assertOneCopy(folder, tarballs) {
  const scope = join(folder, 'node_modules/@nestor-ai');
  const installed = readdirSync(scope);
  assert.equal(installed.length, tarballs.length, `every package is installed, not only ${installed.join(', ')}`);
  const copies = installed.filter((name) => existsSync(join(scope, name, 'node_modules/@nestor-ai')));
  assert.deepEqual(copies, [], 'no package has a copy of another one');
}

/** Makes an application without tests and tools: only a manifest and the compiled sources. */
export function makeBareApplication(name, compiled, tarballs) {
  const folder = join(CACHE, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(compiled, join(folder, 'dist'), { recursive: true });
  const nest = Object.fromEntries(['common', 'core', 'platform-express'].map((part) => [`@nestjs/${part}`, '^12.0.1']));
  const dependencies = { ...nest, 'reflect-metadata': '^0.2.2', rxjs: '^7.8.1' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '0.0.1', private: true, type: 'module', dependencies, ...fromTarballs(tarballs) }),
  );
  return { bare: folder, beside: KINDS['Nest 12'].dependencies };
}

/** Where package managers find packages that others depend on, and that no registry has yet. */
function fromTarballs(tarballs) {
  const entries = tarballs.map((tarball) => [
    `@nestor-ai/${/nestor-ai-(.+)-\d/.exec(basename(tarball))[1]}`,
    `file:${tarball}`,
  ]);
  const resolutions = Object.fromEntries(entries);
  return { resolutions, pnpm: { overrides: resolutions } };
}

function copySources(folder, isEsm) {
  rmSync(join(folder, 'src'), { recursive: true, force: true });
  mkdirSync(join(folder, 'src'));
  for (const file of readdirSync(SOURCES)) {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    // An application of Nest 11 imports its files without an extension.
    writeFileSync(join(folder, 'src', file), isEsm ? source : source.replaceAll(/(from '\.[^']*)\.js'/g, "$1'"));
  }
}
