/*
 * The hooks of apps/from-sources.mjs, for tests: all test files of a process share the modules of
 * libs/, apps/ and node_modules/. Each has its own copy of what stands in test/, such as the
 * applications that a helper has started: the `?…` behind the URL of a test file goes on to these.
 */
import { load, resolve as resolveSource } from '../../apps/from-sources.mjs';

const HELPERS = new URL('../', import.meta.url).href;
const RUNNER = new URL('./', import.meta.url).href;
const GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

export { load };

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  const resolved = await resolveSource(specifier, context, next);
  const copy = context.parentURL?.split('?')[1];
  const isHelper = resolved.url.startsWith(HELPERS) && !resolved.url.startsWith(RUNNER);
  return copy !== undefined && isHelper ? { ...resolved, url: `${resolved.url}?${copy}` } : resolved;
}
