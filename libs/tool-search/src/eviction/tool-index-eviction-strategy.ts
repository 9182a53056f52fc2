/** Decides when sessions are forgotten. Asked at each turn: nothing runs in between. */
export interface ToolIndexEvictionStrategy {
  /**
   * A session is used.
   *
   * @returns the sessions to forget now; the one that is used may be among them, and begins anew
   */
  onAccess(sessionId: string): readonly string[];
  /** A session was forgotten, for whatever reason. */
  onRemoved(sessionId: string): void;
}

const NOBODY: readonly string[] = Object.freeze([]);

/** Forgets nothing by itself: call `evictSession()`. */
export class NeverEvictStrategy implements ToolIndexEvictionStrategy {
  static readonly INSTANCE = new NeverEvictStrategy();

  onAccess(_sessionId: string): readonly string[] {
    return NOBODY;
  }

  onRemoved(_sessionId: string): void {}
}

/** Begins each turn anew: for tests, and for tools that are others each time. */
export class AlwaysEvictStrategy implements ToolIndexEvictionStrategy {
  static readonly INSTANCE = new AlwaysEvictStrategy();

  onAccess(sessionId: string): readonly string[] {
    return [sessionId];
  }

  onRemoved(_sessionId: string): void {}
}

/** Keeps so many sessions, and forgets the one that was not used for the longest time. */
export class LruEvictionStrategy implements ToolIndexEvictionStrategy {
  // A Set keeps the order in which its members came: the first is the one used longest ago.
  readonly #sessions = new Set<string>();

  /** @throws RangeError when maxSessions is not a whole number greater than 0 */
  constructor(private readonly maxSessions: number) {
    if (!Number.isInteger(maxSessions) || maxSessions < 1) {
      throw new RangeError(`maxSessions must be a whole number greater than 0, but is ${maxSessions}.`);
    }
  }

  onAccess(sessionId: string): readonly string[] {
    this.#sessions.delete(sessionId);
    this.#sessions.add(sessionId);
    if (this.#sessions.size <= this.maxSessions) return NOBODY;
    return [...this.#sessions].slice(0, this.#sessions.size - this.maxSessions);
  }

  onRemoved(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

/** Forgets sessions that were not used for a time. */
export class TtlEvictionStrategy implements ToolIndexEvictionStrategy {
  /** When each was used last, the longest ago first. */
  readonly #usedAt = new Map<string, number>();

  /**
   * @param timeToLive in milliseconds
   * @throws RangeError when it is not greater than 0
   */
  constructor(private readonly timeToLive: number) {
    if (!(timeToLive > 0)) {
      throw new RangeError(`timeToLive must be a number of milliseconds greater than 0, but is ${timeToLive}.`);
    }
  }

  onAccess(sessionId: string): readonly string[] {
    const now = Date.now();
    this.#usedAt.delete(sessionId);
    this.#usedAt.set(sessionId, now);
    const expired: string[] = [];
    for (const [id, usedAt] of this.#usedAt) {
      if (now - usedAt < this.timeToLive) break;
      expired.push(id);
    }
    return expired;
  }

  onRemoved(sessionId: string): void {
    this.#usedAt.delete(sessionId);
  }
}

/** Forgets what any of several strategies would. */
export class CompositeEvictionStrategy implements ToolIndexEvictionStrategy {
  readonly #strategies: readonly ToolIndexEvictionStrategy[];

  /** @throws TypeError without a strategy */
  constructor(...strategies: readonly ToolIndexEvictionStrategy[]) {
    if (strategies.length === 0) throw new TypeError('CompositeEvictionStrategy needs at least one strategy.');
    this.#strategies = strategies;
  }

  onAccess(sessionId: string): readonly string[] {
    return [...new Set(this.#strategies.flatMap((strategy) => strategy.onAccess(sessionId)))];
  }

  onRemoved(sessionId: string): void {
    for (const strategy of this.#strategies) strategy.onRemoved(sessionId);
  }
}
