import { AssertionError } from 'node:assert';
import { inspect, isDeepStrictEqual } from 'node:util';

/**
 * @param what names the value
 * @throws AssertionError that says what the contract wants and what the store gave
 */
export function assertEqual(given: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(given, wanted)) return;
  throw new AssertionError({
    message: `The contract checks ${what}.\nThe contract wants: ${show(wanted)}\nThe store gave: ${show(given)}`,
    actual: given,
    expected: wanted,
    operator: 'storeContract',
  });
}

function show(value: unknown): string {
  return inspect(value, { depth: 8, breakLength: 100, maxStringLength: 200 });
}
