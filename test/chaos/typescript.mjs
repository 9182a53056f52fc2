// Lets a process of its own run the sources: `COMPILED=directory node --import ./test/chaos/typescript.mjs file.ts`.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

const CORE = new URL('../../libs/core/src/', import.meta.url);
const PACKAGES = {
  '@nestor-ai/core': new URL('index.ts', CORE).href,
  '@nestor-ai/core/testing': new URL('testing/index.ts', CORE).href,
};
const OPTIONS = {
  module: { type: 'es6' },
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2023',
  },
};

export async function resolve(specifier, context, next) {
  if (specifier in PACKAGES) return { url: PACKAGES[specifier], shortCircuit: true };
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await compiled(await readFile(new URL(url), 'utf8')), shortCircuit: true };
}

/** Compiled once for all processes of a run. */
async function compiled(source) {
  const kept = join(process.env.COMPILED, createHash('sha256').update(source).digest('hex'));
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const { transform } = await import('@swc/core');
  const { code } = await transform(source, OPTIONS);
  await writeFile(`${kept}.${process.pid}`, code);
  await rename(`${kept}.${process.pid}`, kept);
  return code;
}
