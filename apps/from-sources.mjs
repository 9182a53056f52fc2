/*
 * Runs the TypeScript of this repository without a build:
 * `node --import ./apps/from-sources.mjs file.ts`. swc compiles each file when it is imported, and
 * node_modules/.cache keeps the result. `npm run typecheck` checks the types.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node runs the hooks below in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

const ROOT = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const SWC_OPTIONS = { ...JSON.parse(read('.swcrc')), swcrc: false };
const SWC_VERSION = JSON.parse(read('node_modules/@swc/core/package.json')).version;
const CACHE = new URL('node_modules/.cache/from-sources/', ROOT);
mkdirSync(CACHE, { recursive: true });

/**
 * The packages of this repository, by the file that they start with. With NESTOR_PACKAGES=built, they
 * are what `npm run build:libs` has made: they load in a third of the time.
 */
const PACKAGES = new Map(
  process.env.NESTOR_PACKAGES === 'built'
    ? []
    : Object.entries(JSON.parse(read('tsconfig.json')).compilerOptions.paths).map(([name, [path]]) => [
        name,
        new URL(path, ROOT).href,
      ]),
);

export async function resolve(specifier, context, next) {
  const url = PACKAGES.get(specifier);
  if (url) return { url, shortCircuit: true };
  const isSource = specifier.startsWith('.') && /\.ts(?:\?|$)/.test(context.parentURL ?? '');
  return next(isSource ? specifier.replace(/\.(c?)js(?=\?|$)/, '.$1ts') : specifier, context);
}

/** Files that are CommonJS when they are built run as ES modules here, and get the `require` that they use. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ";

export async function load(url, context, next) {
  const [file] = url.split('?');
  if (!/\.c?ts$/.test(file)) return next(url, context);
  // From the next hook, not from the file: test/faults has one that changes sources.
  const { source } = await next(url, { ...context, format: 'module' });
  const code = await compile(fileURLToPath(file), String(source));
  return { format: 'module', source: file.endsWith('.cts') ? REQUIRE + code : code, shortCircuit: true };
}

async function compile(filename, source) {
  const key = createHash('sha256')
    .update(JSON.stringify([SWC_VERSION, SWC_OPTIONS, filename, source]))
    .digest('hex');
  const kept = new URL(`${key}.js`, CACHE);
  try {
    return readFileSync(kept, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { transformSync } = await import('@swc/core');
  const { code } = transformSync(source, { ...SWC_OPTIONS, filename });
  // Other processes may compile the same file: a reader never sees half of it.
  const written = new URL(`${key}.${process.pid}`, CACHE);
  writeFileSync(written, code);
  renameSync(written, kept);
  return code;
}
