/**
 * The bounds of an advisor's order. Advisors with a lower order see the request earlier and the
 * response later.
 */
export const Ordered = Object.freeze({
  HIGHEST_PRECEDENCE: -2147483648,
  LOWEST_PRECEDENCE: 2147483647,
});

/** @throws RangeError unless the order is strictly between the bounds */
export function checkAdvisorOrder(order: number): number {
  if (order > Ordered.HIGHEST_PRECEDENCE && order < Ordered.LOWEST_PRECEDENCE) return order;
  throw new RangeError(
    `advisorOrder must be between HIGHEST_PRECEDENCE and LOWEST_PRECEDENCE (exclusive), but is ${order}.`,
  );
}
