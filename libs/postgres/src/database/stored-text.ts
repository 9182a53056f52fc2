/** The longest id in bytes. An index entry of PostgreSQL cannot be much longer. */
export const LONGEST_ID = 1000;

/** What PostgreSQL cannot store as it is, and the sign that replaces it. */
const UNSTORABLE = /[\\\0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A text as PostgreSQL can store it. NUL becomes `\0`, half of a surrogate pair becomes `\ud800`, and a
 * backslash is doubled, so that two different texts stay different.
 */
export function toStored(text: string): string {
  return text.replace(UNSTORABLE, (sign) => {
    if (sign === '\\') return '\\\\';
    return sign === '\0' ? '\\0' : `\\u${sign.charCodeAt(0).toString(16)}`;
  });
}

/** The text that {@link toStored} was given. */
export function fromStored(stored: string): string {
  return stored.replace(/\\(\\|0|u([0-9a-f]{4}))/g, (_, sign: string, code: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return sign === '0' ? '\0' : '\\';
  });
}

/**
 * An id as PostgreSQL can store and index it.
 *
 * @param what names the id in the error: `conversation id`
 * @throws RangeError when it is too long
 */
export function toStoredId(id: string, what: string): string {
  const stored = toStored(id);
  const length = Buffer.byteLength(stored);
  if (length <= LONGEST_ID) return stored;
  throw new RangeError(
    `A ${what} has ${length} bytes, but PostgreSQL can index at most ${LONGEST_ID}. Use a shorter one, such as a hash of it.`,
  );
}
