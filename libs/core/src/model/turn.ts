import { REQUEST_SCOPE, type RequestScope } from './request-scope.js';
import { TurnAbort } from './turn-abort.js';
import type { TurnEndListener } from './turn-ending.js';
import type { TurnEvent } from './turn-event.js';
import type { TurnStop } from './turn-stop.js';
import { Undisclosed } from './undisclosed.js';

/** The part of an advisor's request that leads to its turn. */
interface RequestInTurn {
  readonly prompt: { readonly options?: { readonly [REQUEST_SCOPE]?: object | undefined } };
}

/**
 * One turn: from a user's question to the answer, including all model and tool calls. Tools access
 * it as `context.turn`; advisors inside the tool loop use `Turn.of(request)`. A call that no loop
 * runs has a turn of its own.
 */
export class Turn extends Undisclosed {
  protected readonly turnAbort: TurnAbort;
  protected endListeners: TurnEndListener[] | undefined;
  #id: string | undefined;
  #stopReason: TurnStop | undefined;
  #states: Map<unknown, unknown> | undefined;

  /**
   * @param callerSignal the signal from the caller, if any
   * @param request the request that the caller handles, such as an HTTP request: the value given
   * to `.request(…)`
   */
  constructor(
    callerSignal?: AbortSignal,
    readonly request?: unknown,
  ) {
    super();
    this.turnAbort = new TurnAbort(callerSignal);
  }

  /** The turn of a request. Undefined before the tool loop has started it. */
  static of({ prompt }: RequestInTurn): Turn | undefined {
    return (prompt.options?.[REQUEST_SCOPE] as RequestScope<Turn> | undefined)?.turn;
  }

  /** Identifies the turn. A turn keeps its id when it is suspended and resumed. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  protected set id(id: string) {
    this.#id = id;
  }

  /**
   * The subject that asked, from `TurnPrincipal`. For a resumed turn: who asked first. Undefined
   * if unknown.
   */
  get requester(): string | undefined {
    return undefined;
  }

  /** Whether another request has started the turn. */
  get isResumed(): boolean {
    return false;
  }

  /**
   * Aborted when the caller aborts or leaves the stream, or when the turn is stopped. Created on
   * first use.
   */
  get signal(): AbortSignal {
    return this.turnAbort.signal;
  }

  get isAborted(): boolean {
    return this.turnAbort.isAborted;
  }

  /** Why the turn was stopped early, if it was. */
  get stopReason(): TurnStop | undefined {
    return this.#stopReason;
  }

  /** @throws the reason of the abort if the turn is aborted */
  throwIfAborted(): void {
    this.turnAbort.throwIfAborted();
  }

  /**
   * Calls back when the turn has ended, and awaits the listener. An error fails a turn that had
   * succeeded.
   */
  onEnd(listener: TurnEndListener): void {
    (this.endListeners ??= []).push(listener);
  }

  /** Ends the turn early with what it has. The loop turns it into an answer. */
  stop(reason: TurnStop): void {
    // The first reason wins.
    if (this.isAborted) return;
    this.#stopReason = reason;
    this.abort(reason);
  }

  /** Sends an event to the listeners of the turn, such as `events()` of a stream. */
  emit(_event: TurnEvent): void {}

  /**
   * The state that an advisor keeps for the turn. Created on first use.
   *
   * @param key the advisor, or any other unique value
   */
  state<T>(key: unknown, make: () => T): T {
    this.#states ??= new Map();
    if (!this.#states.has(key)) this.#states.set(key, make());
    return this.#states.get(key) as T;
  }

  protected abort(reason: unknown): void {
    this.turnAbort.abort(reason);
  }
}
