/** Decides when sessions are evicted. Called once per turn; there are no background timers. */
export interface ToolIndexEvictionStrategy {
  /**
   * Called when a session is used.
   *
   * @returns the sessions to evict now; if it contains the used session, that one starts empty
   */
  onAccess(sessionId: string): readonly string[];
  /** Called after a session was evicted for any reason. */
  onRemoved(sessionId: string): void;
}

const NOBODY: readonly string[] = Object.freeze([]);

/** Never evicts a session. Call `evictSession()` yourself. */
export class NeverEvictStrategy implements ToolIndexEvictionStrategy {
  static readonly INSTANCE = new NeverEvictStrategy();

  onAccess(_sessionId: string): readonly string[] {
    return NOBODY;
  }

  onRemoved(_sessionId: string): void {}
}

/** Evicts the session on each turn. For tests, and for tools that change all the time. */
export class AlwaysEvictStrategy implements ToolIndexEvictionStrategy {
  static readonly INSTANCE = new AlwaysEvictStrategy();

  onAccess(sessionId: string): readonly string[] {
    return [sessionId];
  }

  onRemoved(_sessionId: string): void {}
}

/** Keeps a maximum number of sessions and evicts the least recently used ones. */
export class LruEvictionStrategy implements ToolIndexEvictionStrategy {
  // A Set keeps insertion order: the first member is the least recently used one.
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

/** Evicts sessions that were not used for a time. */
export class TtlEvictionStrategy implements ToolIndexEvictionStrategy {
  /** The last use of each session, oldest first. */
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
    const now = performance.now();
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

/** Evicts the sessions that any of several strategies evicts. */
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
