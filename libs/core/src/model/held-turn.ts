/** A suspended turn that a request resumes. It stays stored until the request ends. */
export interface HeldTurn {
  /**
   * The whole request succeeded, including the advisors around the turn: deletes the stored turn.
   */
  complete(): Promise<void>;
  /** The request failed: the turn stays suspended, together with the results of its tools. */
  release(): Promise<void>;
}

/**
 * Keeps the resumed turn of a request until the whole request has ended. Code around the tool
 * loop, such as memory, can still fail after the turn has its answer.
 */
export class TurnKeeper implements HeldTurn {
  #held: HeldTurn | undefined;
  #turnId: string | undefined;

  /** The turn that the request resumed. Undefined if it resumed none. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Replaces the turn held before, which the request is starting again. */
  hold(turn: HeldTurn, turnId: string): void {
    this.#held = turn;
    this.#turnId = turnId;
  }

  async complete(): Promise<void> {
    await this.#take()?.complete();
  }

  async release(): Promise<void> {
    await this.#take()?.release();
  }

  #take(): HeldTurn | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }
}
