import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Budget, type SettleSpending, type Spending, UsageLedger } from '@nestor-ai/advisors';
import { PostgresDatabase } from '../database/postgres-database.js';
import { toStoredId } from '../database/stored-text.js';

/** In milliseconds, about 3,000 years. PostgreSQL has no later time. */
const LONGEST_WINDOW = 1e14;

const COUNTING = 'count what a budget has spent';

/**
 * Stores what budgets have spent in PostgreSQL, so that a budget holds for all replicas together.
 * Windows follow the clock of the database.
 *
 * @example
 * { provide: UsageBudgetAdvisor, inject: [PostgresUsageLedger], useFactory: (ledger) =>
 *   new UsageBudgetAdvisor({ ledger, perConversation: { tokens: 100_000 } }) }
 */
@Injectable()
export class PostgresUsageLedger extends UsageLedger {
  readonly #table: string;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#table = database.table('usage');
  }

  override async spent(key: string): Promise<Spending> {
    const [row] = await this.database.query<Spending>(
      'read what a budget has spent',
      `SELECT tokens, cost FROM ${this.#table} WHERE key = $1 AND (resets_at IS NULL OR resets_at > now())`,
      [keyOf(key)],
    );
    return row ?? { tokens: 0, cost: 0 };
  }

  override async add(key: string, spending: Spending, window: number | undefined): Promise<void> {
    await this.#add(key, spending, {}, window);
  }

  /** One statement checks the budget and reserves, so that replicas cannot both take the last amount. */
  override async reserve(
    key: string,
    expected: Spending,
    limit: Budget,
    window: number | undefined,
  ): Promise<SettleSpending | undefined> {
    if ([limit.tokens, limit.cost].some((most) => most !== undefined && most <= 0)) return undefined;
    const period = await this.#add(key, expected, limit, window);
    if (period === undefined) return undefined;
    return async (spent) => {
      const settled = await this.database.query(
        COUNTING,
        `UPDATE ${this.#table} SET tokens = tokens + $3, cost = cost + $4
         WHERE key = $1 AND period = $2 AND (resets_at IS NULL OR resets_at > now()) RETURNING key`,
        [keyOf(key), period, spent.tokens - expected.tokens, spent.cost - expected.cost],
      );
      // If the window has ended since, the reservation is gone.
      if (settled.length === 0 && (spent.tokens !== 0 || spent.cost !== 0)) await this.add(key, spent, window);
    };
  }

  /** @returns the window that it was added to; undefined if the budget is used up */
  async #add(key: string, added: Spending, limit: Budget, window: number | undefined): Promise<string | undefined> {
    const [row] = await this.database.query<{ period: string }>(
      COUNTING,
      `INSERT INTO ${this.#table} AS known (key, tokens, cost, period, resets_at)
       VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 millisecond')
       ON CONFLICT (key) DO UPDATE SET
         tokens = CASE WHEN known.resets_at <= now() THEN EXCLUDED.tokens ELSE known.tokens + EXCLUDED.tokens END,
         cost = CASE WHEN known.resets_at <= now() THEN EXCLUDED.cost ELSE known.cost + EXCLUDED.cost END,
         period = CASE WHEN known.resets_at <= now() THEN EXCLUDED.period ELSE known.period END,
         resets_at = CASE WHEN known.resets_at <= now() THEN EXCLUDED.resets_at ELSE known.resets_at END
       WHERE known.resets_at <= now()
         OR (($6::double precision IS NULL OR known.tokens < $6) AND ($7::double precision IS NULL OR known.cost < $7))
       RETURNING period`,
      [
        keyOf(key),
        added.tokens,
        added.cost,
        randomUUID(),
        window === undefined || !(window < LONGEST_WINDOW) ? null : Math.ceil(window),
        limit.tokens ?? null,
        limit.cost ?? null,
      ],
    );
    return row?.period;
  }
}

function keyOf(key: string): string {
  return toStoredId(key, 'key of a budget');
}
