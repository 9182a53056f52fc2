/** The wait after the first failure, in milliseconds. It doubles with each further one. */
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 60_000;

/** How long a server is left alone after failures. Half of the wait is random, so that processes spread. */
export class BackOff {
  #failures = 0;
  #until = 0;

  /** The rest of the wait, in milliseconds. 0 if the server may be asked. */
  get remaining(): number {
    // A clock that was set back must not prolong the wait.
    return Math.min(Math.max(0, this.#until - Date.now()), LONGEST_DELAY);
  }

  /** Attempts that ran side by side count as one. */
  failed(): void {
    if (this.remaining > 0) return;
    const delay = Math.min(FIRST_DELAY * 2 ** this.#failures, LONGEST_DELAY);
    this.#failures++;
    this.#until = Date.now() + delay / 2 + (Math.random() * delay) / 2;
  }

  reset(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
