import { Logger } from '@nestjs/common';
import { errorTypeOf, untilAborted } from '@nestor-ai/core';
import type { ToolIndexEvictionStrategy } from '../eviction/tool-index-eviction-strategy.js';
import type { ToolIndex, ToolSearchRequest, ToolSearchResponse } from '../tool-index/tool-index.js';
import type { SearchableTools } from './searchable-tools.js';

/** The state of a session across turns. */
export class ToolSearchSession {
  /** The key of the tools that were last sent to the index. */
  indexedKey: string | undefined;
  /** The running searches. The tools must not change during a search. */
  readonly searches = new Set<Promise<unknown>>();
  /** Whether the session was evicted on request. */
  isDismissed = false;

  /**
   * @param ready resolves when the index has processed all changes so far
   * @param discovered the names of the tools found in this session. New ones come last, so that prompt
   * caches stay valid
   */
  constructor(
    readonly id: string,
    public ready: Promise<void>,
    readonly discovered = new Set<string>(),
  ) {}
}

/** Keeps the index in sync with the tools of each session, and evicts sessions. */
export class ToolSearchSessions {
  readonly #logger = new Logger('ToolSearch');
  readonly #sessions = new Map<string, ToolSearchSession>();
  /**
   * Sessions that are being removed from the index. A new session with the same id waits for that.
   */
  readonly #clearing = new Map<string, Promise<void>>();

  constructor(
    private readonly index: ToolIndex,
    private readonly eviction: ToolIndexEvictionStrategy,
  ) {}

  /**
   * Opens a session at the start of a turn. Indexing starts in the background; a search waits for
   * it.
   */
  open(id: string, tools: SearchableTools): ToolSearchSession {
    const evicted = this.#access(id);
    if (evicted.includes(id)) {
      void this.#evict(id);
      // The strategy has forgotten the session and must learn that it is used again.
      this.#access(id);
    }
    const session = this.#sessions.get(id) ?? this.#add(new ToolSearchSession(id, this.#cleared(id)));
    // If this fails, the next search tries again and reports the error.
    this.#ensureIndexed(session, tools).catch(() => undefined);
    return session;
  }

  /** Searches the tools of a session. */
  search(
    session: ToolSearchSession,
    tools: SearchableTools,
    request: Omit<ToolSearchRequest, 'sessionId'>,
  ): Promise<ToolSearchResponse> {
    const known = this.#sessions.get(session.id) ?? this.#admit(session);
    const answer = this.#ensureIndexed(known, tools).then(() =>
      this.index.search({ ...request, sessionId: session.id }),
    );
    // A search that was aborted must not block others.
    const found = request.signal ? untilAborted(request.signal, answer) : answer;
    known.searches.add(found);
    const ended = (): void => void known.searches.delete(found);
    found.then(ended, ended);
    return found;
  }

  /** Evicts a session: its tools in the index, and the tools it has found. */
  async evict(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session) session.isDismissed = true;
    await this.#evict(id);
  }

  /** Adds a session again that was evicted during its turn. */
  #admit({ id, isDismissed, discovered }: ToolSearchSession): ToolSearchSession {
    this.#access(id);
    return this.#add(new ToolSearchSession(id, this.#cleared(id), isDismissed ? undefined : discovered));
  }

  #add(session: ToolSearchSession): ToolSearchSession {
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Calls the strategy, and evicts the other sessions that it returns. */
  #access(id: string): readonly string[] {
    try {
      const evicted = this.eviction.onAccess(id);
      for (const other of evicted) if (other !== id) void this.#evict(other);
      return evicted;
    } catch (error) {
      this.#logger.error(`The eviction strategy has failed with ${errorTypeOf(error)}, so no session is evicted`);
      return [];
    }
  }

  #evict(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    try {
      this.eviction.onRemoved(id);
    } catch (error) {
      this.#logger.error(`The eviction strategy has failed with ${errorTypeOf(error)}`);
    }
    const idle = Promise.allSettled([session?.ready, ...(session?.searches ?? []), this.#clearing.get(id)]);
    const clearing = idle.then(() => this.index.clearIndex(id));
    this.#clearing.set(id, clearing);
    const ended = (): void => {
      if (this.#clearing.get(id) === clearing) this.#clearing.delete(id);
    };
    clearing.then(ended, (error: unknown) => {
      ended();
      this.#logger.warn(`The tools of a session could not be removed from the index: ${errorTypeOf(error)}`);
    });
    return clearing;
  }

  async #cleared(id: string): Promise<void> {
    // Ignore errors, because the next change replaces the content of the index.
    await this.#clearing.get(id)?.catch(() => undefined);
  }

  /**
   * Changes run one after the other and not during searches. Two turns of a session may have
   * different tools.
   */
  #ensureIndexed(session: ToolSearchSession, tools: SearchableTools): Promise<void> {
    if (session.indexedKey === tools.key) return session.ready;
    session.indexedKey = tools.key;
    const idle = Promise.allSettled([session.ready, ...session.searches]);
    const ready = idle.then(() => this.#replace(session.id, tools));
    session.ready = ready;
    ready.catch(() => {
      if (session.indexedKey === tools.key) session.indexedKey = undefined;
    });
    return ready;
  }

  async #replace(id: string, { references }: SearchableTools): Promise<void> {
    const { index } = this;
    // A custom index may only have the four basic methods.
    if (typeof (index as Partial<ToolIndex>).replaceTools === 'function') return index.replaceTools(id, references);
    await index.clearIndex(id);
    await index.indexTools(id, references);
  }
}
