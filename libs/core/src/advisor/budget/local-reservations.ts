import { SerialQueue } from '../../model/serial-queue.js';
import {
  type Budget,
  exceededUnit,
  NOTHING_SPENT,
  type SettleSpending,
  type Spending,
  UsageLedger,
} from './usage-ledger.js';

/** A ledger that cannot reserve, with what the rounds that are under way in this process may take. */
export class LocalReservations extends UsageLedger {
  readonly #reserved = new Map<string, Spending>();
  /** What is read of the ledger is true until the next one has read it, too. */
  readonly #queue = new SerialQueue();

  constructor(private readonly ledger: UsageLedger) {
    super();
  }

  /** The ledger itself where it can reserve. */
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
    // What is left of costs is what adding and subtracting fractions leaves.
    if (held.tokens > 0 || held.cost > Number.EPSILON) this.#reserved.set(key, held);
    else this.#reserved.delete(key);
  }
}

function sum(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}
