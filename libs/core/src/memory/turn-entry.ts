import type { CallApproval } from '../model/call-approval.js';
import type { DeliveredResult } from '../model/deferred-call.js';
import type { ToolCall, ToolResponse } from '../model/messages.js';
import type { PendingInput, PendingInputs } from '../model/pending-input.js';
import type { Usage } from '../model/usage.js';
import type { MessageJson } from './message-json.js';
import type { StoredDecisions } from './suspended-turn.repository.js';

/** New messages of a turn. They replace those from an index on, usually the end. */
interface MessageChange {
  readonly from: number;
  readonly messages: readonly MessageJson[];
}

/** The turn waits for a worker. */
export interface TurnQueuedEntry {
  readonly kind: 'queued';
  /** The request, as the queue has stored it. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** The model is about to be asked for the first time. */
export interface TurnBegunEntry {
  readonly kind: 'begun';
  readonly messages: readonly MessageJson[];
  /** The options of the request, as far as they are JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The advisor context of the request, as far as it is JSON. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** A request continues the turn. What the one before writes later is refused. */
export interface TurnClaimedEntry {
  readonly kind: 'claimed';
}

/** The model answered. The last of the messages is its answer. */
export interface ModelAnsweredEntry extends MessageChange {
  readonly kind: 'answered';
  readonly response: { readonly metadata: Readonly<Record<string, unknown>>; readonly finishReason?: string };
  readonly round: number;
  readonly usageByRound: readonly Usage[];
  /** The options of the request, if they have changed since the entries before. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Whether it is the answer of the turn, so that none of its calls run. */
  readonly isFinal?: true;
}

/** The code of a call is about to run. */
export interface CallBeganEntry {
  readonly kind: 'call-began';
  /** With the arguments that the code receives. */
  readonly call: ToolCall;
  readonly approval?: CallApproval;
  readonly input?: PendingInput;
}

/** A call was given up before its code ran. */
export interface CallWithdrawnEntry {
  readonly kind: 'call-withdrawn';
  readonly callId: string;
}

/** A call has an answer, whether or not its code ran. */
export interface CallEndedEntry {
  readonly kind: 'call-ended';
  readonly response: ToolResponse;
}

/** Calls wait for approval, input or a result. The last message is the one that asks for them. */
export interface TurnSuspendedEntry extends MessageChange {
  readonly kind: 'suspended';
  readonly pending: readonly ToolCall[];
  readonly inputs?: PendingInputs;
  readonly context: Readonly<Record<string, unknown>>;
  /** If they have changed. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Calls were decided, and the turn can continue. */
export interface TurnApprovedEntry extends StoredDecisions {
  readonly kind: 'approved';
}

/** The result of a deferred call has come. */
export interface ResultDeliveredEntry {
  readonly kind: 'delivered';
  readonly callId: string;
  readonly delivered: DeliveredResult;
}

/** The request failed, or its process died. A worker may try the turn again; else another request can continue it. */
export interface TurnFailedEntry {
  readonly kind: 'failed';
  /** The name of the error, without its text. */
  readonly errorType: string;
}

/** The turn is over. */
export interface TurnEndedEntry {
  readonly kind: 'ended';
}

/** What happened in a turn, as plain JSON. */
export type TurnEntry = (
  | TurnQueuedEntry
  | TurnBegunEntry
  | TurnClaimedEntry
  | ModelAnsweredEntry
  | CallBeganEntry
  | CallWithdrawnEntry
  | CallEndedEntry
  | TurnSuspendedEntry
  | TurnApprovedEntry
  | ResultDeliveredEntry
  | TurnFailedEntry
  | TurnEndedEntry
) & {
  /** The number of calls per tool, if it has changed since the entry before. */
  readonly toolCallCounts?: Readonly<Record<string, number>>;
};
