/** Where {@link TurnContext} lies in the options of a prompt: a symbol, so that it survives spreads. */
export const TURN_CONTEXT: unique symbol = Symbol.for('nestor.TurnContext');

/** Where the caller's request lies in the options of a prompt, for the loop to find. */
export const CALLER_REQUEST: unique symbol = Symbol.for('nestor.CallerRequest');

/** How often tools were called. */
export interface ToolCallCounts {
  readonly byName: Map<string, number>;
  total: number;
}

/**
 * What belongs to one turn, from a user's question to the answer, over all its model and tool calls.
 *
 * The tool loop makes it; tools meet it through their `ToolContext`.
 */
export class TurnContext {
  #controller: AbortController | undefined;
  #id: string | undefined;

  /**
   * @param callerSignal the signal given by the caller, if any
   * @param request what the caller works on, such as an HTTP request; injected as `REQUEST` into
   *   request-scoped tool hosts
   */
  constructor(
    private readonly callerSignal?: AbortSignal,
    readonly request?: unknown,
  ) {}

  /** The tool calls of the turn so far, whatever becomes of the messages that tell of them. */
  toolCallCounts?: ToolCallCounts;

  /** Identifies the turn. */
  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** Whether the caller gave a signal: then a tool that ignores it must not keep the turn waiting. */
  get isAbortable(): boolean {
    return this.callerSignal !== undefined;
  }

  /** Aborted when the caller aborts, or unsubscribes from the stream. */
  get signal(): AbortSignal {
    // Made on first use: most tools never ask, and an AbortController costs more than a chain.
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.callerSignal?.aborted) this.#controller.abort(this.callerSignal.reason);
      else this.callerSignal?.addEventListener('abort', this.#follow, { once: true });
    }
    return this.#controller.signal;
  }

  /** Throws the reason of the abort when the turn is aborted. */
  throwIfAborted(): void {
    this.callerSignal?.throwIfAborted();
    this.#controller?.signal.throwIfAborted();
  }

  /** Ends the turn: running tools see their signal aborted. */
  abort(reason?: unknown): void {
    (this.signal, this.#controller!).abort(reason);
    this.release();
  }

  /** Lets go of the caller's signal. Called by the loop when the turn ends. */
  release(): void {
    if (this.#controller) this.callerSignal?.removeEventListener('abort', this.#follow);
  }

  readonly #follow = (): void => this.#controller?.abort(this.callerSignal?.reason);
}
