import { type Awaitable, isPromise } from './awaitable.js';
import type { Message } from './messages.js';
import { RequestScope } from './request-scope.js';
import { serviceKey } from './request-services.js';
import { RUNNING_TURNS, type RunningTurns } from './running-turns.js';
import { TRANSACTIONS, type TurnOfCall, type TurnTransactions } from './tool-context.js';
import { Turn } from './turn.js';
import type { TurnContinuation } from './turn-continuation.js';
import type { TurnOutcome } from './turn-ending.js';
import type { TurnEvent } from './turn-event.js';
import type { TurnHold } from './turn-hold.js';
import type { TurnObserver } from './turn-observer.js';
import { TurnObservers } from './turn-observers.js';
import type { Usage } from './usage.js';

/** The number of tool calls. */
export interface ToolCallCounts {
  readonly byName: Map<string, number>;
  total: number;
}

/** The scope of a request with the turn that the loop runs. */
export type TurnScope = RequestScope<TurnControl>;

type Within = (run: () => Promise<unknown>) => Promise<unknown>;

/** Adds the observers of the application to a turn. */
export const TURN_OBSERVERS = serviceKey<(turn: TurnControl) => void>('turnObservers');

/** Whether turns are stored from their start. */
export const RECORDS_TURNS = serviceKey<boolean>('recordsTurns');

const NO_SCOPE: TurnScope = Object.freeze(new RequestScope<TurnControl>()) as TurnScope;
const NO_MESSAGES: readonly Message[] = Object.freeze([]);
const NO_USAGE: readonly Usage[] = Object.freeze([]);

/** The internal side of a turn, for the tool loop and its parts. */
export class TurnControl extends Turn implements TurnOfCall {
  /** The running turns that this one shuts down with. */
  readonly running: RunningTurns | undefined;

  /**
   * Whether the turn can be aborted, by its caller or by others. If so, a tool that ignores its
   * signal must not block the turn.
   */
  isAbortable: boolean;

  /** Makes the turn's tools and hooks run inside a function, such as one that sets an async context. */
  within: Within | undefined;

  /** Settles when the turn ends. Undefined if nobody can give it up. */
  ownEnd: Promise<unknown> | undefined;

  /** Whether end listeners, such as memory, are running or have run. */
  isEnding = false;
  #giveUp: ((reason: unknown) => void) | undefined;
  #slot = -1;

  /** The ids of the turn's calls so far. A model may use an id twice. */
  readonly callIds: string[] = [];

  /** The decided calls of a resumed turn, until their results are in the history. */
  continuation: TurnContinuation | undefined;

  /** Records the turn. Undefined for a new turn, unless all turns are recorded. */
  hold: TurnHold | undefined;

  /** The tool calls of the turn so far, including calls that a hook removed from the messages. */
  toolCallCounts: ToolCallCounts | undefined;

  /** The messages of the turn so far, regardless of which of them each round sends. */
  history: readonly Message[] = NO_MESSAGES;

  /** The usage of the rounds before the turn was suspended. */
  usageBefore: readonly Usage[] = NO_USAGE;

  /** The model that answered before the turn was suspended. */
  modelBefore: string | undefined;

  /** Who follows the turn. Only declared: most turns are not followed. */
  declare observers?: TurnObservers;

  /** The subject that asked before the turn was suspended. */
  #requesterBefore: { readonly subject: string | undefined } | undefined;

  /**
   * @param callerSignal the signal from the caller
   * @param scope the request that the turn belongs to
   */
  constructor(
    callerSignal?: AbortSignal,
    readonly scope: TurnScope = NO_SCOPE,
  ) {
    super(callerSignal, scope.callerRequest);
    this.isAbortable = callerSignal !== undefined;
    this.running = scope.services?.get(RUNNING_TURNS);
    if (this.running) this.#slot = this.running.add(this);
  }

  /**
   * The hold that the loop itself must complete, because no client reports the end of the request.
   */
  get ownHold(): TurnHold | undefined {
    return this.scope.holds ? undefined : this.hold;
  }

