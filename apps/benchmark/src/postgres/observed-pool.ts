import type { PostgresClient, PostgresConnection, PostgresPool, PostgresResult } from '@nestor-ai/postgres';
import type { Pool } from 'pg';

/** A pool that counts its statements and knows the last one. */
export class ObservedPool implements PostgresPool {
  statements = 0;
  #last: readonly [text: string, values: readonly unknown[]] = ['', []];

  constructor(private readonly pool: Pool) {}

  async connect(): Promise<PostgresConnection> {
    const client = await this.pool.connect();
    return {
      query: (text, values) => this.#observe(client, text, values),
      release: (error) => client.release(error),
    };
  }

  query(text: string, values?: unknown[]): Promise<PostgresResult> {
    return this.#observe(this.pool, text, values);
  }

  /** The plan of the last statement. It is executed, and rolled back. */
  async explainLast(): Promise<string> {
    const client = await this.pool.connect();
    try {
      const [text, values] = this.#last;
      await client.query('BEGIN');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, [
        ...values,
      ]);
      await client.query('ROLLBACK');
      return rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n');
    } finally {
      client.release();
    }
  }

  async #observe(on: PostgresClient, text: string, values: unknown[] = []): Promise<PostgresResult> {
    this.statements++;
    this.#last = [text, values];
    return on.query(text, values);
  }
}
