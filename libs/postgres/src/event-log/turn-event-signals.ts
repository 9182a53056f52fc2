import { EventEmitter } from 'node:events';
import { Observable } from 'rxjs';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { NotificationListener } from './notification-listener.js';

/** How often readers look for events while no notifications arrive, in milliseconds. */
const CHANGE_INTERVAL = 250;

/** How often to look for stops whose notification was lost, in milliseconds. */
const STOP_INTERVAL = 3000;

/** Tells this process about turns that changed or are to stop. */
export class TurnEventSignals {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #listener: NotificationListener;
  /** How many watch each turn for a stop. */
  readonly #stops = new Map<string, number>();
  #polling: NodeJS.Timeout | undefined;
  #checkedAt = 0;
  #isChecking = false;

  /** @param findStops which of these turns are to stop */
  constructor(
    database: PostgresDatabase,
    channel: string,
    private readonly findStops: (turnIds: readonly string[]) => Promise<readonly string[]>,
  ) {
    // A notification is `change` or `stop`, and the turn.
    this.#listener = new NotificationListener(database, channel, (payload) => this.#emitter.emit(payload));
  }

  changes(turnId: string): Observable<void> {
    return this.#watch(`change ${turnId}`);
  }

  stops(turnId: string): Observable<void> {
    return new Observable((subscriber) => {
      this.#stops.set(turnId, (this.#stops.get(turnId) ?? 0) + 1);
      subscriber.add(this.#watch(`stop ${turnId}`).subscribe(subscriber));
      this.#checkedAt = 0;
      queueMicrotask(() => void this.#checkStops());
      return () => {
        const count = this.#stops.get(turnId)! - 1;
        if (count > 0) this.#stops.set(turnId, count);
        else this.#stops.delete(turnId);
      };
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#polling);
    this.#emitter.removeAllListeners();
    await this.#listener.close();
  }

  #watch(signal: string): Observable<void> {
    return new Observable((subscriber) => {
      const give = (): void => subscriber.next();
      this.#emitter.on(signal, give);
      this.#listener.open();
      this.#polling ??= setInterval(() => this.#poll(), CHANGE_INTERVAL).unref();
      return () => {
        this.#emitter.off(signal, give);
        if (this.#emitter.eventNames().length > 0) return;
        clearInterval(this.#polling);
        this.#polling = undefined;
      };
    });
  }

  #poll(): void {
    void this.#checkStops();
    if (this.#listener.isListening) return;
    for (const signal of this.#emitter.eventNames())
      if (String(signal).startsWith('change ')) this.#emitter.emit(signal);
  }

  async #checkStops(): Promise<void> {
    const isDue = performance.now() - this.#checkedAt > (this.#listener.isListening ? STOP_INTERVAL : CHANGE_INTERVAL);
    if (this.#isChecking || !isDue || this.#stops.size === 0) return;
    this.#isChecking = true;
    this.#checkedAt = performance.now();
    try {
      for (const turnId of await this.findStops([...this.#stops.keys()])) this.#emitter.emit(`stop ${turnId}`);
    } catch {
      // The next check follows. The turn goes on meanwhile.
    } finally {
      this.#isChecking = false;
    }
  }
}