  /** Restores the id and the owner of a suspended turn. */
  resumeAs(id: string, requester?: string): void {
    this.id = id;
    this.#requesterBefore = { subject: requester };
  }

  override get isResumed(): boolean {
    return this.#requesterBefore !== undefined;
  }

  /** @throws the error that `TurnPrincipal` throws */
  override get requester(): string | undefined {
    return this.#requesterBefore ? this.#requesterBefore.subject : this.caller;
  }

  /** The subject that makes the current request, whether it starts or resumes the turn. */
  get caller(): string | undefined {
    return this.scope.caller;
  }

  get idempotencyKey(): string | undefined {
    return this.scope.idempotencyKey;
  }

  get transactions(): TurnTransactions | undefined {
    return this.scope.services?.get(TRANSACTIONS);
  }

  get canWait(): boolean {
    return this.hold !== undefined && this.scope.services?.get(RECORDS_TURNS) === true;
  }

  /**
   * Lets those observe the turn who want to, once it has its id.
   *
   * @throws Error if an `AiExtension` fails, since a turn must not run without its audit
   */
  findObservers(): void {
    const { turnListeners, services } = this.scope;
    if (turnListeners) for (const listener of turnListeners) listener(this);
    services?.get(TURN_OBSERVERS)?.(this);
  }

  observe(observer: TurnObserver): void {
    (this.observers ??= new TurnObservers()).add(observer);
  }

  override emit(event: TurnEvent): void {
    this.observers?.emitted(event);
  }

  get hasEndListeners(): boolean {
    return this.endListeners !== undefined;
  }

  /**
   * Ends the turn and calls its listeners, once.
   *
   * @throws the error of a listener, unless the turn failed already
   */
  async end(outcome: TurnOutcome): Promise<void> {
    const { endListeners } = this;
    this.endListeners = undefined;
    this.isEnding = true;
    let known = outcome;
    for (const listener of endListeners ?? []) {
      try {
        await listener(known);
      } catch (error) {
        if (known.status !== 'failed') known = { status: 'failed', error };
      }
    }
    this.release();
    if (endListeners && known.status === 'failed') throw known.error;
  }

  /** Runs tools or hooks inside {@link within}. */
  inside<T>(run: () => Promise<T>): Promise<T> {
    return this.within ? (this.within(run) as Promise<T>) : run();
  }

  /**
   * Calls back when the turn is aborted, or at once if it already is. Call the returned function
   * to stop listening.
   */
  onAbort(listener: (reason: unknown) => void): () => void {
    return this.turnAbort.onAbort(listener);
  }

  /** Like {@link untilAborted}, also if only the application's shutdown can abort the turn. */
  untilEnded<T>(result: Awaitable<T>): Awaitable<T> {
    if (!isPromise(result) || (!this.isAbortable && !this.running)) return result;
    return this.turnAbort.untilAborted(result);
  }

  /**
   * Waits for a result. If the turn can be aborted, it waits no longer than that and throws the
   * abort reason.
   */
  untilAborted<T>(result: Promise<T>): Promise<T> {
    return this.isAbortable ? this.turnAbort.untilAborted(result) : result;
  }

  /** Aborts the turn. The signal of running tools is aborted. */
  override abort(reason?: unknown): void {
    this.turnAbort.abort(reason);
    this.turnAbort.release();
  }

  /**
   * Waits for the end of the turn, but no longer than until it is given up.
   *
   * @param run calls one of the two functions, and does not throw
   */
  untilGivenUp<T>(run: (resolve: (result: T) => void, reject: (error: unknown) => void) => Promise<void>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      this.ownEnd = run(resolve, reject);
    });
  }

  /** Ends the turn for its caller, whatever it still waits for. */
  giveUp(reason: unknown): void {
    this.#giveUp?.(reason);
    // Release what the end listeners still wait for.
    if (this.isEnding) this.abort(reason);
  }

  /** Stops listening to the caller's signal. The loop calls it when the turn ends. */
  release(): void {
    this.running?.remove(this.#slot, this);
    this.turnAbort.release();
  }
}
