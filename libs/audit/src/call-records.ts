import { randomUUID } from 'node:crypto';
import { type ContentRedactor, errorTypeOf, type ToolCallEnd, type ToolCallRun } from '@nestor-ai/core';
import { idOrOther, nameOrOther, redact } from '@nestor-ai/core/internal';
import type { AuditFailures } from './audit-failures.js';
import type { ToolAuditRecord } from './tool-audit-record.js';

/** Creates the records of calls: who, what and when, with redacted contents. */
export class CallRecords {
  constructor(
    private readonly redactor: ContentRedactor | undefined,
    private readonly failures: AuditFailures,
  ) {}

  /**
   * @param isStrict whether the record must be complete
   * @throws the error of the redactor or `TurnPrincipal`, if the record must be complete
   */
  began(run: ToolCallRun, isStrict: boolean): ToolAuditRecord {
    return this.#describe(run, 'tool-call-began', isStrict);
  }

  /** The record of a call that has ended. Data that cannot be read is left out. */
  ended(run: ToolCallRun, { outcome, error }: ToolCallEnd): ToolAuditRecord {
    const errorType = error === undefined ? undefined : errorTypeOf(error);
    return withoutUndefined({
      ...this.#describe(run, 'tool-call-ended', false),
      outcome,
      tries: run.tries,
      durationMs: Math.round(run.duration),
      errorType,
    });
  }

  #describe(run: ToolCallRun, event: ToolAuditRecord['event'], isStrict: boolean): ToolAuditRecord {
    const { turn, toolCall } = run;
    const { name: toolName } = toolCall;
    const read = <T>(culprit: string, reading: () => T): T | undefined => {
      try {
        return reading();
      } catch (error) {
        this.failures.recordIsIncomplete(culprit, error);
        if (isStrict) throw error;
        return undefined;
      }
    };
    const redacted = (text: string | undefined): string | undefined =>
      text === undefined ? undefined : read(this.#redactorName, () => this.#redact(text, toolName));
    const decision = read(PRINCIPAL, () => run.decision);
    return withoutUndefined({
      id: randomUUID(),
      time: new Date().toISOString(),
      event,
      runId: run.id,
      turnId: turn.id,
      callId: idOrOther(toolCall.id),
      tool: run.toolDefinition ? toolName : nameOrOther(redacted(toolName)),
      client: run.clientName,
      requester: read(PRINCIPAL, () => turn.requester),
      approved: decision?.approved,
      approver: decision?.approver,
      arguments: redacted(run.arguments),
      modelArguments: redacted(decision?.modelArguments),
    });
  }

  get #redactorName(): string {
    return this.redactor?.constructor.name ?? '';
  }

  #redact(text: string, toolName: string): string {
    return this.redactor ? redact(this.redactor, text, { sink: 'audit', kind: 'arguments', toolName }) : text;
  }
}

const PRINCIPAL = 'TurnPrincipal';

/**
 * Removes undefined values: JSON has none, and the hash of a record must equal the hash of its
 * JSON.
 */
function withoutUndefined(record: { readonly [Key in keyof ToolAuditRecord]: ToolAuditRecord[Key] | undefined }) {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as unknown as ToolAuditRecord;
}
