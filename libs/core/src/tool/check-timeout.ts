/** The maximum delay of a Node.js timer, in milliseconds. */
export const MAX_TIMEOUT = 2 ** 31 - 1;

export const TIMEOUT = `a number of milliseconds between 1 and ${MAX_TIMEOUT}, or Infinity`;

/** Whether a timer can wait that long, or it is Infinity. */
export function isTimeout(timeout: number): boolean {
  return timeout === Number.POSITIVE_INFINITY || (timeout > 0 && timeout <= MAX_TIMEOUT);
}

/**
 * @param name of the option
 * @throws RangeError unless the timeout is undefined, a valid timer delay in milliseconds, or
 * Infinity
 */
export function checkTimeout(timeout: number | undefined, name = 'timeout'): void {
  if (timeout === undefined || isTimeout(timeout)) return;
  throw new RangeError(`${name} must be ${TIMEOUT}, but is ${timeout}.`);
}

/** @throws RangeError when one of the given numbers is not a whole number greater than 0 */
export function requirePositive(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, number] of Object.entries(numbers)) {
    if (number !== undefined && (!Number.isInteger(number) || number < 1))
      throw new RangeError(`${name} must be a whole number greater than 0, but is ${number}.`);
  }
}
