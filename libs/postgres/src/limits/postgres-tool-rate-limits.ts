import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ToolRateLimiter, ToolRateLimits } from '@nestor-ai/core';
import { PostgresDatabase } from '../database/postgres-database.js';

type Limit = Parameters<ToolRateLimits['limiterOf']>[1];

interface Count {
  readonly is_over: boolean;
  /** In milliseconds. */
  readonly wait: number;
}

/**
 * Counts the calls of tools in PostgreSQL, so that a `rateLimit` holds for all replicas together. A
 * count is one statement. Intervals follow the clock of the database.
 *
 * While PostgreSQL is away, tools with a rate limit do not run.
 *
 * @publicApi
 */
@Injectable()
export class PostgresToolRateLimits extends ToolRateLimits {
  readonly #sql: string;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#sql = `INSERT INTO ${database.table('tool_rates')} AS known (key, calls, resets_at)
       VALUES ($1, 1, now() + $2::double precision * interval '1 millisecond')
       ON CONFLICT (key) DO UPDATE SET
         calls = CASE WHEN known.resets_at <= now() THEN 1 ELSE known.calls + 1 END,
         resets_at = CASE WHEN known.resets_at <= now() THEN EXCLUDED.resets_at ELSE known.resets_at END
       RETURNING calls > $3::double precision AS is_over,
         (extract(epoch FROM resets_at - now()) * 1000)::double precision AS wait`;
  }

  override limiterOf(toolName: string, { calls, interval }: Limit): ToolRateLimiter {
    const { database } = this;
    return {
      consume: async (key) => {
        // JSON writes lone surrogates in ASCII, so different keys never have the same hash.
        const id = createHash('sha256')
          .update(JSON.stringify([toolName, calls, interval, key]))
          .digest('hex');
        const [count] = await database.query<Count>('count a call of a tool', this.#sql, [id, interval, calls]);
        return count!.is_over ? Math.max(Math.ceil(count!.wait), 1) : undefined;
      },
    };
  }
}
