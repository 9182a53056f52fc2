import { type Awaitable, SERVED_BY } from '@nestor-ai/core/internal';
import type { ToolAuditRecord } from './tool-audit-record.js';

/**
 * Writes the records of tool calls. To use your own: `AiAuditModule.forRoot({ providers: [{ provide:
 * ToolAuditSink, useClass }] })`.
 *
 * @example
 * class AuditTable extends ToolAuditSink {
 *   async write(record: ToolAuditRecord) { await this.database.insert('audit', record); }
 * }
 */
export abstract class ToolAuditSink {
  /** @internal */
  static readonly [SERVED_BY] = 'audit';

  /**
   * Writes a record. The call or its answer waits for it. May be called again before an earlier
   * record is written. With a hash chain, this only happens if the earlier one exceeds the timeout
   * of the audit.
   *
   * @throws any error if the record could not be written
   */
  abstract write(record: ToolAuditRecord): Awaitable<void>;

  /**
   * The hash of the last record, which a hash chain continues from. Without this method, each
   * process starts a new chain.
   */
  lastHash?(): Awaitable<string | undefined>;
}
