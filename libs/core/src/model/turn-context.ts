import type { AssistantMessage, Message, ToolResponse } from './messages.js';
import type { RunningTurns } from './running-turns.js';
import type { ToolApproval } from './tool-approval.js';
import { TurnAbort } from './turn-abort.js';
import type { TurnStop } from './turn-stop.js';
import { TurnEnding, type TurnEndListener, type TurnOutcome } from './turn-ending.js';
import type { TurnEvent, TurnEventSink } from './turn-event.js';
import type { Usage } from './usage.js';

/** Where {@link TurnContext} lies in the options of a prompt: a symbol, so that it survives spreads. */
export const TURN_CONTEXT: unique symbol = Symbol.for('nestor.TurnContext');

/** Where somebody lies in the options of a prompt who wants to know of the turn, for the loop to tell when it begins. */
export const TURN_BEGUN: unique symbol = Symbol.for('nestor.TurnBegun');

/** Where the caller's request lies in the options of a prompt, for the loop to find. */
export const CALLER_REQUEST: unique symbol = Symbol.for('nestor.CallerRequest');

/** How often tools were called. */
export interface ToolCallCounts {
  readonly byName: Map<string, number>;
  total: number;
}

/** The calls that a turn goes on with, after humans have had their say. */
export interface Resumption {
  /** The message that asks for them. */
  readonly asked: AssistantMessage;
  /** The responses that there are already. */
  readonly responses: readonly ToolResponse[];
  readonly approvals: readonly ToolApproval[];
}

const NO_MESSAGES: readonly Message[] = Object.freeze([]);
const NO_USAGE: readonly Usage[] = Object.freeze([]);

/**
 * What belongs to one turn, from a user's question to the answer, over all its model and tool calls.
 *
 * The tool loop makes it; tools meet it through their `ToolContext`.
 */
export class TurnContext {
  readonly #abort: TurnAbort;
  #id: string | undefined;
  #ending: TurnEnding | undefined;
  #isGuarded = false;
  #within: ((run: () => Promise<unknown>) => Promise<unknown>) | undefined;
  #stopReason: TurnStop | undefined;
  #giveUp: ((reason: unknown) => void) | undefined;
  #end: Promise<unknown> | undefined;
  #sink: TurnEventSink | undefined;
  #slot = -1;

  /**
   * @param callerSignal the signal given by the caller, if any
   * @param request what the caller works on, such as an HTTP request; injected as `REQUEST` into
   *   request-scoped tool hosts
   * @param sink receives what happens to the tool calls, if anybody wants to know
   * @param running the turns that this one is to be ended with
   */
  constructor(
    private readonly callerSignal?: AbortSignal,
    readonly request?: unknown,
    sink?: TurnEventSink,
    readonly running?: RunningTurns,
  ) {
    this.#abort = new TurnAbort(callerSignal);
    this.#sink = sink;
    if (running) this.#slot = running.add(this);
  }

  /** The ids of the calls of the turn so far: a model may use one twice. */
  readonly callIds: string[] = [];

  /** What observes the request of the turn, where something does. */
  observation: unknown;

  /** What is known of the calls that a turn goes on with, until they are executed. */
  resumption?: Resumption | undefined;

  /** What the calls have come to that a turn goes on with: undefined for one that has begun and not ended. */
  progress?: Map<string, ToolResponse | undefined>;

  /** The tool calls of the turn so far, whatever becomes of the messages that tell of them. */
  toolCallCounts?: ToolCallCounts;

  /** The messages of the turn until now, whatever part of them each round is sent. */
  history: readonly Message[] = NO_MESSAGES;

  /** The usage of the rounds before the turn was suspended. */
  usageBefore: readonly Usage[] = NO_USAGE;

  /** The model that answered before the turn was suspended. */
  modelBefore?: string;

  /** Identifies the turn. Of one that was suspended and goes on, the same as before. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  set id(id: string) {
    this.#id = id;
  }

  /** Whether somebody wants to know what happens to the tool calls. */
  get isWatched(): boolean {
    return this.#sink !== undefined;
  }

