import { closeSync, fstatSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { appendLines, AUDIT_FILE_MODE, lastOf } from './audit-file.js';
import { readRecord, toLine } from './audit-line.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import { ToolAuditSink } from './tool-audit-sink.js';

/** The options of a {@link FileToolAuditSink}. */
export interface FileToolAuditSinkOptions {
  /**
   * The path of the file. Its directory must exist. The file is created so that only the process's
   * user can access it (mode 0600).
   */
  readonly file: string;
}

/**
 * Appends each record as a line of JSON to a file, in the order of the calls, and waits until it
 * is on disk. Concurrent records are written together. You can rename the file at any time: the
 * next record starts a new one.
 */
export class FileToolAuditSink extends ToolAuditSink {
  /** The absolute path of the file. */
  readonly file: string;
  #lines = '';
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor({ file }: FileToolAuditSinkOptions) {
    super();
    this.file = resolve(file);
  }

  /**
   * Checks that the file is writable, and creates it if it is missing.
   *
   * @throws Error that names the file and the remedy
   */
  check(): void {
    const { file } = this;
    let descriptor: number;
    try {
      descriptor = openSync(file, 'a+', AUDIT_FILE_MODE);
    } catch (error) {
      throw new Error(`The audit file ${file} cannot be opened: ${remedyFor(error, file)}`, { cause: error });
    }
    const isFile = fstatSync(descriptor).isFile();
    closeSync(descriptor);
    if (!isFile) throw new Error(`Set ai.audit.file to a regular file: ${file} is not one.`);
  }

  write(record: ToolAuditRecord): Promise<void> {
    this.#lines += `${toLine(record)}\n`;
    return (this.#next ??= this.#appendNext());
  }

  override async lastHash(): Promise<string | undefined> {
    const record = await lastOf(this.file, readRecord);
    return typeof record?.hash === 'string' ? record.hash : undefined;
  }

  async #appendNext(): Promise<void> {
    await this.#last;
    const lines = this.#lines;
    this.#lines = '';
    this.#next = undefined;
    const appending = appendLines(this.file, lines);
    this.#last = appending.catch(() => undefined);
    await appending;
  }
}

function remedyFor(error: unknown, file: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `there is no directory ${dirname(file)}. Create it, or change ai.audit.file.`;
  if (code === 'EISDIR') return 'it is a directory. Set ai.audit.file to a file.';
  return `${code}. Allow the user of the process to read and write it, or change ai.audit.file.`;
}
