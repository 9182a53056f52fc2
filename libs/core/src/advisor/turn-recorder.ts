import { isDeepStrictEqual } from 'node:util';
import { toMessageJson } from '../memory/message-json.js';
import type { SuspendedTurn, SuspendedTurnRepository } from '../memory/suspended-turn.repository.js';
import type { TurnEntry } from '../memory/turn-entry.js';
import type { TurnState } from '../memory/turn-state.js';
import type { ChatOptions } from '../model/chat-options.js';
import {
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolResponse,
  ToolResponseMessage,
} from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import type { TurnHold } from '../model/turn-hold.js';
import { errorTypeOf } from '../model/error-type.js';
import { ClaimedTurn } from './claimed-turn.js';
import {
  callIdsOf,
  countsOf,
  factsOf,
  isTriedAgain,
  newMessages,
  newOptions,
  storedContextOf,
  storedOptionsOf,
  toCallBegan,
  type TurnProgress,
  type TurnToSuspend,
} from './suspension.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

const INTERRUPTED = 'It is not known whether this call has run, since it was interrupted. Find out before you repeat';

/**
 * Records what a turn does: what the model answered, which calls have started, and their results.
 * The stored data are always enough to continue the turn after a crash.
 *
 * A repository that records every turn has a recorder from the start of the turn. With any other
 * one, only a turn that waits or is resumed has a recorder. Nobody waits for notes: the next call
 * waits for all that is recorded before it.
 */
export class TurnRecorder implements TurnHold {
  readonly #claimed: ClaimedTurn;
  /** The messages that are recorded. The entry of the next answer only has the new ones. */
  #known: readonly Message[];
  /** The message whose calls run, without the responses. */
  #asked: AssistantMessage | undefined;
  #progress: TurnProgress;
  #options: ChatOptions | undefined;
  #isOver = false;
  #conclude: (() => void) | undefined;

  /**
   * @param held the turn as it was stored, or a new one
   * @param messages the messages of the stored turn
   * @param lease how long a claim is valid if it is not extended, in milliseconds
   */
  constructor(
    private readonly held: SuspendedTurn,
    messages: readonly Message[],
    private readonly turn: TurnControl,
    repository: SuspendedTurnRepository,
    lease: number,
  ) {
    const { response, round, usageByRound } = held;
    this.#claimed = new ClaimedTurn(held, repository, lease, (error) => turn.abort(error));
    this.#known = messages;
    const asked = held.phase ? undefined : messages.at(-2);
    this.#asked = asked?.role === 'assistant' ? asked : undefined;
    this.#progress = { response, round, usageByRound };
    this.#options = held.options;
  }

  get fence(): number {
    return this.#claimed.fence;
  }

  /** @throws ToolApprovalException if another request has resumed the turn */
  claim(): Promise<void> {
    return this.#claimed.claim();
  }

