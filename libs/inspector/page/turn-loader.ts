import type { TurnView } from '../src/view/turn-view.js';
import { get } from './api.js';

/** Loads a turn again and again while it runs: one request at a time, and none that is not needed. */
export class TurnLoader {
  last: TurnView | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param id the turn; undefined until it has begun */
  constructor(
    public id: string | undefined,
    private readonly onLoad: (turn: TurnView) => void,
  ) {}

  /** Resolves when the turn as it is now, or later, is loaded. */
  load(): Promise<void> {
    if (!this.#running) return (this.#running = this.#load());
    const after = (): Promise<void> => {
      this.#next = undefined;
      return (this.#running = this.#load());
    };
    return (this.#next ??= this.#running.then(after, after));
  }

  async #load(): Promise<void> {
    try {
      if (this.id === undefined) return;
      this.last = await get<TurnView>(`turns/${this.id}`);
      this.onLoad(this.last);
    } finally {
      this.#running = undefined;
    }
  }
}
