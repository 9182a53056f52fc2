/** Where the turns of the client's surroundings lie in the options of a prompt, for the loop to find. */
export const RUNNING_TURNS: unique symbol = Symbol.for('nestor.RunningTurns');

/** A turn, as far as it is to be ended. */
interface Abortable {
  abort(reason: unknown): void;
}

/** The turns that are under way somewhere, such as in an application, so that they can be ended together. */
export class RunningTurns {
  readonly #turns = new Set<Abortable>();
  readonly #tools = new Set<Promise<unknown>>();
  #reason: unknown;

  /** Whether they were ended, and no others may begin. */
  get isClosed(): boolean {
    return this.#reason !== undefined;
  }

  /** @throws the reason when no others may begin */
  throwIfClosed(): void {
    if (this.isClosed) throw this.#reason;
  }

  /** A turn has begun. */
  add(turn: Abortable): void {
    this.#turns.add(turn);
  }

  /** A turn has ended. Its tools may still run. */
  delete(turn: Abortable): void {
    this.#turns.delete(turn);
  }

  /** A tool has begun to run. */
  addTool(running: Promise<unknown>): void {
    this.#tools.add(running);
    const forget = (): void => {
      this.#tools.delete(running);
    };
    running.then(forget, forget);
  }

  /**
   * Aborts all turns, and waits for the tools that still run.
   *
   * @param reason what their callers are told
   * @param limit how long tools are waited for, in milliseconds
   * @returns how many tools still run
   */
  async close(reason: Error, limit: number): Promise<number> {
    this.#reason ??= reason;
    const tools = [...this.#tools];
    for (const turn of this.#turns) turn.abort(this.#reason);
    if (tools.length === 0) return 0;
    let timer: NodeJS.Timeout | undefined;
    const timeUp = new Promise((resolve) => {
      timer = setTimeout(resolve, limit);
    });
    await Promise.race([Promise.allSettled(tools), timeUp]);
    clearTimeout(timer);
    return this.#tools.size;
  }
}
