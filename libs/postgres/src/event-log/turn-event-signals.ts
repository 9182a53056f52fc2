import { createHash } from 'node:crypto';
import { Observable } from 'rxjs';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { NotificationListener } from './notification-listener.js';

/** How often readers look for events while no notifications arrive, in milliseconds. */
const CHANGE_INTERVAL = 250;

/** How often to look for stops whose notification was lost, in milliseconds. */
const STOP_INTERVAL = 3000;

/**
 * A notification. Every user of the database can send and receive it, so it is only a hint to look
 * into the tables, and its mark fits many turns.
 */
const NOTIFICATION = /^(change|stop) ([\da-f]{4})$/;

interface Watcher {
  readonly turnId: string;
  readonly tell: () => void;
}

/** Those who watch turns, by the mark of the turn. */
class Watchers {
  readonly #byMark = new Map<string, Set<Watcher>>();

  get isEmpty(): boolean {
    return this.#byMark.size === 0;
  }

  /** @returns removes the watcher */
  add(watcher: Watcher): () => void {
    const mark = markOf(watcher.turnId);
    const watchers = this.#byMark.get(mark) ?? new Set();
    this.#byMark.set(mark, watchers.add(watcher));
    return () => {
      if (watchers.delete(watcher) && watchers.size === 0) this.#byMark.delete(mark);
    };
  }

  /** All of them, or those of a mark. */
  of(mark?: string): readonly Watcher[] {
    if (mark !== undefined) return [...(this.#byMark.get(mark) ?? [])];
    return [...this.#byMark.values()].flatMap((watchers) => [...watchers]);
  }
}

/** Tells this process about turns that changed or are to stop. */
export class TurnEventSignals {
  readonly #listener: NotificationListener;
  readonly #changes = new Watchers();
  readonly #stops = new Watchers();
  #polling: NodeJS.Timeout | undefined;
  /** When to look for stops, in the time of `performance.now()`. */
  #checkAt = 0;
  #isChecking = false;

  /** @param findStops which of these turns are to stop */
  constructor(
    database: PostgresDatabase,
    channel: string,
    private readonly findStops: (turnIds: readonly string[]) => Promise<readonly string[]>,
  ) {
    this.#listener = new NotificationListener(database, channel, (payload) => this.#receive(payload));
  }

  changes(turnId: string): Observable<void> {
    return new Observable((subscriber) => this.#watch(this.#changes, { turnId, tell: () => subscriber.next() }));
  }

  stops(turnId: string): Observable<void> {
    return new Observable((subscriber) => {
      const leave = this.#watch(this.#stops, { turnId, tell: () => subscriber.next() });
      this.#checkAt = 0;
      queueMicrotask(() => void this.#checkStops());
      return leave;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#polling);
    await this.#listener.close();
  }

  #watch(watchers: Watchers, watcher: Watcher): () => void {
    const remove = watchers.add(watcher);
    this.#listener.open();
    this.#polling ??= setInterval(() => this.#poll(), CHANGE_INTERVAL).unref();
    return () => {
      remove();
      if (!this.#changes.isEmpty || !this.#stops.isEmpty) return;
      clearInterval(this.#polling);
      this.#polling = undefined;
    };
  }

  #receive(payload: string): void {
    const [, kind, mark] = NOTIFICATION.exec(payload) ?? [];
    if (kind === 'change') for (const { tell } of this.#changes.of(mark)) tell();
    if (kind !== 'stop' || this.#stops.of(mark).length === 0) return;
    this.#checkAt = 0;
    void this.#checkStops();
  }

  #poll(): void {
    void this.#checkStops();
    if (this.#listener.isListening) return;
    for (const { tell } of this.#changes.of()) tell();
  }

  /** A check that becomes due while another one runs follows it. */
  async #checkStops(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (performance.now() >= this.#checkAt && !this.#stops.isEmpty) {
        this.#checkAt = performance.now() + (this.#listener.isListening ? STOP_INTERVAL : CHANGE_INTERVAL);
        const stopped = new Set(await this.findStops([...new Set(this.#stops.of().map(({ turnId }) => turnId))]));
        for (const { turnId, tell } of this.#stops.of()) if (stopped.has(turnId)) tell();
      }
    } catch {
      // The next check follows. The turn goes on meanwhile.
    } finally {
      this.#isChecking = false;
    }
  }
}

/** What notifications say of a turn, as in {@link turnEventStatements}. */
function markOf(turnId: string): string {
  return createHash('sha256').update(turnId).digest('hex').slice(0, 4);
}
