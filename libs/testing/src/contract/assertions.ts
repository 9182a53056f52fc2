import { AssertionError } from 'node:assert';
import { inspect, isDeepStrictEqual } from 'node:util';

/** Fails a case of a contract unless both values are equal. */
export function assertEqual(given: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(given, wanted)) fail(what, wanted, given);
}

/** @throws AssertionError that says what the contract wants and what it was given */
export function fail(what: string, wanted: unknown, given: unknown): never {
  throw new AssertionError({
    message: `${what}.\nThe contract wants: ${shown(wanted)}\nIt was given: ${shown(given)}`,
    actual: given,
    expected: wanted,
    operator: 'contract',
  });
}

function shown(value: unknown): string {
  return inspect(value, { depth: 8, breakLength: 100, maxStringLength: 200 });
}
