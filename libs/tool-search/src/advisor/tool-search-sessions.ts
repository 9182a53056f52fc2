import { Logger } from '@nestjs/common';
import type { ToolIndexEvictionStrategy } from '../eviction/tool-index-eviction-strategy.js';
import type { ToolIndex, ToolSearchRequest, ToolSearchResponse } from '../tool-index/tool-index.js';
import { DiscoveredTools } from './discovered-tools.js';
import type { SearchableTools } from './searchable-tools.js';

/** What is remembered of a session from turn to turn. */
export interface ToolSearchSession {
  readonly id: string;
  /** The tools that were found in it. */
  readonly discovered: DiscoveredTools;
}

class Session implements ToolSearchSession {
  readonly discovered = new DiscoveredTools();
  /** Which tools the index has, as far as it was told. */
  indexedKey: string | undefined;

  constructor(
    readonly id: string,
    /** Until when the index is busy with the session. */
    public ready: Promise<void>,
  ) {}
}

/** Keeps the index up to date with the tools of each session, and forgets sessions when it is time. */
export class ToolSearchSessions {
  readonly #logger = new Logger('ToolSearch');
  readonly #sessions = new Map<string, Session>();

  constructor(
    private readonly index: ToolIndex,
    private readonly eviction: ToolIndexEvictionStrategy,
  ) {}

  /** A session at the beginning of a turn. The index begins to learn its tools; a search waits for that. */
  open(id: string, tools: SearchableTools): ToolSearchSession {
    let cleared: Promise<void> = Promise.resolve();
    for (const evicted of this.eviction.onAccess(id)) {
      const forgotten = this.evict(evicted).catch((error: unknown) => this.#warn(evicted, error));
      if (evicted === id) cleared = forgotten;
    }
    let session = this.#sessions.get(id);
    if (!session) this.#sessions.set(id, (session = new Session(id, cleared)));
    // What fails here fails again when it is searched, and is told then.
    this.#ensureIndexed(session, tools).catch(() => undefined);
    return session;
  }

  /** Searches the tools of a session. */
  async search(
    session: ToolSearchSession,
    tools: SearchableTools,
    request: Omit<ToolSearchRequest, 'sessionId'>,
  ): Promise<ToolSearchResponse> {
    const known = this.#sessions.get(session.id) ?? this.#admit(session);
    await this.#ensureIndexed(known, tools);
    return this.index.search({ ...request, sessionId: session.id });
  }

  /** Forgets a session: its tools in the index, and what it has found. */
  async evict(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    this.eviction.onRemoved(id);
    await session?.ready.catch(() => undefined);
    await this.index.clearIndex(id);
  }

  /** Takes in a session again that was forgotten while its turn went on. */
  #admit(session: ToolSearchSession): Session {
    const admitted = new Session(session.id, Promise.resolve());
    this.#sessions.set(session.id, admitted);
    for (const evicted of this.eviction.onAccess(session.id)) {
      if (evicted !== session.id) this.evict(evicted).catch((error: unknown) => this.#warn(evicted, error));
    }
    return admitted;
  }

  /** One change after the other: of two turns of a session, each may have other tools. */
  #ensureIndexed(session: Session, tools: SearchableTools): Promise<void> {
    if (session.indexedKey === tools.key) return session.ready;
    session.indexedKey = tools.key;
    const before = session.ready.catch(() => undefined);
    const ready = before.then(() => this.index.replaceTools(session.id, tools.references));
    session.ready = ready;
    ready.catch(() => {
      if (session.indexedKey === tools.key) session.indexedKey = undefined;
    });
    return ready;
  }

  #warn(id: string, error: unknown): void {
    this.#logger.warn(`The tools of the session '${id}' could not be taken out of the index: ${String(error)}`);
  }
}
