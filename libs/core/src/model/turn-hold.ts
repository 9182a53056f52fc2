import type { AssistantMessage, Message, ToolCall, ToolResponse } from './messages.js';

/**
 * A stored turn, held by the request that runs it. It records what the turn does, under one fence:
 * as soon as another request has the turn, nothing more is stored. A turn that humans have decided
 * about has one, so that approvals and results survive a crash of the process. With a
 * `TurnJournal`, each turn has.
 */
export interface TurnHold {
  /** A number that is greater for each request that holds the turn. */
  readonly fence: number;

  /**
   * A new message asks for calls, and they are about to be answered.
   *
   * @param before the conversation before the message
   */
  callsAsked(before: readonly Message[], asked: AssistantMessage): void;

  /**
   * The code of a call is about to run. It must not run before this promise has resolved.
   *
   * @param call with the arguments that the code receives
   * @throws Error when the start cannot be stored; the turn is aborted then
   */
  callBegins(call: ToolCall): Promise<void>;

  /** The call was given up after {@link callBegins}, and its code will not run. */
  callWithdrawn(callId: string): void;

  /** The call has been answered, whether or not it began. */
  callEnded(response: ToolResponse): void;

  /** The code of the call failed, and its side effects are unknown. */
  callInterrupted(call: ToolCall): void;

  /**
   * Stores the answer of the turn, before it is added to a memory. After a crash in between, the
   * model is not asked again.
   *
   * @throws ToolApprovalException if another request has the turn, whose answer counts
   */
  keepAnswer(): Promise<void>;

  /** The whole request succeeded, including the advisors around the turn: stores the end of the turn. */
  complete(): Promise<void>;

  /**
   * The request failed: the turn stays stored, together with the results of its tools.
   *
   * @param error why the request failed
   */
  release(error?: unknown): Promise<void>;
}

/**
 * The stored turns that a request holds until the whole request has ended. Code around the tool
 * loop, such as memory, can still fail after a turn has its answer.
 */
export class TurnHolds {
  readonly #holds = new Map<string, TurnHold>();
  #resumed: string | undefined;
  #first: string | undefined;
  /** Called with the fence of the first turn of the request, each time that it holds the turn. */
  onHold: ((fence: number) => void) | undefined;

  /** The id of the turn that the request resumed. Undefined if it resumed none. */
  get resumed(): string | undefined {
    return this.#resumed;
  }

  /** Replaces the turn of the same id, which the request is starting again. */
  add(turnId: string, hold: TurnHold, isResumed: boolean): void {
    this.#holds.set(turnId, hold);
    if (isResumed) this.#resumed = turnId;
    this.tell(turnId, hold.fence);
  }

  /** Other turns of the request have revisions, and so fences, of their own. */
  tell(turnId: string, fence: number): void {
    if (turnId === (this.#first ??= turnId)) this.onHold?.(fence);
  }

  async complete(): Promise<void> {
    for (const hold of this.#take()) await hold.complete();
  }

  async release(error?: unknown): Promise<void> {
    for (const hold of this.#take()) await hold.release(error);
  }

  #take(): readonly TurnHold[] {
    const holds = [...this.#holds.values()];
    this.#holds.clear();
    return holds;
  }
}
