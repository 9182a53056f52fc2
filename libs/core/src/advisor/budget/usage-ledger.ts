import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../model/awaitable.js';

/** An amount that was spent. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

const NOTHING_SPENT: Spending = Object.freeze({ tokens: 0, cost: 0 });

/** Keeps the amounts that conversations and users have spent. Extend it to share them between processes. */
export abstract class UsageLedger {
  /** The amount spent under a key in its current window. */
  abstract spent(key: string): Awaitable<Spending>;

  /**
   * Adds to the amount spent under a key.
   *
   * @param window how long after the first spending the amount is reset, in milliseconds; undefined: never
   */
  abstract add(key: string, spending: Spending, window: number | undefined): Awaitable<void>;
}

const MAX_KEYS = 100_000;

/** Keeps the amounts in memory. */
export class InMemoryUsageLedger extends UsageLedger {
  readonly #spent = new LRUCache<string, Spending>({ max: MAX_KEYS, noUpdateTTL: true });

  spent(key: string): Spending {
    return this.#spent.get(key) ?? NOTHING_SPENT;
  }

  add(key: string, { tokens, cost }: Spending, window: number | undefined): void {
    const before = this.spent(key);
    const sum = { tokens: before.tokens + tokens, cost: before.cost + cost };
    this.#spent.set(key, sum, window === undefined ? {} : { ttl: Math.ceil(window) });
  }
}
