import type { Message } from '@nestor-ai/core';
import { namesFoundIn, namesTold, TOOL_SEARCH_TOOL_NAME } from './found-names.js';
import type { SearchableTools } from './searchable-tools.js';
import type { ToolSearchSession } from './tool-search-sessions.js';

/** The initial values of a {@link ToolSearchTurn}. */
export interface ToolSearchTurnInit {
  /** All tools of the request. */
  readonly tools: SearchableTools;
  /** The session in which the tools are searched. */
  readonly session: ToolSearchSession;
  /** The tools found so far, in this turn or before. */
  readonly discovered: Set<string>;
  /** The tools that the request always offers. */
  readonly asked: readonly string[];
  /** Stores the found tools for other processes. */
  readonly save?: () => Promise<void>;
  /** Whether found tools stay available after the next search. */
  readonly accumulates: boolean;
}

/** The search state of a turn. */
export class ToolSearchTurn {
  /** The results of searches by call id. Their response texts may have been changed later. */
  readonly #foundBy = new Map<string, readonly string[]>();
  /** The tools offered in the previous round. */
  #sent: readonly string[] = [];
  /** The responses that were already processed. */
  readonly #seen = new WeakSet<Message>();

  constructor(private readonly init: ToolSearchTurnInit) {}

  get tools(): SearchableTools {
    return this.init.tools;
  }

  get session(): ToolSearchSession {
    return this.init.session;
  }

  /** Stores the tools found so far, if other processes use the session too. */
  async save(): Promise<void> {
    await this.init.save?.();
  }

  /** The names of the tools to offer in the next round. New names come last. */
  offer(messages: readonly Message[]): readonly string[] {
    const { tools, discovered, asked, accumulates } = this.init;
    const told = namesTold(messages, accumulates).flatMap((name) => tools.nameOf(name) ?? []);
    if (accumulates) for (const name of told) discovered.add(name);
    const known = [...discovered].flatMap((name) => tools.nameOf(name) ?? []);
    const wanted = new Set([TOOL_SEARCH_TOOL_NAME, ...tools.alwaysAvailable, ...known, ...told, ...asked]);
    const kept = this.#sent.filter((name) => wanted.has(name));
    this.#sent = [...new Set([...kept, ...wanted])];
    return this.#sent;
  }

  /**
   * Stores the result of a search. It counts when all calls of its message have been answered, in
   * the order of the calls.
   */
  found(callId: string, names: readonly string[]): void {
    this.#foundBy.set(callId, names);
  }

  /**
   * Processes answered calls: adds the tools that searches found, and tools that the model called
   * without a search.
   */
  answered(message: Message | undefined): void {
    if (message?.role !== 'tool' || this.#seen.has(message)) return;
    this.#seen.add(message);
    const { tools, discovered, accumulates } = this.init;
    const searches = message.responses.filter(({ name }) => name === TOOL_SEARCH_TOOL_NAME);
    if (!accumulates && searches.length > 0) discovered.clear();
    for (const response of message.responses) {
      const { id, name } = response;
      const names = name === TOOL_SEARCH_TOOL_NAME ? (this.#foundBy.get(id) ?? namesFoundIn(response)) : [name];
      for (const found of names.flatMap((given) => tools.nameOf(given) ?? [])) discovered.add(found);
    }
  }
}
