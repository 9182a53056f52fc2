import { NO_CODE_GENERATION, readSafely } from '@nestor-ai/schema';

/**
 * Checks that the process may compile functions. Nestor needs that to validate the arguments of
 * tools.
 */
export function checkCodeGeneration(): readonly string[] {
  // eslint-disable-next-line typescript/no-implied-eval -- a test whether functions can be compiled
  const compiled: unknown = readSafely(() => new Function(''));
  return compiled === undefined ? [`No tool can be called: ${NO_CODE_GENERATION}.`] : [];
}
