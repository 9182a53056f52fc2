import { Injectable } from '@nestjs/common';
import { ToolSearchSessionRepository } from '@nestor-ai/tool-search';
import { PostgresDatabase } from '../database/postgres-database.js';
import { fromStored, toStored, toStoredId } from '../database/stored-text.js';

/**
 * Stores in PostgreSQL which tools the sessions of the tool search have found.
 *
 * @example
 * providers: [{ provide: ToolSearchSessionRepository, useClass: PostgresToolSearchSessionRepository }]
 */
@Injectable()
export class PostgresToolSearchSessionRepository extends ToolSearchSessionRepository {
  readonly #table: string;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#table = database.table('tool_search_sessions');
  }

  override async find(sessionId: string): Promise<readonly string[]> {
    const [row] = await this.database.query<{ tool_names: readonly string[] }>(
      'read a session of the tool search',
      `SELECT tool_names FROM ${this.#table} WHERE id = $1`,
      [idOf(sessionId)],
    );
    return (row?.tool_names ?? []).map(fromStored);
  }

  override async save(sessionId: string, toolNames: readonly string[]): Promise<void> {
    await this.database.query(
      'store a session of the tool search',
      `INSERT INTO ${this.#table} (id, tool_names) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET tool_names = EXCLUDED.tool_names, used_at = now()`,
      [idOf(sessionId), toolNames.map(toStored)],
    );
  }

  override async delete(sessionId: string): Promise<void> {
    await this.database.query('delete a session of the tool search', `DELETE FROM ${this.#table} WHERE id = $1`, [
      idOf(sessionId),
    ]);
  }
}

function idOf(sessionId: string): string {
  return toStoredId(sessionId, 'session id');
}
