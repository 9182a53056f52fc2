import type { CatalogueFactory, ToolCatalogue } from './tool-catalogue.js';
import type { ToolReference } from './tool-index.js';
import { ToolSet } from './tool-set.js';

/** Up to this part of its tools, a catalogue is changed rather than made anew. */
const WORTH_CHANGING = 0.25;

/** A catalogue and the sessions that search it. */
export interface SharedCatalogue {
  readonly tools: ToolSet;
  /** The catalogue, when everything that was said so far has been done. */
  readonly ready: Promise<ToolCatalogue>;
}

interface Shared extends SharedCatalogue {
  tools: ToolSet;
  ready: Promise<ToolCatalogue>;
  sessions: number;
  hasFailed: boolean;
  /** Whether the set is known to nobody else, and may be changed. */
  ownsTools: boolean;
}

/** Which catalogue each session searches. Sessions with the same tools have the same one, however they came by them. */
export class SharedCatalogues {
  readonly #ofSession = new Map<string, Shared>();
  readonly #byKey = new Map<string, Shared>();

  constructor(private readonly create: CatalogueFactory) {}

  /** What a session searches; undefined when it has no tools. */
  of(sessionId: string): SharedCatalogue | undefined {
    return this.#ofSession.get(sessionId);
  }

  /** How many catalogues there are. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Gives a session a set of tools in place of those it had. */
  async replace(sessionId: string, tools: ToolSet): Promise<void> {
    const current = this.#currentOf(sessionId);
    if (current?.tools.key === tools.key) {
      await current.ready;
    } else if (current && this.#isOwn(current) && !this.#byKey.has(tools.key)) {
      const { removed, added } = current.tools.differenceTo(tools);
      if (removed.length + added.length > tools.size * WORTH_CHANGING) return this.#move(sessionId, tools);
      await this.#change(current, removed, added, () => {
        current.tools = tools;
        current.ownsTools = false;
      });
    } else {
      await this.#move(sessionId, tools);
    }
  }

  /** Gives a session more tools. */
  async add(sessionId: string, added: readonly ToolReference[]): Promise<void> {
    const current = this.#currentOf(sessionId);
    if (!current) return this.#move(sessionId, ToolSet.of(added));
    if (!this.#isOwn(current)) {
      const tools = current.tools.copy();
      for (const tool of added) tools.add(tool);
      return this.replace(sessionId, tools);
    }
    const { tools: distinct } = ToolSet.of(added);
    const replaced = distinct.map(({ toolName }) => toolName).filter((name) => current.tools.get(name));
    await this.#change(current, replaced, distinct, () => {
      if (!current.ownsTools) current.tools = current.tools.copy();
      current.ownsTools = true;
      for (const tool of distinct) current.tools.add(tool);
    });
  }

  /** Takes a session its tools. */
  async clear(sessionId: string): Promise<void> {
    const current = this.#ofSession.get(sessionId);
    this.#ofSession.delete(sessionId);
    if (current) await this.#leave(current);
  }

  #currentOf(sessionId: string): Shared | undefined {
    const current = this.#ofSession.get(sessionId);
    return current?.hasFailed ? undefined : current;
  }

  /** Nobody else is disturbed by a change. */
  #isOwn({ sessions, tools }: Shared): boolean {
    return sessions === 1 && tools.size > 0;
  }

  async #change(
    shared: Shared,
    removed: readonly string[],
    added: readonly ToolReference[],
    apply: () => void,
  ): Promise<void> {
    if (this.#byKey.get(shared.tools.key) === shared) this.#byKey.delete(shared.tools.key);
    apply();
    // Another catalogue may have come to the same tools: then both go on, each for its own sessions.
    if (!this.#byKey.has(shared.tools.key)) this.#byKey.set(shared.tools.key, shared);
    this.#follow(
      shared,
      shared.ready.then(async (catalogue) => {
        await catalogue.change(removed, added);
        return catalogue;
      }),
    );
    await shared.ready;
  }

  async #move(sessionId: string, tools: ToolSet): Promise<void> {
    const former = this.#ofSession.get(sessionId);
    const next = this.#byKey.get(tools.key) ?? this.#make(tools);
    next.sessions++;
    this.#ofSession.set(sessionId, next);
    if (former) await this.#leave(former);
    await next.ready;
  }

  #make(tools: ToolSet): Shared {
    const shared: Shared = { tools, ready: undefined!, sessions: 0, hasFailed: false, ownsTools: false };
    this.#byKey.set(tools.key, shared);
    this.#follow(shared, (async () => this.create(tools))());
    return shared;
  }

  /** What could not be made is made anew for whoever comes next. */
  #follow(shared: Shared, ready: Promise<ToolCatalogue>): void {
    shared.ready = ready;
    ready.catch(() => {
      shared.hasFailed = true;
      if (this.#byKey.get(shared.tools.key) === shared) this.#byKey.delete(shared.tools.key);
    });
  }

  async #leave(shared: Shared): Promise<void> {
    if (--shared.sessions > 0) return;
    if (this.#byKey.get(shared.tools.key) === shared) this.#byKey.delete(shared.tools.key);
    if (shared.hasFailed) return;
    const catalogue = await shared.ready;
    await catalogue.dispose?.();
  }
}
