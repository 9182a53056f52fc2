import { Injectable } from '@nestjs/common';
import { type ToolAuditRecord, ToolAuditSink } from '@nestor-ai/audit';
import { PostgresDatabase } from '../database/postgres-database.js';
import { toStored } from '../database/stored-text.js';

/** The number of records that are read at once. */
const PAGE = 1000;

/**
 * Writes the records of tool calls to PostgreSQL. With `ai.audit.hash-chain=true`, each process has a
 * chain of its own, which begins after the record that was the last one at that time. So replicas
 * never wait for each other, and {@link lines} has every record behind the one that it follows.
 *
 * @example
 * AiAuditModule.forRoot({ providers: [{ provide: ToolAuditSink, useExisting: PostgresToolAuditSink }] })
 */
@Injectable()
export class PostgresToolAuditSink extends ToolAuditSink {
  readonly #table: string;

  constructor(private readonly database: PostgresDatabase) {
    super();
    this.#table = database.table('tool_audit');
  }

  override async write(record: ToolAuditRecord): Promise<void> {
    await this.database.query(
      'write a record of the audit',
      `INSERT INTO ${this.#table} (time, turn_id, tool, record) VALUES ($1, $2, $3, $4)`,
      [record.time, toStored(record.turnId), toStored(record.tool), JSON.stringify(record)],
    );
  }

  override async lastHash(): Promise<string | undefined> {
    // PostgreSQL cannot take a value out of a record with a NUL character in another one.
    const [row] = await this.database.query<{ record: string }>(
      'read the last record of the audit',
      `SELECT record::text FROM ${this.#table} ORDER BY number DESC LIMIT 1`,
    );
    return row && (JSON.parse(row.record) as ToolAuditRecord).hash;
  }

  /** The records as lines of JSON, oldest first: `await verifyToolAudit(sink.lines())`. */
  async *lines(): AsyncGenerator<string> {
    let last = '0';
    for (;;) {
      const rows = await this.database.query<{ number: string; record: string }>(
        'read the audit',
        `SELECT number::text, record::text FROM ${this.#table} WHERE number > $1::bigint ORDER BY ${this.#table}.number LIMIT $2`,
        [last, PAGE],
      );
      for (const { record } of rows) yield record;
      if (rows.length < PAGE) return;
      last = rows.at(-1)!.number;
    }
  }
}
