/** For how many seconds the budget is saved up, for many turns at once. */
const SAVED_SECONDS = 10;

/**
 * How many turns are kept in a second. Keeping a turn costs about as much as running one that has
 * no real model, so this bounds what an application under load spends on it.
 */
export class TurnBudget {
  readonly #most: number;
  #left: number;
  #updatedAt = performance.now();

  /** @throws RangeError unless the number is positive */
  constructor(private readonly turnsPerSecond: number) {
    if (!(turnsPerSecond > 0))
      throw new RangeError(
        `The option maxTurnsPerSecond of AiInspectorModule must be a number above 0, but is ${turnsPerSecond}.`,
      );
    this.#most = Math.max(1, turnsPerSecond * SAVED_SECONDS);
    this.#left = this.#most;
  }

  /** @returns whether one more turn may be kept now */
  take(): boolean {
    if (this.turnsPerSecond === Infinity) return true;
    const now = performance.now();
    const saved = ((now - this.#updatedAt) / 1000) * this.turnsPerSecond;
    this.#left = Math.min(this.#left + saved, this.#most);
    this.#updatedAt = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
