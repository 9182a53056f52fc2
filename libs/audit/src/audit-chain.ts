import { randomUUID } from 'node:crypto';
import { settledWithin } from '@nestor-ai/core/internal';
import { hashOf } from './audit-hash.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import type { ToolAuditSink } from './tool-audit-sink.js';

/** The end of a chain, which the next record links to. */
interface ChainEnd {
  readonly chain: string;
  readonly hash: string | null;
}

/** Writes records one after the other. Each contains the hash of the previous one. */
export class AuditChain {
  /** Undefined if it is unknown what the sink wrote last. */
  #end: ChainEnd | undefined;
  #last: Promise<void> = Promise.resolve();
  #begun = 0;

  /**
   * @param timeout the longest time that a record waits for the previous one, in milliseconds; the
   *   sink may never finish it
   */
  constructor(
    private readonly sink: ToolAuditSink,
    private readonly timeout: number,
  ) {}

  /** @throws what the sink throws */
  write(record: ToolAuditRecord): Promise<void> {
    const writing = this.#last.then(() => this.#writeNext(record));
    this.#last = this.#last.then(() => settledWithin([writing], this.timeout));
    return writing;
  }

  async #writeNext(record: ToolAuditRecord): Promise<void> {
    const number = ++this.#begun;
    // A record that fails or is late may still have been written.
    const end = this.#end;
    this.#end = undefined;
    const { chain, hash: previousHash } = end ?? (await this.#begin());
    const linked = { ...record, chain, previousHash };
    const hash = hashOf(linked);
    await this.sink.write({ ...linked, hash });
    // A late record must not be the end of the chain: another one has replaced it.
    if (number === this.#begun) this.#end = { chain, hash };
  }

  /**
   * Starts a new chain after the last record in the sink. Each process has its own chain, because
   * others may continue after the same record.
   */
  async #begin(): Promise<ChainEnd> {
    return { chain: randomUUID(), hash: (await this.sink.lastHash?.()) ?? null };
  }
}