  /** Tells whoever watches the turn. */
  emit(event: TurnEvent): void {
    this.#sink?.(event);
  }

  /** Has somebody else told as well what happens to the tool calls. */
  watch(sink: TurnEventSink): void {
    const before = this.#sink;
    this.#sink = before
      ? (event) => {
          before(event);
          sink(event);
        }
      : sink;
  }

  /** Whether somebody may abort the turn: then a tool that ignores its signal must not keep the turn waiting. */
  get isAbortable(): boolean {
    return this.callerSignal !== undefined || this.#isGuarded;
  }

  /** Announces that somebody besides the caller may {@link abort} the turn. */
  guard(): void {
    this.#isGuarded = true;
  }

  /** Calls back when the turn has ended. */
  onEnd(listener: TurnEndListener): void {
    (this.#ending ??= new TurnEnding()).add(listener);
  }

  /** As {@link onEnd}, for who takes no part in the turn: told last, of what has really become of it. */
  watchEnd(listener: TurnEndListener): void {
    (this.#ending ??= new TurnEnding()).watch(listener);
  }

  /**
   * Ends the turn and tells those who asked for it, once.
   *
   * @throws what a listener throws, unless the turn has failed anyway
   */
  async end(outcome: TurnOutcome): Promise<void> {
    const ending = this.#ending;
    this.#ending = undefined;
    const known = await ending?.tell(outcome);
    this.release();
    if (known?.status === 'failed') throw known.error;
  }

  /** Has the tools of the turn run inside of something, such as an async context. */
  surround(within: (run: () => Promise<unknown>) => Promise<unknown>): void {
    this.#within = within;
  }

  /** Whether tools have to run inside of something. */
  get isSurrounded(): boolean {
    return this.#within !== undefined;
  }

  /** Runs tools. */
  run<T>(tools: () => Promise<T>): Promise<T> {
    return this.#within ? (this.#within(tools) as Promise<T>) : tools();
  }

  /** Whether anybody asked to be told of the end. */
  get hasEndListeners(): boolean {
    return this.#ending !== undefined;
  }

  /** Aborted when the caller aborts, or unsubscribes from the stream. Made on first use. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the turn is aborted. */
  get isAborted(): boolean {
    return this.#abort.isAborted;
  }

  /** Throws the reason of the abort when the turn is aborted. */
  throwIfAborted(): void {
    this.#abort.throwIfAborted();
  }

  /** Calls back when the turn is aborted, at once if it is already, until the returned function is called. */
  onAbort(listener: (reason: unknown) => void): () => void {
    return this.#abort.onAbort(listener);
  }

  /** Waits for a result; where somebody may abort the turn, no longer than until that, and throws the reason then. */
  untilAborted<T>(result: Promise<T>): Promise<T> {
    return this.isAbortable ? this.#abort.untilAborted(result) : result;
  }

  /** Ends the turn early, with what it has. The loop makes an answer of it. */
  stop(reason: TurnStop): void {
    this.#stopReason = reason;
    this.abort(reason);
  }

  /** Why the turn was ended early, if it was. */
  get stopReason(): TurnStop | undefined {
    return this.#stopReason;
  }

  /** Aborts the turn: running tools see their signal aborted. */
  abort(reason?: unknown): void {
    this.#abort.abort(reason);
    this.release();
  }

  /**
   * Waits for the end of the turn no longer than until it is given up.
   *
   * @param run tells its end with what it is given, and does not throw
   */
  untilGivenUp<T>(run: (resolve: (result: T) => void, reject: (error: unknown) => void) => Promise<void>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      this.#end = run(resolve, reject);
    });
  }

  /** When the turn ends by itself, if anybody may give it up. */
  get ownEnd(): Promise<unknown> | undefined {
    return this.#end;
  }

  /** Ends the turn for its caller, whatever it still waits for. */
  giveUp(reason: unknown): void {
    this.#giveUp?.(reason);
  }

  /** Lets go of the caller's signal. Called by the loop when the turn ends. */
  release(): void {
    this.running?.remove(this.#slot, this);
    this.#abort.release();
  }
}
