/**
 * Reads a value whose getters, proxies or methods may throw, such as a thrown value.
 *
 * @returns undefined when reading throws
 */
export function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
