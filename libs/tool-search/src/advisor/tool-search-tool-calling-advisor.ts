import {
  type CallAdvisorChain,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChatOptions,
  type Prompt,
  type ToolCallback,
  ToolCallingAdvisor,
  type ToolCallingAdvisorOptions,
  type ToolContext,
  type ToolExecutionResult,
  TURN_CONTEXT,
  type TurnContext,
} from '@nestor-ai/core';
import { LruEvictionStrategy, type ToolIndexEvictionStrategy } from '../eviction/tool-index-eviction-strategy.js';
import type { ToolIndex, ToolSearchResponse } from '../tool-index/tool-index.js';
import { DiscoveredTools } from './discovered-tools.js';
import { SearchableTools } from './searchable-tools.js';
import { ToolSearchSessions } from './tool-search-sessions.js';
import { type ToolSearchInput, ToolSearchTool } from './tool-search-tool.js';
import { TOOL_SEARCH_TOOL_NAME, ToolSearchTurn } from './tool-search-turn.js';

/** The options of {@link ToolSearchToolCallingAdvisor}. */
export interface ToolSearchToolCallingAdvisorOptions extends ToolCallingAdvisorOptions {
  /** Finds the tools. */
  toolIndex: ToolIndex;
  /** How many tools a search finds when the model does not say how many. Default: 5. */
  maxResults?: number | undefined;
  /** What is appended to the instructions, to tell the model of the search. Default: {@link DEFAULT_SYSTEM_MESSAGE_SUFFIX}. */
  systemMessageSuffix?: string | undefined;
  /** Whether tools that were found stay offered when others are searched for. Off, those of the last search are. Default: true. */
  referenceToolNameAccumulation?: boolean;
  /** The key of the advisor context under which the session is named. Default: `chat_memory_conversation_id`. */
  sessionIdKeyName?: string;
  /** Decides when sessions are forgotten. Default: the last 1,000 are kept. */
  evictionStrategy?: ToolIndexEvictionStrategy;
  /** Set this apart where several advisors search one index: each then has sessions of its own. Default: none. */
  sessionScope?: string | undefined;
}

/** What the model is told of the search. */
export const DEFAULT_SYSTEM_MESSAGE_SUFFIX =
  '\n\nYou have more tools than you are shown. When something is to be done or looked up and none of the tools you see fits, call ' +
  `${TOOL_SEARCH_TOOL_NAME} to find those that do; you can call them in your next step. Do not say that something cannot be done before ` +
  'you have searched.';

/** How many sessions are kept when nobody says how many. */
export const DEFAULT_MAX_SESSIONS = 1000;

/** How many tools a search finds when nobody says how many. */
export const DEFAULT_SEARCH_RESULTS = 5;

/** How many tools the model may ask for at once, unless more are the default. */
const MOST_RESULTS = 10;

/** What the index of turns without a session is called, before the key of their tools. */
const UNNAMED = 'tools:';

/** How many search tools are kept, one for each choice of categories. */
const MAX_REMEMBERED = 100;

const DEFAULT_SESSION_KEY = 'chat_memory_conversation_id';

/**
 * A tool loop in which the model is shown one tool, which finds the others: it sees the definitions of those it has found, and the
 * tokens of all others are saved. Tools with `metadata: { alwaysAvailable: true }` are shown from the beginning.
 *
 * What was found stays with the session, named under `chat_memory_conversation_id` in the advisor context. Without a session, it
 * stays for the turn.
 *
 * @example
 * const search = new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() });
 * const client = ChatClient.builder(model).defaultTools(new ManyTools()).defaultAdvisors(search).build();
 */
export class ToolSearchToolCallingAdvisor extends ToolCallingAdvisor {
  override readonly name: string = 'ToolSearchToolCallingAdvisor';
  readonly #sessions: ToolSearchSessions;
  readonly #turns = new WeakMap<TurnContext, ToolSearchTurn>();
  readonly #searchTools = new Map<string, ToolSearchTool>();
  readonly #withSearchTool = new WeakMap<readonly ToolCallback[], readonly ToolCallback[]>();
  readonly #suffix: string;
  readonly #maxResults: number;
  readonly #sessionKey: string;
  readonly #scope: string;
  readonly #accumulates: boolean;

