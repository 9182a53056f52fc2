import { type MessageJson, toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { CallApproval } from '../model/call-approval.js';
import type { CallJournal } from '../model/call-journal.js';
import type { HeldTurn } from '../model/held-turn.js';
import {
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
} from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import type { PendingInput } from '../model/pending-input.js';
import { pendingInputOf } from '../execution/pending-inputs.js';
import { withToolCalls } from '../execution/repair-calls.js';
import { ClaimedTurn, type TurnRecord } from './claimed-turn.js';
import { askedOf, countsOf, responsesOf, type TurnProgress } from './suspension.js';

const INTERRUPTED = 'It is not known whether this call has run, since it was interrupted. Find out before you repeat';

/**
 * Records what a resumed turn does, and stores it at once: which calls have started and their
 * results. The stored record is always enough to resume the turn after a crash.
 */
export class TurnJournal implements CallJournal, HeldTurn {
  readonly #claimed: ClaimedTurn;
  /** The messages before the one with the running calls. */
  #before: readonly MessageJson[];
  #asked: AssistantMessage;
  readonly #responses = new Map<string, ToolResponse>();
  /** The calls that have started and not ended. */
  readonly #open = new Map<string, ToolCall>();
  #progress: TurnProgress;
  #isOver = false;

  /**
   * @param held the turn as it was stored
   * @param lease how long a claim is valid if it is not extended, in milliseconds
   */
  constructor(
    private readonly held: SuspendedTurn,
    private readonly turn: TurnControl,
    repository: SuspendedTurnRepository,
    lease: number,
  ) {
    const describe = (): TurnRecord => this.#record();
    this.#claimed = new ClaimedTurn(held, repository, lease, describe, (error) => turn.abort(error));
    this.#before = held.messages.slice(0, -2);
    this.#asked = askedOf(held);
    for (const response of responsesOf(held)) this.#responses.set(response.id, response);
    // They stay uncertain until a decision about them is stored.
    for (const call of held.pending) if (held.begun?.includes(call.id)) this.#open.set(call.id, call);
    const { response, round, usageByRound } = held;
    this.#progress = { response, round, usageByRound };
  }

  /** @throws ToolApprovalException if another request has resumed the turn */
  claim(): Promise<void> {
    return this.#claimed.claim();
  }

  opened(before: readonly Message[], asked: AssistantMessage): void {
    this.#before = before.map(toMessageJson);
    this.#asked = asked;
    this.#responses.clear();
    this.#open.clear();
  }

  async began(call: ToolCall): Promise<void> {
    this.#open.set(call.id, call);
    try {
      await this.#claimed.writeBeginning();
    } catch (error) {
      // A call that could not be recorded must not run.
      this.#forget(call.id);
      this.turn.abort(error);
      throw error;
    }
  }

  async withdrawn(callId: string): Promise<void> {
    this.#forget(callId);
    await this.#note();
  }

  async ended(response: ToolResponse): Promise<void> {
    const { id, responseData, isError } = response;
    const known = this.#responses.get(id);
    this.#asked = this.#askedAsRun();
    this.#responses.set(id, response);
    this.#open.delete(id);
    if (known?.responseData !== responseData || known.isError !== isError) await this.#note();
  }

  async interrupted({ id, name }: ToolCall): Promise<void> {
    if (!this.#open.has(id)) return;
    await this.ended({ id, name, responseData: `${INTERRUPTED} '${name}'.`, isError: true });
  }

  /** Sets the progress of the turn, before the calls of a message run. */
  reached(progress: TurnProgress): void {
    this.#progress = progress;
  }

  /**
   * Records that the calls of a message were answered, by any manager: the conversation ends with
   * their responses.
   */
  async answered(messages: readonly Message[]): Promise<void> {
    const [asked, answer] = messages.slice(-2);
    if (asked?.role !== 'assistant' || answer?.role !== 'tool') return;
    const isNew = answer.responses.some(({ id }) => !this.#responses.has(id));
    this.#before = messages.slice(0, -2).map(toMessageJson);
    this.#asked = asked;
    this.#open.clear();
    for (const response of answer.responses) this.#responses.set(response.id, response);
    if (isNew) await this.#note();
  }

  /** Whether a call is unanswered or may have run. */
  get hasUndecided(): boolean {
    return this.#pending().length > 0;
  }

  /** Whether any call may have run. */
  get isUncertain(): boolean {
    return this.#open.size > 0;
  }

  /** Stores the suspended turn in place of the record so far. */
  handOver(record: SuspendedTurn): Promise<void> {
    return this.#claimed.handOver(record);
  }

  /** Marks the turn as ended. */
  over(): void {
    this.#isOver = true;
  }

  complete(): Promise<void> {
    // An advisor around the loop may answer before the turn has ended.
    return this.#isOver ? this.#claimed.remove() : this.#claimed.release();
  }

  release(): Promise<void> {
    return this.#claimed.release();
  }

  /** Saves the record. If the caller aborts, it does not wait for the repository. */
  async #note(): Promise<void> {
    const { turn } = this;
    const noting = this.#claimed.note();
    await (turn.isAborted ? noting : turn.untilAborted(noting));
  }

  #record(): TurnRecord {
    const { claim: _claim, begun: _begun, approvals: _approvals, inputs: _inputs, ...held } = this.held;
    const asked = this.#askedAsRun();
    const responses = asked.toolCalls.flatMap(({ id }) => this.#responses.get(id) ?? []);
    const pending = this.#pending();
    const inputs = pending.flatMap(({ id }) => {
      const input = this.#inputOf(id);
      return input ? [[id, input] as const] : [];
    });
    return {
      ...held,
      ...this.#progress,
      messages: [...this.#before, toMessageJson(asked), toMessageJson(new ToolResponseMessage({ responses }))],
      pending,
      ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }),
      ...(this.#open.size > 0 && { begun: [...this.#open.keys()], approvals: this.#approvals() }),
      toolCallCounts: countsOf(this.turn),
    };
  }

  /** The decisions about the calls that have started. */
  #approvals(): Readonly<Record<string, CallApproval>> {
    const { held, turn } = this;
    const known = [...this.#open.keys()].map((id) => [
      id,
      turn.continuation?.callApprovalOf(id) ?? held.approvals?.[id],
    ]);
    return Object.fromEntries(known.filter(([, approval]) => approval));
  }

  /** A call that has started keeps the user's input. One that has not must ask again. */
  #inputOf(id: string): PendingInput | undefined {
    const started = this.#open.has(id) ? this.turn.continuation?.inputOf(id) : undefined;
    return started ?? pendingInputOf(this.held.inputs, id);
  }

  /** Removes a call that does not run. A call that was uncertain before stays so. */
  #forget(callId: string): void {
    if (!this.held.begun?.includes(callId)) this.#open.delete(callId);
  }

  /** The message with the approved arguments, which its calls ran with. */
  #askedAsRun(): AssistantMessage {
    if (this.#open.size === 0) return this.#asked;
    return withToolCalls(
      this.#asked,
      this.#asked.toolCalls.map((call) => this.#open.get(call.id) ?? call),
    );
  }

  #pending(): readonly ToolCall[] {
    const waiting = new Map(this.held.pending.map((call) => [call.id, call]));
    return this.#askedAsRun().toolCalls.flatMap((call) => {
      const { id } = call;
      if (this.#responses.has(id) || !(this.#open.has(id) || waiting.has(id))) return [];
      // The message does not have what the call asks for.
      const inputRequest = waiting.get(id)?.inputRequest;
      return inputRequest ? { ...call, inputRequest } : call;
    });
  }
}
