import type { OnApplicationShutdown } from '@nestjs/common';
import type { ContentRedactor, ToolCallEnd, ToolCallRun, TurnObserver } from '@nestor-ai/core';
import { inTime, MAX_TIMEOUT, settledWithin, ToolUnavailableException } from '@nestor-ai/core/internal';
import { AuditChain } from './audit-chain.js';
import { AuditFailures } from './audit-failures.js';
import { CallRecords } from './call-records.js';
import type { ToolAuditRecord } from './tool-audit-record.js';
import type { ToolAuditSink } from './tool-audit-sink.js';

/** The default time limit of the sink for a record, in milliseconds. */
export const DEFAULT_AUDIT_TIMEOUT = 5000;

/** The most records that may wait for a sink that does not answer. Further ones fail at once. */
const MAX_WAITING = 10_000;

/** The options of a {@link ToolAudit}. */
export interface ToolAuditOptions {
  /** The destination of the records. */
  readonly sink: ToolAuditSink;
  /**
   * Whether the code of a tool only runs after its start was recorded. Default: false, the tool
   * runs even if recording fails.
   */
  readonly required?: boolean;
  /**
   * Whether each record contains the hash of the previous one: see `verifyToolAudit()`. Default:
   * false.
   */
  readonly hashChain?: boolean;
  /** The time limit of the sink for a record, in milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** Removes confidential content from arguments. Default: none. */
  readonly redactor?: ContentRedactor | undefined;
}

/**
 * Records the tool calls of a `DefaultToolCallingManager`: `new DefaultToolCallingManager({ observers:
 * [new ToolAudit({ sink })] })`. In an application, set `ai.audit.sink` instead.
 */
export class ToolAudit implements TurnObserver, OnApplicationShutdown {
  readonly #records: CallRecords;
  readonly #failures: AuditFailures;
  readonly #chain: AuditChain | undefined;
  readonly #isRequired: boolean;
  readonly #timeout: number;
  /** The calls whose code is running. */
  readonly #open = new Set<ToolCallRun>();
  /** The calls that were still running at shutdown. Their end is already recorded. */
  readonly #abandoned = new Set<ToolCallRun>();
  /** The writes that the sink has not finished. */
  readonly #waiting = new Set<Promise<void>>();

  /** @throws RangeError if the timeout is not allowed */
  constructor(private readonly options: ToolAuditOptions) {
    const { sink, required = false, hashChain = false, timeout = DEFAULT_AUDIT_TIMEOUT, redactor } = options;
    // Without a limit, a sink that hangs would block turns forever.
    if (!(timeout > 0 && timeout <= MAX_TIMEOUT)) {
      throw new RangeError(
        `timeout of a ToolAudit must be a number of milliseconds between 1 and ${MAX_TIMEOUT}, but is ${timeout}.`,
      );
    }
    this.#isRequired = required;
    this.#timeout = timeout;
    this.#failures = new AuditFailures(required);
    this.#records = new CallRecords(redactor, this.#failures);
    this.#chain = hashChain ? new AuditChain(sink, timeout) : undefined;
  }

  /** @throws ToolUnavailableException if the start must be recorded but could not be */
  async toolBegins(run: ToolCallRun): Promise<void> {
    this.#open.add(run);
    try {
      await this.#write(this.#records.began(run, this.#isRequired));
    } catch (error) {
      if (!this.#isRequired) return;
      // The model must not learn about the audit.
      throw new ToolUnavailableException(
        error,
        `The tool '${run.toolCall.name}' cannot be called now. The call was not run.`,
      );
    }
  }

  /**
   * Records the end of a call. If this fails, the model still gets the result, so that it does not
   * repeat a call that succeeded, such as a payment. The start of the call was recorded, and with
   * `required` no other tool runs while the sink fails.
   */
  async toolEnded(run: ToolCallRun, end: ToolCallEnd): Promise<void> {
    this.#open.delete(run);
    if (this.#abandoned.delete(run)) return;
    const record = this.#records.ended(run, end);
    try {
      await this.#write(record);
    } catch {
      // The failure was logged.
    }
  }

  /**
   * Turns have ended by now, but tools that ignore their signal may still run, and records may
   * still be unwritten.
   */
  async onApplicationShutdown(): Promise<void> {
    for (const run of this.#open) {
      void this.toolEnded(run, { outcome: 'aborted' });
      this.#abandoned.add(run);
    }
    await settledWithin([...this.#waiting], this.#timeout);
  }

  async #write(record: ToolAuditRecord): Promise<void> {
    try {
      if (this.#waiting.size >= MAX_WAITING) throw new LateSinkException();
      const writing = this.#chain ? this.#chain.write(record) : this.#hand(record);
      this.#waiting.add(writing);
      const forget = (): void => void this.#waiting.delete(writing);
      writing.then(forget, forget);
      await inTime(writing, this.#timeout, () => new LateSinkException());
    } catch (error) {
      this.#failures.recordIsMissing(this.options.sink, error);
      throw error;
    }
  }

  async #hand(record: ToolAuditRecord): Promise<void> {
    await this.options.sink.write(record);
  }
}

/** A sink exceeded its time limit. */
class LateSinkException extends Error {
  override readonly name = 'LateSinkException';
}
