import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../model/awaitable.js';

/** What was spent. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

export const NOTHING_SPENT: Spending = Object.freeze({ tokens: 0, cost: 0 });

/** Keeps what conversations and users have spent. Extend it to share that between processes. */
export abstract class UsageLedger {
  /** What was spent under a key, in its current window. */
  abstract spent(key: string): Awaitable<Spending>;

  /**
   * Adds to what was spent under a key.
   *
   * @param window how long after the first spending everything is forgotten, in milliseconds; undefined: never
   */
  abstract add(key: string, spending: Spending, window: number | undefined): Awaitable<void>;
}

/** How many keys are kept at most. */
const MAX_KEYS = 100_000;

/** Keeps what was spent as long as the process runs. */
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
