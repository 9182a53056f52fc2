import type { Awaitable } from '../model/awaitable.js';
import type { CallApproval } from '../model/call-approval.js';
import type { ToolCall } from '../model/messages.js';
import type { PendingInputs } from '../model/pending-input.js';
import type { Usage } from '../model/usage.js';
import type { ToolApproval } from '../model/tool-approval.js';
import type { MessageJson } from './message-json.js';
import type { TurnEntry } from './turn-entry.js';
import { checkEntriesAreKnown } from './unknown-entries.js';

/** Decisions that wait to be carried out. */
export interface StoredDecisions {
  readonly decisions: readonly ToolApproval[];
  /** The subject that decided. */
  readonly approver?: string;
}

/**
 * A turn that waits for human decisions about tool calls. It is plain JSON, so you can store it
 * anywhere, and another process can resume it. It does not contain data of the resuming request,
 * such as tools and the tool context.
 */
export interface SuspendedTurn {
  /** The `turnId` of the response that asks for approval. */
  readonly id: string;
  /** The status that is stored, if the repository knows it. */
  readonly status?: TurnStatus;
  /**
   * Grows each time the turn is saved, so that a decision about one state is never applied to
   * another.
   */
  readonly revision: number;
  /** The subject that asked, from `TurnPrincipal`. Undefined if unknown. */
  readonly requester?: string;
  /**
   * The client of `AiModule` that owns the turn. `default` for the one that is injected as
   * `ChatClient`.
   */
  readonly client?: string;
  /** ISO 8601. */
  readonly suspendedAt: string;
  /**
   * The conversation up to the message that asks for tools, and the responses of calls that have
   * run.
   */
  readonly messages: readonly MessageJson[];
  /**
   * Only set for a turn that was interrupted without open calls. `asking`: the model has not
   * answered the last message. `answered`: the last message is the answer of the turn.
   */
  readonly phase?: 'asking' | 'answered';
  /** The message that asks for tools: its metadata and finish reason. */
  readonly response: { readonly metadata: Readonly<Record<string, unknown>>; readonly finishReason?: string };
  /** The calls that wait for a decision. */
  readonly pending: readonly ToolCall[];
  /** The ids of pending calls whose code started, but whose end is unknown: they may have run. */
  readonly begun?: readonly string[];
  /** The decisions about these calls. */
  readonly approvals?: Readonly<Record<string, CallApproval>>;
  /**
   * What pending calls have asked their user for, by call id, with the state of their tools. Do not
   * show it to users: `pending` has what they may see.
   */
  readonly inputs?: PendingInputs;
  /** Decisions that were stored before the request that resumes the turn. */
  readonly decisions?: readonly StoredDecisions[];
  /**
   * The kind of an entry of the turn's journal that this version of Nestor does not know. Only a
   * process with a newer version can continue the turn.
   */
  readonly unknownEntry?: string;
  /**
   * The request that is resuming the turn, and until when, in ISO 8601. It is extended while the
   * request runs. If the time has passed, the process has died.
   */
  readonly claim?: { readonly owner: string; readonly until: string };
  /** The options of the request, as far as they are JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The advisor context of the request, as far as it is JSON. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The number of rounds. */
  readonly round: number;
  readonly usageByRound: readonly Usage[];
  /** The number of calls per tool. */
  readonly toolCallCounts: Readonly<Record<string, number>>;
}

/** The data of a turn. The claim, the revision and the status belong to its storage. */
export type TurnData = Omit<SuspendedTurn, 'claim' | 'revision' | 'status'>;

/** How a turn is to be stored. */
export interface TurnChange {
  /** The revision that must be stored. 0: there must be no turn with this id. */
  readonly revision: number;
  /** `ended`: the turn is over, and must not be found any more. */
  readonly status: TurnStatus;
  /** Identifies the request that works on the turn. */
  readonly owner: string;
  /** How long the request holds the turn from now, in milliseconds. Undefined: it gives it up. */
  readonly lease: number | undefined;
  /** What has happened in the turn since it was stored, for a journal. */
  readonly entries: readonly TurnEntry[];
}

