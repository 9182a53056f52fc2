/**
 * Reads something of a value that may be anything, such as what somebody has thrown.
 *
 * @returns undefined where that throws: a getter, a proxy, a method
 */
export function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
