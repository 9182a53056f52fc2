import { Logger } from '@nestjs/common';
import { errorTypeOf } from '@nestor-ai/core';

/** How long a repeated failure is not logged again, in milliseconds. */
const SILENCE = 60_000;

/**
 * Logs failures of the audit by their error class. Not for each call, because an outage would fill
 * the log.
 */
export class AuditFailures {
  readonly #logger = new Logger('ToolAudit');
  readonly #toldAt = new Map<string, number>();
  #missing = 0;

  /** @param isRequired whether calls that cannot be recorded are refused */
  constructor(private readonly isRequired: boolean) {}

  /** Reports a record that was probably not written. */
  recordIsMissing(sink: object, error: unknown): void {
    this.#missing++;
    const { name } = sink.constructor;
    const consequence = this.isRequired
      ? 'Tools do not run while it fails (ai.audit.required)'
      : 'Tools still run (ai.audit.required=false)';
    this.#tell(
      name,
      `${name} failed with ${errorTypeOf(error)}. ${consequence}. Missing records of tool calls so far: ${this.#missing}.`,
    );
  }

  /** Reports a record without all of its data. */
  recordIsIncomplete(culprit: string, error: unknown): void {
    this.#tell(culprit, `${culprit} failed with ${errorTypeOf(error)}: records of tool calls lack its data.`);
  }

  #tell(culprit: string, text: string): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(culprit) ?? Number.NEGATIVE_INFINITY) < SILENCE) return;
    this.#toldAt.set(culprit, now);
    this.#logger.error(text);
  }
}