  /**
   * Records the start of a new turn.
   *
   * @throws ToolApprovalException if another request has begun the turn
   */
  async begin(request: ChatClientRequest): Promise<void> {
    this.#claimed.hold();
    this.#begun(request);
    // The model is asked meanwhile, unless the turn was queued.
    await (this.held.revision === 0 ? this.#claimed.note() : this.#claimed.write());
  }

  callsAsked(before: readonly Message[], asked: AssistantMessage): void {
    this.#answer(before, asked);
  }

  async callBegins(call: ToolCall): Promise<void> {
    const { id } = call;
    this.#add(toCallBegan(call, this.turn.continuation, this.held));
    try {
      await this.#claimed.writeBeginning();
    } catch (error) {
      // A call that could not be recorded must not run.
      this.#withdraw(id);
      this.turn.abort(error);
      throw error;
    }
  }

  callWithdrawn(callId: string): void {
    this.#withdraw(callId);
    void this.#claimed.note();
  }

  callEnded(response: ToolResponse): void {
    if (!this.#isNews(response)) return;
    this.#end(response);
    void this.#claimed.note();
  }

  callInterrupted({ id, name }: ToolCall): void {
    if (!this.#state.isOpen(id)) return;
    this.callEnded({ id, name, responseData: `${INTERRUPTED} '${name}'.`, isError: true });
  }

  /** Sets the progress of the turn, before the calls of a message run. */
  reached(progress: TurnProgress, { prompt }: ChatClientRequest): void {
    this.#progress = progress;
    this.#options = prompt.options;
  }

  /**
   * Records that the calls of a message were answered, by any manager: the conversation ends with
   * their responses.
   */
  answered(messages: readonly Message[]): void {
    if (this.#answered(messages)) void this.#claimed.note();
  }

  /** Records the answer of the turn, once it is kept. An advisor around the loop may still refuse it. */
  concluded(messages: readonly Message[], answer: AssistantMessage, progress: TurnProgress): void {
    const { phase, messages: stored } = this.held;
    if (phase === 'answered' && isDeepStrictEqual(toMessageJson(answer), stored.at(-1))) return;
    this.#conclude = () => {
      this.#conclude = undefined;
      this.#progress = progress;
      this.#answer(messages, answer, true);
    };
  }

  async keepAnswer(): Promise<void> {
    this.#conclude?.();
    if (this.#claimed.hasUnwritten) await this.#claimed.note();
    this.#claimed.throwIfLost();
  }

  /** Whether a call is unanswered or may have run. */
  get hasUndecided(): boolean {
    return this.#state.pending.length > 0;
  }

  /** Stores the suspended turn. One that was not recorded so far is recorded now. */
  handOver({ executed, request, response, round, usageByRound }: TurnToSuspend): Promise<void> {
    const { conversationHistory: history, pendingInputs: inputs } = executed;
    const messages = history.slice(0, -1);
    if (this.#known.length === 0) {
      this.#begun({ ...request, prompt: request.prompt.with({ messages: history.slice(0, -2) }) });
    }
    this.reached({ response: factsOf(response.chatResponse!), round, usageByRound }, request);
    // A manager of the application may have told nothing of the round.
    this.#answered(history);
    // A call that asks again has ended.
    for (const { id, deferred } of executed.pendingApprovals!) {
      if (!deferred && this.#state.isOpen(id)) this.#add({ kind: 'call-withdrawn', callId: id });
    }
    this.#add({
      kind: 'suspended',
      ...newMessages(this.#known, messages),
      ...newOptions(this.#options, this.#state.record),
      pending: executed.pendingApprovals!,
      context: storedContextOf(request.context),
      ...(inputs && { inputs }),
    });
    this.#state.waitsSince(new Date().toISOString());
    return this.#claimed.handOver();
  }

  /** Marks the turn as ended. */
  over(): void {
    this.#isOver = true;
  }

  async complete(): Promise<void> {
    // An advisor around the loop may answer before the turn has ended.
    if (!this.#isOver || !this.#claimed.isHeld) return this.#claimed.release();
    await this.turn.observers?.turnEnds();
    this.#conclude?.();
    this.#add({ kind: 'ended' });
    await this.#claimed.end();
  }

  /** Gives the turn up until somebody continues it. A worker would only be stopped again. */
  async wait(): Promise<void> {
    this.#state.status = 'suspended';
    await this.release();
  }

  async release(error?: unknown): Promise<void> {
    if (error !== undefined && this.#claimed.isHeld && !isTriedAgain(error, this.turn))
      this.#add({ kind: 'failed', errorType: errorTypeOf(error) });
    await this.#claimed.release();
  }

  get #state(): TurnState {
    return this.#claimed.state;
  }

  #add(entry: TurnEntry): void {
    const toolCallCounts = countsOf(this.turn);
    const isSame = isDeepStrictEqual(toolCallCounts, this.#state.toolCallCounts);
    this.#claimed.add(isSame ? entry : { ...entry, toolCallCounts });
  }

  #answer(before: readonly Message[], asked: AssistantMessage, isFinal?: true): void {
    const { response, round, usageByRound } = this.#progress;
    const messages = [...before, asked];
    this.#add({
      kind: 'answered',
      ...newMessages(this.#known, messages),
      response,
      round,
      usageByRound,
      ...newOptions(this.#options, this.#state.record),
      ...(isFinal && { isFinal }),
    });
    this.#known = messages;
    this.#asked = asked;
  }

  #begun({ prompt, context }: ChatClientRequest): void {
    this.#known = prompt.messages;
    this.#options = prompt.options;
    const [options, messages] = [storedOptionsOf(prompt.options), prompt.messages.map(toMessageJson)];
    this.#add({ kind: 'begun', messages, options, context: storedContextOf(context) });
  }

  /** @returns whether any response was not recorded before */
  #answered(messages: readonly Message[]): boolean {
    const [asked, answer] = messages.slice(-2);
    if (asked?.role !== 'assistant' || answer?.role !== 'tool') return false;
    if (!this.#isAsked(asked)) this.#answer(messages.slice(0, -2), asked);
    const news = answer.responses.filter((response) => this.#isNews(response));
    for (const response of news) this.#end(response);
    // Responses are recorded without the metadata of their message.
    this.#known = answer.metadata ? messages.slice(0, -1) : messages;
    return news.length > 0;
  }

  #isNews({ id, responseData, isError }: ToolResponse): boolean {
    const known = this.#state.responseTo(id);
    return this.#state.isOpen(id) || known?.responseData !== responseData || known.isError !== isError;
  }

  #end(response: ToolResponse): void {
    const json = toMessageJson(new ToolResponseMessage({ responses: [response] }));
    this.#add({ kind: 'call-ended', response: (json.responses as readonly ToolResponse[])[0]! });
  }

  /** A call that was uncertain before stays so. */
  #withdraw(callId: string): void {
    if (!this.held.begun?.includes(callId)) this.#add({ kind: 'call-withdrawn', callId });
  }

  #isAsked(asked: AssistantMessage): boolean {
    return isDeepStrictEqual(callIdsOf(this.#asked), callIdsOf(asked));
  }
}