  /**
   * @throws TypeError without an index, or when the suffix or the session key is empty
   * @throws RangeError when maxResults is not a whole number greater than 0, or for what `ToolCallingAdvisor` refuses
   */
  constructor(options: ToolSearchToolCallingAdvisorOptions) {
    super(options);
    const { toolIndex, maxResults = DEFAULT_SEARCH_RESULTS, systemMessageSuffix, sessionIdKeyName } = options;
    if (!toolIndex) throw new TypeError('toolIndex is required: pass new KeywordToolIndex(), or another ToolIndex.');
    if (!Number.isInteger(maxResults) || maxResults < 1) {
      throw new RangeError(`maxResults must be a whole number greater than 0, but is ${maxResults}.`);
    }
    this.#sessions = new ToolSearchSessions(
      toolIndex,
      options.evictionStrategy ?? new LruEvictionStrategy(DEFAULT_MAX_SESSIONS),
    );
    this.#maxResults = maxResults;
    this.#suffix = requireText(systemMessageSuffix ?? DEFAULT_SYSTEM_MESSAGE_SUFFIX, 'systemMessageSuffix');
    this.#sessionKey = requireText(sessionIdKeyName ?? DEFAULT_SESSION_KEY, 'sessionIdKeyName');
    this.#scope = options.sessionScope ? `${options.sessionScope}:` : '';
    this.#accumulates = options.referenceToolNameAccumulation ?? true;
  }

  /** Forgets a session, such as when its user signs out: its index, and the tools found in it. */
  async evictSession(sessionId: string): Promise<void> {
    await this.#sessions.evict(this.#scope + sessionId);
  }

  /** @throws TypeError when a tool of the request has the name of the search */
  protected override async doInitializeLoop(
    request: ChatClientRequest,
    chain: CallAdvisorChain,
  ): Promise<ChatClientRequest> {
    const given = await super.doInitializeLoop(request, chain);
    const { options } = given.prompt;
    const turn = options?.[TURN_CONTEXT];
    const callbacks = options?.toolCallbacks ?? [];
    if (!turn || callbacks.length === 0) return given;
    const tools = SearchableTools.of(callbacks);
    if (tools.isEmpty) return given;
    const taken = callbacks.find(({ toolDefinition }) => toolDefinition.name === TOOL_SEARCH_TOOL_NAME);
    if (taken) {
      throw new TypeError(
        `The tool ${taken.origin} is named '${TOOL_SEARCH_TOOL_NAME}', as the one that finds tools. Give it another name, or ` +
          'turn the tool search off for this client.',
      );
    }
    this.#turns.set(turn, this.#begin(tools, given));
    const prompt = this.#instruct(given.prompt).with({
      options: { ...options, toolCallbacks: this.#includingSearch(tools) },
    });
    return { ...given, prompt };
  }

  protected override async doBeforeCall(
    request: ChatClientRequest,
    chain: CallAdvisorChain,
  ): Promise<ChatClientRequest> {
    const given = await super.doBeforeCall(request, chain);
    const { options, messages } = given.prompt;
    const turn = this.#turnOf(options);
    if (!turn) return given;
    return { ...given, prompt: given.prompt.with({ options: { ...options, offeredToolNames: turn.offer(messages) } }) };
  }

  protected override doGetNextInstructionsForToolCall(
    request: ChatClientRequest,
    response: ChatClientResponse,
    result: ToolExecutionResult,
    chain: CallAdvisorChain,
  ): ReturnType<ToolCallingAdvisor['doGetNextInstructionsForToolCall']> {
    this.#turnOf(request.prompt.options)?.ran(result.conversationHistory.at(-1));
    return super.doGetNextInstructionsForToolCall(request, response, result, chain);
  }

  #begin(tools: SearchableTools, { prompt, context }: ChatClientRequest): ToolSearchTurn {
    const sessionId = context[this.#sessionKey];
    const isNamed = sessionId !== undefined && sessionId !== null && sessionId !== '';
    // Turns without a session have an index by what is in it: whoever has the same tools may search it.
    const id = this.#scope + (isNamed ? String(sessionId) : `${UNNAMED}${tools.key}`);
    const session = this.#sessions.open(id, tools);
    const discovered = isNamed ? session.discovered : new DiscoveredTools();
    return new ToolSearchTurn(tools, session, discovered, askedFor(prompt.options, tools), this.#accumulates);
  }

  #turnOf(options: ChatOptions | undefined): ToolSearchTurn | undefined {
    const turn = options?.[TURN_CONTEXT];
    return turn && this.#turns.get(turn);
  }

  /** A turn that goes on after it was suspended has been told already. */
  #instruct(prompt: Prompt): Prompt {
    const text = prompt.systemMessage?.text ?? '';
    const suffix = text === '' ? this.#suffix.trimStart() : this.#suffix;
    return text.endsWith(suffix) ? prompt : prompt.augmentSystemMessage(text + suffix);
  }

  /** The same list for the same tools: what the loop knows of a list is kept under the list itself. */
  #includingSearch(tools: SearchableTools): readonly ToolCallback[] {
    let callbacks = this.#withSearchTool.get(tools.callbacks);
    if (!callbacks) {
      callbacks = Object.freeze([this.#searchToolFor(tools.categories), ...tools.callbacks]);
      if (Object.isFrozen(tools.callbacks)) this.#withSearchTool.set(tools.callbacks, callbacks);
    }
    return callbacks;
  }

  #searchToolFor(categories: readonly string[]): ToolSearchTool {
    const key = JSON.stringify(categories);
    let tool = this.#searchTools.get(key);
    if (!tool) {
      if (this.#searchTools.size >= MAX_REMEMBERED) this.#searchTools.clear();
      tool = new ToolSearchTool((input, context) => this.#search(input, context), this.#maxResults, categories);
      this.#searchTools.set(key, tool);
    }
    return tool;
  }

  async #search(input: ToolSearchInput, context: ToolContext): Promise<ToolSearchResponse> {
    const turn = this.#turns.get(context.turn);
    if (!turn) throw new Error(`${TOOL_SEARCH_TOOL_NAME} was called outside of the loop that it belongs to.`);
    const { query, maxResults, categoryFilter } = input;
    const response = await this.#sessions.search(turn.session, turn.tools, {
      query,
      maxResults: this.#clamp(maxResults ?? this.#maxResults),
      ...(categoryFilter?.trim() && { categoryFilter }),
    });
    // An index of somebody's own may know more tools than the request has.
    const toolReferences = response.toolReferences.filter(({ toolName }) => turn.tools.nameOf(toolName) !== undefined);
    turn.found(toolReferences.map(({ toolName }) => toolName));
    return { ...response, toolReferences };
  }

  #clamp(maxResults: number): number {
    return Math.min(Math.max(1, Math.floor(maxResults)), Math.max(MOST_RESULTS, this.#maxResults));
  }
}

/** What the request wants to be offered whatever is found: the tools it names, and the one that the model has to call. */
function askedFor(options: ChatOptions | undefined, tools: SearchableTools): readonly string[] {
  const { offeredToolNames = [], toolChoice } = options ?? {};
  const demanded = typeof toolChoice === 'object' ? [toolChoice.toolName] : [];
  return [...offeredToolNames, ...demanded].flatMap((name) => tools.nameOf(name) ?? []);
}

/** @throws TypeError when there is nothing in it */
function requireText(text: string, name: string): string {
  if (typeof text !== 'string' || text.trim() === '') throw new TypeError(`${name} must have text.`);
  return text;
}
