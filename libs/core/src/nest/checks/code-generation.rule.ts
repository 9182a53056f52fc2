import { NO_CODE_GENERATION } from '@nestor-ai/schema';

/**
 * Checks that the process may compile functions. Nestor needs that to validate the arguments of
 * tools.
 */
export function checkCodeGeneration(): readonly string[] {
  return mayGenerateCode() ? [] : [`No tool can be called: ${NO_CODE_GENERATION}.`];
}

function mayGenerateCode(): boolean {
  try {
    // eslint-disable-next-line typescript/no-implied-eval -- a test whether functions can be compiled
    return typeof new Function('') === 'function';
  } catch {
    return false;
  }
}
