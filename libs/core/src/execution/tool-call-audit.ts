import type { Awaitable } from '../model/awaitable.js';
import { serviceKey } from '../model/request-services.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ToolCallOutcome } from '../model/tool-call-outcome.js';

/** The audit of the application. */
export const TOOL_CALL_AUDIT = serviceKey<ToolCallAudit>('ToolCallAudit');

/** The decision about a call. */
export interface AuditedDecision {
  readonly approved: boolean;
  /** The subject that decided. Undefined if `TurnPrincipal` returned none. */
  readonly approver: string | undefined;
  /** The model's arguments, if others were approved. */
  readonly modelArguments: string | undefined;
}

/** The parts of a call that an audit needs. */
export interface AuditedCall {
  /**
   * Identifies this run of the call. If the call runs again, such as after a crash, the id
   * differs.
   */
  readonly runId: string;
  readonly turn: TurnControl;
  readonly callId: string;
  readonly toolName: string;
  /** Whether a tool of this name exists. Otherwise the name is text of the model. */
  readonly isToolKnown: boolean;
  /** The arguments as JSON text, after repair or approval. */
  readonly arguments: string;
  /**
   * The decision. Undefined if the call needed none.
   *
   * @throws what `TurnPrincipal` throws
   */
  readonly decision: AuditedDecision | undefined;
  /**
   * The number of times the code has run so far: several after retries, 0 if it did not run, such
   * as for a cached result.
   */
  readonly tries: number;
  /** The duration of the call so far, including guards and waiting, in milliseconds. */
  readonly durationMs: number;
}

/** The end of a call. */
export interface AuditedEnd {
  readonly outcome: ToolCallOutcome;
  /** The error, if any. */
  readonly error?: unknown;
}

/** Records the tool calls of a `DefaultToolCallingManager`. */
export interface ToolCallAudit {
  /**
   * Called before the code of a call runs. The code waits until this resolves. Called once for
   * each call, and again if it failed and the call is retried.
   *
   * @throws Error if the code must not run; the model gets its message
   */
  began(call: AuditedCall): Awaitable<void>;

  /**
   * Called when a call has ended, even if its code did not run. The model gets the result once
   * this resolves. Must not throw.
   */
  ended(call: AuditedCall, end: AuditedEnd): Awaitable<void>;
}
