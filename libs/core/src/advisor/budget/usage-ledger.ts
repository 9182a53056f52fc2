import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../model/awaitable.js';

/** An amount that was spent. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

/** How much may be spent. A unit that is left out is not limited. */
export interface Budget {
  readonly tokens?: number;
  /** In the currency of the prices. */
  readonly cost?: number;
}

/** Puts what was spent in the place of what was reserved. Called once. */
export type SettleSpending = (spent: Spending) => Awaitable<void>;

export const NOTHING_SPENT: Spending = Object.freeze({ tokens: 0, cost: 0 });

/**
 * Keeps the amounts that conversations and users have spent. Extend it to share them between processes, with `reserve` where
 * budgets are to hold for requests that several processes answer at the same time.
 */
export abstract class UsageLedger {
  /** The amount spent under a key in its current window. */
  abstract spent(key: string): Awaitable<Spending>;

  /**
   * Adds to the amount spent under a key.
   *
   * @param window how long after the first spending the amount is reset, in milliseconds; undefined: never
   */
  abstract add(key: string, spending: Spending, window: number | undefined): Awaitable<void>;

  /**
   * Adds what a round may take before the model is asked, unless the budget is used up: one step of the store, which nothing comes
   * between. Without it, the advisor itself keeps in mind what the rounds of its process may take.
   *
   * @param expected counts as spent until the round is settled; where a process ends before that, until the window is over
   * @param limit the budget is used up when the amount under the key has reached one of its units
   * @param window as for {@link add}
   * @returns settles the round; undefined when the budget is used up
   */
  reserve?(
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

/** Keeps the amounts in memory. */
export class InMemoryUsageLedger extends UsageLedger {
  readonly #spent = new LRUCache<string, { tokens: number; cost: number }>({ max: MAX_KEYS, noUpdateTTL: true });

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

  override reserve(
    key: string,
    expected: Spending,
    limit: Budget,
    window: number | undefined,
  ): SettleSpending | undefined {
    if (exceededUnit(limit, this.spent(key))) return undefined;
    this.add(key, expected, window);
    const reserved = this.#spent.get(key);
    return (spent) => {
      // A window that is over has taken the reservation with it.
      if (this.#spent.get(key) !== reserved)
        return spent.tokens || spent.cost ? this.add(key, spent, window) : undefined;
      this.add(key, { tokens: spent.tokens - expected.tokens, cost: spent.cost - expected.cost }, window);
    };
  }
}
