import type { PropertyType } from './property-types.js';

/** Names and values, such as HTTP headers. */
export type Pairs = Readonly<Record<string, string>>;

/** A property whose value error messages leave out. */
export function secretProperty<T>(type: PropertyType<T>): PropertyType<T> {
  return { ...type, isSecret: true };
}

/**
 * A secret property with names and values, such as HTTP headers: an object of texts, or text such
 * as `a=1,b=2`.
 *
 * @param allowed describes the values, for error messages
 * @param isAllowed whether a name may have a value
 */
export function pairsProperty(
  allowed: string,
  isAllowed: (name: string, value: string) => boolean,
): PropertyType<Pairs | undefined> {
  return secretProperty({
    allowed,
    defaultValue: undefined,
    read: (value) => {
      if (Array.isArray(value) || (typeof value !== 'string' && typeof value !== 'object')) return undefined;
      const pairs: readonly (readonly [string, unknown])[] =
        typeof value === 'string' ? pairsIn(value) : Object.entries(value ?? {});
      const areAllowed = pairs.every(([name, text]) => typeof text === 'string' && isAllowed(name, text));
      return areAllowed ? Object.freeze(Object.fromEntries(pairs) as Pairs) : undefined;
    },
  });
}

function pairsIn(text: string): readonly (readonly [name: string, value: string])[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()];
  });
}
