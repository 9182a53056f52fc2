import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '@nestor-ai/schema';

/** A matcher of Jest or Vitest, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(other: unknown): boolean;
}

/**
 * Whether a value has everything that is expected: objects may have more fields. Texts match
 * regular expressions, and matchers of Jest and Vitest work at any depth.
 */
export function matches(expected: unknown, actual: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (expected instanceof RegExp) return typeof actual === 'string' && actual.search(expected) >= 0;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(item, actual[index]))
    );
  }
  if (typeof expected !== 'object' || expected === null || !isPlainObject(expected))
    return isDeepStrictEqual(expected, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([key, value]) => matches(value, (actual as Record<string, unknown>)[key]));
}

function isMatcher(value: unknown): value is AsymmetricMatcher {
  return typeof (value as Partial<AsymmetricMatcher> | null | undefined)?.asymmetricMatch === 'function';
}

/** A value for a message: short JSON, with expressions and matchers as they are written. */
export function shown(value: unknown, maxLength = 400): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : (JSON.stringify(value, (_key, item: unknown) =>
          item instanceof RegExp || isMatcher(item) || typeof item === 'bigint' ? String(item) : item,
        ) ?? String(value));
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text;
}
