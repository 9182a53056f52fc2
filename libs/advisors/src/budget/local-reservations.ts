import { SerialQueue } from '@nestor-ai/core';
import {
  type Budget,
  exceededUnit,
  NOTHING_SPENT,
  type SettleSpending,
  type Spending,
  UsageLedger,
} from './usage-ledger.js';

/** Adds reservations to a ledger that has none. They only cover rounds of this process. */
export class LocalReservations extends UsageLedger {
  readonly #reserved = new Map<string, Spending>();
  /**
   * Runs reads and reservations of a key one after the other, so that no other request comes
   * between.
   */
  readonly #queue = new SerialQueue();

  constructor(private readonly ledger: UsageLedger) {
    super();
  }

  /** The ledger itself if it has `reserve`, otherwise one with local reservations. */
  static over(ledger: UsageLedger): UsageLedger {
    return typeof ledger.reserve === 'function' ? ledger : new LocalReservations(ledger);
  }

  async spent(key: string): Promise<Spending> {
    return sum(await this.ledger.spent(key), this.#reserved.get(key) ?? NOTHING_SPENT);
  }

  async add(key: string, spending: Spending, window: number | undefined): Promise<void> {
    await this.ledger.add(key, spending, window);
  }

  override async reserve(
    key: string,
    expected: Spending,
    limit: Budget,
    window: number | undefined,
  ): Promise<SettleSpending | undefined> {
    const isUsedUp = await this.#queue.run(key, async () => {
      if (exceededUnit(limit, await this.spent(key))) return true;
      this.#hold(key, expected);
      return false;
    });
    return isUsedUp ? undefined : (spent) => this.#settle(key, expected, spent, window);
  }

  #settle(key: string, expected: Spending, spent: Spending, window: number | undefined): Promise<void> {
    return this.#queue.run(key, async () => {
      try {
        if (spent.tokens || spent.cost) await this.ledger.add(key, spent, window);
      } finally {
        this.#hold(key, { tokens: -expected.tokens, cost: -expected.cost });
      }
    });
  }

  #hold(key: string, spending: Spending): void {
    const held = sum(this.#reserved.get(key) ?? NOTHING_SPENT, spending);
    // Adding and subtracting fractions can leave a tiny cost.
    if (held.tokens > 0 || held.cost > Number.EPSILON) this.#reserved.set(key, held);
    else this.#reserved.delete(key);
  }
}

function sum(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}
