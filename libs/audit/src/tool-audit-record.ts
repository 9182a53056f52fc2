import type { ToolCallOutcome } from '@nestor-ai/core';

/**
 * One line of an audit, as plain JSON. A call whose code runs has two records: `tool-call-began`,
 * written before the code ran, and `tool-call-ended`, written after it. If the second one is
 * missing, the process died, and the effect of the code is unknown. A call whose code did not run
 * only has the second one.
 *
 * Results of tools are not recorded.
 */
export interface ToolAuditRecord {
  /** The id of the record. */
  readonly id: string;
  /** The time of the record: ISO 8601 in UTC, with milliseconds. */
  readonly time: string;
  readonly event: 'tool-call-began' | 'tool-call-ended';
  /**
   * The id of the run, the same in both records of a call. If the call runs again, such as after a
   * crash, it differs.
   */
  readonly runId: string;
  /** The id of the turn. A resumed turn keeps its id. */
  readonly turnId: string;
  /** The call id from the model; `_OTHER` if it is not a valid id. */
  readonly callId: string;
  /**
   * The tool name from the model; `_OTHER` if the model made up something that is not a valid
   * name.
   */
  readonly tool: string;
  /**
   * The name of the client. `default` for the one that is injected as `ChatClient`; missing if no
   * `AiModule` created it.
   */
  readonly client?: string;
  /** The subject that started the turn, from `TurnPrincipal`. Missing if unknown. */
  readonly requester?: string;
  /** The decision about the call. Missing if it needed none. */
  readonly approved?: boolean;
  /** The subject that decided. Missing if unknown. */
  readonly approver?: string;
  /** The arguments as JSON text, after repair, approval and redaction by the `ContentRedactor`. */
  readonly arguments?: string;
  /** The model's arguments, if others were approved. */
  readonly modelArguments?: string;
  /** The outcome, in `tool-call-ended`. */
  readonly outcome?: ToolCallOutcome;
  /**
   * In `tool-call-ended`: how many times the code ran. 0 if it did not run or the result came from
   * a cache.
   */
  readonly tries?: number;
  /**
   * In `tool-call-ended`: the duration of the call, including guards and waiting, in milliseconds.
   */
  readonly durationMs?: number;
  /** For a failed call: the class or the code of the error. */
  readonly errorType?: string;
  /** With a hash chain: the id of the record's chain. Each process has its own. */
  readonly chain?: string;
  /** With a hash chain: the hash of the previous record; null for the very first one. */
  readonly previousHash?: string | null;
  /**
   * With a hash chain: the hexadecimal SHA-256 of the record without this field, as JSON with
   * sorted keys and no white space (RFC 8785).
   */
  readonly hash?: string;
}
