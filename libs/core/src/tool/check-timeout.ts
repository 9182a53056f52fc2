/** The longest that a timer of Node.js can wait, in milliseconds. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * @param name of the option
 * @throws RangeError unless it is undefined, or a number of milliseconds that a timer can wait, or Infinity
 */
export function checkTimeout(timeout: number | undefined, name = 'timeout'): void {
  if (timeout === undefined || timeout === Number.POSITIVE_INFINITY || (timeout > 0 && timeout <= MAX_TIMEOUT)) return;
  throw new RangeError(
    `${name} must be a number of milliseconds between 1 and ${MAX_TIMEOUT}, or Infinity, but is ${timeout}.`,
  );
}
