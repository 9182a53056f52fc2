import { type Awaitable, boundedCache } from '@nestor-ai/core/internal';

/** An amount that was spent. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

/** A budget. Units that are left out are not limited. */
export interface Budget {
  readonly tokens?: number;
  /** In the currency of the prices. */
  readonly cost?: number;
}

/** Replaces the reserved amount by the actual one. Called once. */
export type SettleSpending = (spent: Spending) => Awaitable<void>;

export const NOTHING_SPENT: Spending = Object.freeze({ tokens: 0, cost: 0 });

/**
 * Stores how much conversations and users have spent. Extend it to share the amounts between
 * processes.
 */
export abstract class UsageLedger {
  /** The amount spent under a key in its current window. */
  abstract spent(key: string): Awaitable<Spending>;

  /**
   * Adds to the amount spent under a key.
   *
   * @param window how long after the first spending the amount is reset, in milliseconds;
   *   undefined for never
   */
  abstract add(key: string, spending: Spending, window: number | undefined): Awaitable<void>;

  /**
   * Reserves the expected usage of a round before the model is asked, unless the budget is used
   * up. Must be atomic, so that budgets also hold for concurrent requests.
   *
   * @param expected the amount that counts as spent until the round is settled, or until the
   *   window ends if the process stops before that
   * @param limit the budget, which is used up once the amount under the key has reached one of its
   *   units
   * @param window as for {@link add}
   * @returns a function that settles the round; undefined if the budget is used up
   */
  abstract reserve(
    key: string,
    expected: Spending,
    limit: Budget,
    window: number | undefined,
  ): Awaitable<SettleSpending | undefined>;
}

/** The unit of a budget that is used up. */
export function exceededUnit(limit: Budget, spent: Spending): 'tokens' | 'cost' | undefined {
  for (const unit of ['tokens', 'cost'] as const) {
    const most = limit[unit];
    if (most !== undefined && spent[unit] >= most) return unit;
  }
  return undefined;
}

const MAX_KEYS = 100_000;

/** Stores the amounts in memory. */
export class InMemoryUsageLedger extends UsageLedger {
  readonly #spent = boundedCache<{ tokens: number; cost: number }>(MAX_KEYS, { noUpdateTTL: true });

  spent(key: string): Spending {
    return { ...(this.#spent.get(key) ?? NOTHING_SPENT) };
  }

  add(key: string, { tokens, cost }: Spending, window: number | undefined): void {
    const known = this.#spent.get(key);
    if (!known) {
      this.#spent.set(key, { tokens, cost }, window === undefined ? {} : { ttl: Math.ceil(window) });
      return;
    }
    known.tokens += tokens;
    known.cost += cost;
  }

  reserve(key: string, expected: Spending, limit: Budget, window: number | undefined): SettleSpending | undefined {
    if (exceededUnit(limit, this.spent(key))) return undefined;
    this.add(key, expected, window);
    const reserved = this.#spent.get(key);
    return (spent) => {
      // If the window has ended since, the reservation is gone.
      if (this.#spent.get(key) !== reserved)
        return spent.tokens || spent.cost ? this.add(key, spent, window) : undefined;
      this.add(key, { tokens: spent.tokens - expected.tokens, cost: spent.cost - expected.cost }, window);
    };
  }
}
