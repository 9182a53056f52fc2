import { Logger } from '@nestjs/common';
import { errorTypeOf, SerialQueue } from '@nestor-ai/core';
import type { CatalogueFactory, ToolCatalogue } from './tool-catalogue.js';
import type { ToolSet } from './tool-set.js';

/** A catalogue, its tools, and the number of sessions that use it. */
interface SharedCatalogue {
  readonly tools: ToolSet;
  /** The catalogue of {@link tools}. */
  readonly ready: Promise<ToolCatalogue>;
  sessions: number;
}

/** The catalogue and tools of a session. */
export interface SearchableCatalogue {
  readonly tools: ToolSet;
  readonly catalogue: ToolCatalogue;
}

/**
 * Assigns a catalogue to each session. Sessions with the same tools share one. If a change fails,
 * the session keeps its previous catalogue.
 */
export class SharedCatalogues {
  readonly #logger = new Logger('ToolSearch');
  readonly #ofSession = new Map<string, SharedCatalogue>();
  readonly #byKey = new Map<string, SharedCatalogue>();
  readonly #alive = new Set<SharedCatalogue>();
  /** Serializes the changes of a session. */
  readonly #queue = new SerialQueue();

  constructor(private readonly create: CatalogueFactory) {}

  /** The catalogue of a session, after all pending changes. Undefined if it has no tools. */
  async of(sessionId: string): Promise<SearchableCatalogue | undefined> {
    const shared = await this.#queue.run(sessionId, async () => this.#ofSession.get(sessionId));
    return shared && { tools: shared.tools, catalogue: await shared.ready };
  }

  /** The number of catalogues. */
  get size(): number {
    return this.#alive.size;
  }

  /** Replaces the tools of a session. */
  replace(sessionId: string, tools: ToolSet): Promise<void> {
    return this.#queue.run(sessionId, () => this.#replace(sessionId, tools));
  }

  /** Adds tools to a session. */
  add(sessionId: string, tools: ToolSet): Promise<void> {
    return this.#queue.run(sessionId, () => {
      const current = this.#ofSession.get(sessionId);
      return this.#replace(sessionId, current ? current.tools.with(tools) : tools);
    });
  }

  /** Removes all tools of a session. */
  clear(sessionId: string): Promise<void> {
    return this.#queue.run(sessionId, async () => {
      const current = this.#ofSession.get(sessionId);
      this.#ofSession.delete(sessionId);
      if (current) await this.#leave(current);
    });
  }

  async #replace(sessionId: string, tools: ToolSet): Promise<void> {
    const current = this.#ofSession.get(sessionId);
    if (current?.tools.key === tools.key) return;
    const next = this.#byKey.get(tools.key) ?? this.#make(tools);
    next.sessions++;
    try {
      await next.ready;
    } catch (error) {
      await this.#leave(next);
      throw error;
    }
    this.#ofSession.set(sessionId, next);
    // Its embeddings may still be on their way.
    if (current) void this.#leave(current);
  }

  #make(tools: ToolSet): SharedCatalogue {
    const ready = (async () => this.create(tools))();
    const shared: SharedCatalogue = { tools, ready, sessions: 0 };
    this.#byKey.set(tools.key, shared);
    this.#alive.add(shared);
    // After a failure, the next session creates a new one.
    ready.catch(() => this.#unregister(shared));
    return shared;
  }

  #unregister(shared: SharedCatalogue): void {
    if (this.#byKey.get(shared.tools.key) === shared) this.#byKey.delete(shared.tools.key);
  }

  async #leave(shared: SharedCatalogue): Promise<void> {
    if (--shared.sessions > 0) return;
    this.#unregister(shared);
    this.#alive.delete(shared);
    // If creation failed, there is nothing to dispose, and its caller already has the error.
    const catalogue = await shared.ready.catch(() => undefined);
    try {
      await catalogue?.dispose?.();
    } catch (error) {
      this.#logger.warn(`Tools could not be removed from the index: ${errorTypeOf(error)}`);
    }
  }
}
