import { AssertionError } from 'node:assert';
import { inspect, isDeepStrictEqual } from 'node:util';

/** How the cases of a contract fail. */
export interface Assertions {
  assertEqual(this: void, given: unknown, wanted: unknown, what: string): void;
  /** @throws AssertionError that says what the contract wants and what its subject did */
  fail(this: void, what: string, wanted: unknown, given: unknown): never;
}

/**
 * The assertions of a contract.
 *
 * @param subject what the contract is about, for messages
 * @param operator names the contract in errors
 */
export function assertionsOf(subject: string, operator: string, show = shown): Assertions {
  const fail: Assertions['fail'] = (what, wanted, given) => {
    throw new AssertionError({
      message: `${what}.\nThe contract wants: ${show(wanted)}\nThe ${subject} gave: ${show(given)}`,
      actual: given,
      expected: wanted,
      operator,
    });
  };
  return {
    fail,
    assertEqual(given, wanted, what) {
      if (!isDeepStrictEqual(given, wanted)) fail(what, wanted, given);
    },
  };
}

function shown(value: unknown): string {
  return inspect(value, { depth: 8, breakLength: 100, maxStringLength: 200 });
}
