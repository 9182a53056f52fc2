import type { Message } from '@nestor-ai/core';
import type { DiscoveredTools } from './discovered-tools.js';
import { namesFoundIn, namesTold, TOOL_SEARCH_TOOL_NAME } from './found-names.js';
import type { SearchableTools } from './searchable-tools.js';
import type { ToolSearchSession } from './tool-search-sessions.js';

/** What a turn begins with. */
export interface ToolSearchTurnInit {
  /** All tools of the request. */
  readonly tools: SearchableTools;
  /** Under which they are searched. */
  readonly session: ToolSearchSession;
  /** What was found so far, in this turn or before. */
  readonly discovered: DiscoveredTools;
  /** The tools that the request itself wants to be offered. */
  readonly asked: readonly string[];
  /** Whether what was found stays when there is a new search. */
  readonly accumulates: boolean;
}

/** What one turn knows of its tools. */
export class ToolSearchTurn {
  /** What searches have found, by the ids of their calls: the text of a response may have been changed on its way. */
  readonly #foundBy = new Map<string, readonly string[]>();
  /** What the model was sent in the round before. */
  #sent: readonly string[] = [];
  /** The responses that have been looked at. */
  readonly #seen = new WeakSet<Message>();

  constructor(private readonly init: ToolSearchTurnInit) {}

  get tools(): SearchableTools {
    return this.init.tools;
  }

  get session(): ToolSearchSession {
    return this.init.session;
  }

  /** The names of the tools that the model is sent in the round that begins. What is new comes last. */
  offer(messages: readonly Message[]): readonly string[] {
    const { tools, discovered, asked, accumulates } = this.init;
    const told = namesTold(messages, accumulates).flatMap((name) => tools.nameOf(name) ?? []);
    if (accumulates) discovered.add(...told);
    const known = [...discovered].flatMap((name) => tools.nameOf(name) ?? []);
    const wanted = new Set([TOOL_SEARCH_TOOL_NAME, ...tools.alwaysAvailable, ...known, ...told, ...asked]);
    const kept = this.#sent.filter((name) => wanted.has(name));
    this.#sent = [...new Set([...kept, ...wanted])];
    return this.#sent;
  }

  /** A search has found tools. They count when all calls of its message have been answered: in the order of the calls. */
  found(callId: string, names: readonly string[]): void {
    this.#foundBy.set(callId, names);
  }

  /** Calls have been answered: what searches have found is known from now on, and what the model knew without a search. */
  answered(message: Message | undefined): void {
    if (message?.role !== 'tool' || this.#seen.has(message)) return;
    this.#seen.add(message);
    const { tools, discovered, accumulates } = this.init;
    const searches = message.responses.filter(({ name }) => name === TOOL_SEARCH_TOOL_NAME);
    if (!accumulates && searches.length > 0) discovered.clear();
    for (const response of message.responses) {
      const { id, name } = response;
      const names = name === TOOL_SEARCH_TOOL_NAME ? (this.#foundBy.get(id) ?? namesFoundIn(response)) : [name];
      discovered.add(...names.flatMap((found) => tools.nameOf(found) ?? []));
    }
  }
}