/**
 * Stores turns that wait for human decisions. Extend it for a database. It is also the injection
 * token.
 */
export abstract class SuspendedTurnRepository {
  /** Whether it stores each turn from its start, and not only those that wait. */
  readonly recordsAll: boolean = false;

  /**
   * Stores a turn with a new revision and, if there is a lease, the claim of the owner. Removes it if
   * the status is `ended`. It must be atomic, and only do so if the revision is the stored one, and
   * no other owner has a valid claim. Otherwise a process that was paused writes over the work of
   * another, and a tool could run twice.
   *
   * @returns the new revision; undefined if nothing was stored
   */
  abstract save(turn: TurnData, change: TurnChange): Awaitable<number | undefined>;

  /** The turn with this id. Undefined if it does not exist (any more). */
  abstract findById(turnId: string): Awaitable<SuspendedTurn | undefined>;

  /**
   * The turns in which a call with this id is pending. More than one if a provider's ids are not
   * unique.
   */
  abstract findByToolCallId(toolCallId: string): Awaitable<readonly SuspendedTurn[]>;

  /**
   * Finds turns in which calls wait for a human, those that were saved last first. Turns that a request
   * is resuming, or whose results come later, may be among them.
   *
   * @param query the subject that asked, if only its turns count, and the most turns to return
   */
  abstract findWaiting(query: {
    readonly requester?: string;
    readonly limit: number;
  }): Awaitable<readonly Pick<SuspendedTurn, 'id'>[]>;

  /**
   * Extends the claim of a turn, which {@link save} has begun, or takes it. It must be atomic: of
   * several concurrent calls only one may return true, only if its revision is the stored one, and
   * not while the claim of another owner is still valid. The revision does not change.
   *
   * @param lease how long the owner holds the turn from now, in milliseconds
   * @returns whether the owner now holds the turn
   */
  abstract claim(turnId: string, revision: number, owner: string, lease: number): Awaitable<boolean>;

  /**
   * Runs code in a transaction of the database that has the turns, once per key: the first
   * result is stored in the same transaction and returned again later. Optional; it makes
   * `ToolContext.transaction()` possible.
   *
   * @param work receives the connection with the transaction; its result must be JSON
   */
  transaction?<T>(turnId: string, key: string, work: (connection: unknown) => Promise<T>): Promise<T>;
}

/**
 * Ends a stored turn for good, even if a request is resuming it.
 *
 * @throws ToolApprovalException if the turn has entries that this version does not know
 * @returns whether the turn was there, and has not changed since it was read
 */
export async function endTurn(repository: SuspendedTurnRepository, turn: SuspendedTurn): Promise<boolean> {
  checkEntriesAreKnown(turn);
  const { revision, claim, status: _status, ...data } = turn;
  const owner = claim?.owner ?? crypto.randomUUID();
  const change = { revision, entries: [{ kind: 'ended' }], status: 'ended', owner, lease: undefined } as const;
  return (await repository.save(data, change)) !== undefined;
}

/** Whether another request is resuming the turn. */
export function isClaimedByAnother({ claim }: SuspendedTurn, owner?: string): boolean {
  return !!claim && claim.owner !== owner && Date.parse(claim.until) > Date.now();
}

/**
 * The state of a turn as it is stored. `queued`: it waits for a worker. `running`: a process works on
 * it, or did until it died. `suspended`: calls wait for a decision or a result. `failed`: its
 * request failed, and another one can continue it. `ended`: it is over.
 *
 * `TurnState` derives it from the entries of the turn. What else describes a turn is read from its
 * data: `phase` says that no calls are open, and each call says what it waits for.
 */
export type TurnStatus = 'queued' | 'running' | 'suspended' | 'failed' | 'ended';
