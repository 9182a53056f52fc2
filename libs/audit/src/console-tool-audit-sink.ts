import { toLine } from './audit-line.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import { ToolAuditSink } from './tool-audit-sink.js';

/** Writes each record as a line of JSON to standard output, for log collectors. */
export class ConsoleToolAuditSink extends ToolAuditSink {
  write(record: ToolAuditRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(`${toLine(record)}\n`, (error) => {
        if (!error) return resolve();
        if (!process.stdout.listeners('error').includes(ignore)) process.stdout.once('error', ignore);
        reject(error);
      });
    });
  }
}

/** The record fails. The event with the same error, which follows, would end the process. */
function ignore(): void {}
