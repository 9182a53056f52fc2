import { toLine } from './audit-line.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import { ToolAuditSink } from './tool-audit-sink.js';

/** Writes each record as a line of JSON to standard output, for log collectors. */
export class ConsoleToolAuditSink extends ToolAuditSink {
  write(record: ToolAuditRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(`${toLine(record)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}
