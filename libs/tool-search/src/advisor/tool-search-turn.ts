import type { Message, ToolResponseMessage } from '@nestor-ai/core';
import type { DiscoveredTools } from './discovered-tools.js';
import type { SearchableTools } from './searchable-tools.js';
import type { ToolSearchSession } from './tool-search-sessions.js';

/** The name of the tool that finds others. */
export const TOOL_SEARCH_TOOL_NAME = 'toolSearchTool';

/** What one turn knows of its tools. */
export class ToolSearchTurn {
  #round = 0;
  #searchedIn = -1;

  /**
   * @param tools all tools of the request
   * @param session under which they are searched
   * @param discovered what was found so far, in this turn or before
   * @param asked the tools that the request itself wants to be offered
   * @param accumulates whether what was found stays when there is a new search
   */
  constructor(
    readonly tools: SearchableTools,
    readonly session: ToolSearchSession,
    private readonly discovered: DiscoveredTools,
    private readonly asked: readonly string[],
    private readonly accumulates: boolean,
  ) {}

  /** The names of the tools that the model is sent in the round that begins. */
  offer(messages: readonly Message[]): readonly string[] {
    this.#round++;
    const told = this.#namesIn(messages);
    if (this.accumulates) this.discovered.add(...told);
    const found = [...this.discovered, ...told].flatMap((name) => this.tools.nameOf(name) ?? []);
    return [...new Set([TOOL_SEARCH_TOOL_NAME, ...this.tools.alwaysAvailable, ...this.asked, ...found])];
  }

  /** Tools were found by a search. Of searches in the same round, all count. */
  found(names: readonly string[]): void {
    if (!this.accumulates && this.#searchedIn !== this.#round) this.discovered.clear();
    this.#searchedIn = this.#round;
    this.discovered.add(...names);
  }

  /** Tools have run: a model that knew one without having searched for it goes on with it. */
  ran(message: Message | undefined): void {
    if (message?.role !== 'tool') return;
    for (const { name } of message.responses) {
      const known = this.tools.nameOf(name);
      if (known !== undefined) this.discovered.add(known);
    }
  }

  /** What searches have found that the messages tell of: of a caller who keeps the conversation, that is all there is. */
  #namesIn(messages: readonly Message[]): readonly string[] {
    if (this.accumulates) return messages.flatMap(namesFoundIn);
    const last = messages.findLast((message) => namesFoundIn(message).length > 0);
    return last ? namesFoundIn(last) : [];
  }
}

const NO_NAMES: readonly string[] = Object.freeze([]);
const foundIn = new WeakMap<ToolResponseMessage, readonly string[]>();

function namesFoundIn(message: Message): readonly string[] {
  if (message.role !== 'tool') return NO_NAMES;
  let names = foundIn.get(message);
  if (!names) {
    names = message.responses.flatMap(({ name, responseData }) =>
      name === TOOL_SEARCH_TOOL_NAME ? namesOf(responseData) : [],
    );
    foundIn.set(message, names);
  }
  return names;
}

/** What is no list of names, such as the text of an error, names nothing. */
function namesOf(responseData: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(responseData);
    return Array.isArray(parsed) ? parsed.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
