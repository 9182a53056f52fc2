/** A suspended turn that a request goes on with. It stays stored until the request has ended. */
export interface HeldTurn {
  /** The request has succeeded, with everything around the turn: the turn is over. */
  complete(): Promise<void>;
  /** The request has failed: the turn waits, with what its tools have done. */
  release(): Promise<void>;
}

/**
 * Keeps the turn that a request goes on with until the whole request has ended: what stands around the tool loop, such as a memory, may
 * still fail after the turn has its answer.
 */
export class TurnKeeper implements HeldTurn {
  #held: HeldTurn | undefined;
  #turnId: string | undefined;

  /** The turn that the request has gone on with, at least once. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Keeps a turn in the place of the one before, which the request asks for again. */
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
