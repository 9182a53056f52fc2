/*
 * What tests get from '@jest/globals'. The modules of a process are shared by its test files, but each
 * file has globals of its own: the exports change before a file is imported.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** Called by the runtime before it imports a test file. */
export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
