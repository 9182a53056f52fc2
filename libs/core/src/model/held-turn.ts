/** A suspended turn that a request resumes. It stays stored until the request ends. */
export interface HeldTurn {
  /**
   * The whole request succeeded, including the advisors around the turn: deletes the stored turn.
   */
  complete(): Promise<void>;
  /**
   * The request failed: the turn stays stored, together with the results of its tools.
   *
   * @param error why the request failed
   */
  release(error?: unknown): Promise<void>;
}

/**
 * Keeps the stored turns of a request until the whole request has ended. Code around the tool loop,
 * such as memory, can still fail after a turn has its answer.
 */
export class TurnKeeper implements HeldTurn {
  readonly #held = new Map<string, HeldTurn>();
  #turnId: string | undefined;

  /** The turn that the request resumed. Undefined if it resumed none. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Replaces the turn of the same id, which the request is starting again. */
  hold(turn: HeldTurn, turnId: string, isResumed: boolean): void {
    this.#held.set(turnId, turn);
    if (isResumed) this.#turnId = turnId;
  }

  async complete(): Promise<void> {
    for (const turn of this.#take()) await turn.complete();
  }

  async release(error?: unknown): Promise<void> {
    for (const turn of this.#take()) await turn.release(error);
  }

  #take(): readonly HeldTurn[] {
    const held = [...this.#held.values()];
    this.#held.clear();
    return held;
  }
}
