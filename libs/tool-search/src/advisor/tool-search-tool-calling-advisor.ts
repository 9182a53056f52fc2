import {
  type CallAdvisorChain,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatMemory,
  type ChatOptions,
  type Prompt,
  ToolCallingAdvisor,
  type ToolCallingAdvisorOptions,
  type ToolContext,
  type ToolExecutionResult,
  Turn,
} from '@nestor-ai/core';
import { LruEvictionStrategy, type ToolIndexEvictionStrategy } from '../eviction/tool-index-eviction-strategy.js';
import type { ToolIndex, ToolSearchResponse } from '../tool-index/tool-index.js';
import { TOOL_SEARCH_TOOL_NAME } from './found-names.js';
import { SearchableTools } from './searchable-tools.js';
import { SearchTools } from './search-tools.js';
import { SharedSessions } from './shared-sessions.js';
import type { ToolSearchSessionRepository } from './tool-search-session.repository.js';
import { ToolSearchSessions } from './tool-search-sessions.js';
import type { ToolSearchInput } from './tool-search-tool.js';
import { ToolSearchTurn } from './tool-search-turn.js';

/** The options of {@link ToolSearchToolCallingAdvisor}. */
export interface ToolSearchToolCallingAdvisorOptions extends ToolCallingAdvisorOptions {
  /** Finds the tools. */
  toolIndex: ToolIndex;
  /** The number of tools that a search finds if the model does not set it. Default: 5. */
  maxResults?: number | undefined;
  /**
   * Appended to the system message, to tell the model about the search. Default:
   * {@link DEFAULT_SYSTEM_MESSAGE_SUFFIX}.
   */
  systemMessageSuffix?: string | undefined;
  /**
   * Whether found tools stay available after the next search. If false, only the results of the
   * last search are available. Default: true.
   */
  referenceToolNameAccumulation?: boolean;
  /** The key of the session id in the advisor context. Default: `chat_memory_conversation_id`. */
  sessionIdKeyName?: string;
  /** Decides when sessions are evicted. Default: the last 1,000 sessions are kept. */
  evictionStrategy?: ToolIndexEvictionStrategy;
  /** Stores the found tools of sessions for other processes. Default: only this process knows them. */
  sessionRepository?: ToolSearchSessionRepository | undefined;
  /** Separates the sessions of several advisors that share an index. Default: none. */
  sessionScope?: string | undefined;
}

/** The default text that tells the model about the search. */
export const DEFAULT_SYSTEM_MESSAGE_SUFFIX =
  '\n\nYou have more tools than you are shown. When something is to be done or looked up and none of the tools you see fits, call ' +
  `${TOOL_SEARCH_TOOL_NAME} to find those that do; you can call them in your next step. Do not say that something cannot be done before ` +
  'you have searched.';

/** The default number of sessions to keep. */
export const DEFAULT_MAX_SESSIONS = 1000;

/** The default number of tools that a search finds. */
export const DEFAULT_SEARCH_RESULTS = 5;

/** The maximum number of tools that the model may request, unless the default is higher. */
const MOST_RESULTS = 10;

/** Separates the parts of a session id. Application ids do not contain this character. */
const APART = '\u0000';

/**
 * A tool loop that offers the model one tool, which finds the others. The model only receives the
 * definitions of tools that it has found, which saves the tokens of all others. Tools with
 * `metadata: { alwaysAvailable: true }` are always offered.
 *
 * Found tools stay available in the session, whose id is the value of
 * `chat_memory_conversation_id` in the advisor context. Without a session, they stay available for
 * the turn.
 *
 * @example
 * const search = new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() });
 * const client = ChatClient.builder(model)
 *   .defaultTools(new ManyTools())
 *   .defaultAdvisors(search)
 *   .build();
 */
export class ToolSearchToolCallingAdvisor extends ToolCallingAdvisor {
  override readonly name: string = 'ToolSearchToolCallingAdvisor';
  readonly #sessions: ToolSearchSessions;
  readonly #shared: SharedSessions | undefined;
  readonly #searchTools: SearchTools;
  readonly #suffix: string;
  readonly #maxResults: number;
  readonly #sessionKey: string;
  readonly #scope: string;
  readonly #accumulates: boolean;

  /**
   * @throws TypeError without an index, or when the suffix or the session key is empty
   * @throws RangeError when maxResults is not a whole number greater than 0, or for an invalid
   * option of `ToolCallingAdvisor`
   */
  constructor(options: ToolSearchToolCallingAdvisorOptions) {
    super(options);
    const { toolIndex, maxResults = DEFAULT_SEARCH_RESULTS, systemMessageSuffix, sessionIdKeyName } = options;
    if (!toolIndex) throw new TypeError('toolIndex is required. Pass new KeywordToolIndex() or another ToolIndex.');
    if (!Number.isInteger(maxResults) || maxResults < 1) {
      throw new RangeError(`maxResults must be a whole number greater than 0, but is ${maxResults}.`);
    }
    this.#sessions = new ToolSearchSessions(
      toolIndex,
      options.evictionStrategy ?? new LruEvictionStrategy(DEFAULT_MAX_SESSIONS),
    );
    this.#shared = options.sessionRepository && new SharedSessions(options.sessionRepository);
    this.#maxResults = maxResults;
    this.#searchTools = new SearchTools((input, context) => this.#search(input, context), maxResults);
    this.#suffix = requireText(systemMessageSuffix ?? DEFAULT_SYSTEM_MESSAGE_SUFFIX, 'systemMessageSuffix');
    this.#sessionKey = requireText(sessionIdKeyName ?? ChatMemory.CONVERSATION_ID, 'sessionIdKeyName');
    this.#scope = options.sessionScope ? options.sessionScope + APART : '';
    this.#accumulates = options.referenceToolNameAccumulation ?? true;
  }

  /** Removes the index and the found tools of a session, such as when its user signs out. */
  async evictSession(sessionId: string): Promise<void> {
    await this.#sessions.evict(this.#scope + sessionId);
    await this.#shared?.delete(this.#scope + sessionId);
  }

  /** @throws TypeError when a tool of the request has the name of the search tool */
  protected override async doInitializeLoop(
    request: ChatClientRequest,
    chain: CallAdvisorChain,
  ): Promise<ChatClientRequest> {
    const given = await super.doInitializeLoop(request, chain);
    const { options } = given.prompt;
    const turn = Turn.of(given);
    const callbacks = options?.toolCallbacks ?? [];
    if (!turn || callbacks.length === 0) return given;
    const tools = SearchableTools.of(callbacks);
    if (tools.isEmpty) return given;
    const taken = callbacks.find(({ toolDefinition }) => toolDefinition.name === TOOL_SEARCH_TOOL_NAME);
    if (taken) {
      throw new TypeError(
        `A tool of the request (${taken.origin}) has the name '${TOOL_SEARCH_TOOL_NAME}' of the search tool. Rename it, or ` +
          'disable the tool search for this client.',
      );
    }
    const named = readSessionId(given.context[this.#sessionKey], this.#sessionKey);
    const shared = named === undefined ? undefined : this.#shared;
    const stored = shared && (await shared.read(this.#scope + named));
    const begun = turn.state(this, () => this.#begin(tools, given.prompt, named, stored));
    // After results that are returned directly, there is no next round.
    turn.onEnd((outcome) => {
      if (outcome.status !== 'failed') begun.answered(outcome.messages.at(-1));
      return begun.save();
    });
    const prompt = this.#instruct(given.prompt).with({
      options: { ...options, toolCallbacks: this.#searchTools.withSearch(tools) },
    });
    return { ...given, prompt };
  }

  protected override async doBeforeCall(
    request: ChatClientRequest,
    chain: CallAdvisorChain,
  ): Promise<ChatClientRequest> {
    const given = await super.doBeforeCall(request, chain);
    const { options, messages } = given.prompt;
    const turn = this.#begunIn(Turn.of(given));
    if (!turn) return given;
    return { ...given, prompt: given.prompt.with({ options: { ...options, offeredToolNames: turn.offer(messages) } }) };
  }

  protected override doGetNextInstructionsForToolCall(
    request: ChatClientRequest,
    response: ChatClientResponse,
    result: ToolExecutionResult,
    chain: CallAdvisorChain,
  ): ReturnType<ToolCallingAdvisor['doGetNextInstructionsForToolCall']> {
    this.#begunIn(Turn.of(request))?.answered(result.conversationHistory.at(-1));
    return super.doGetNextInstructionsForToolCall(request, response, result, chain);
  }

  /**
   * @param named the id of the session. Undefined for a turn without one
   * @param stored the tools that the session has found, also in other processes
   */
  #begin(
    tools: SearchableTools,
    { options }: Prompt,
    named: string | undefined,
    stored: readonly string[] | undefined,
  ): ToolSearchTurn {
    // Turns without a session share an index by the content of their tools.
    const id = this.#scope + (named ?? APART + tools.key);
    const session = this.#sessions.open(id, tools);
    const discovered = named === undefined ? new Set<string>() : session.discovered;
    const accumulates = this.#accumulates;
    if (stored && !accumulates) discovered.clear();
    const asked = askedFor(options, tools);
    // A resumed turn was already offered the tools found so far, perhaps by another process.
    const isResumed = options?.toolApprovals !== undefined;
    const offered = isResumed ? asked.filter((name) => !tools.alwaysAvailable.includes(name)) : [];
    for (const name of [...(stored ?? []), ...offered]) discovered.add(name);
    const shared = named === undefined ? undefined : this.#shared;
    return new ToolSearchTurn({
      tools,
      session,
      discovered,
      asked: isResumed ? [] : asked,
      accumulates,
      ...(shared && { save: () => shared.write(id, stored, discovered) }),
    });
  }

  /** Undefined for a turn without searchable tools. */
  #begunIn(turn: Turn | undefined): ToolSearchTurn | undefined {
    return turn?.state<ToolSearchTurn | undefined>(this, () => undefined);
  }

  /** The system message of a resumed turn already contains the suffix. */
  #instruct(prompt: Prompt): Prompt {
    const text = prompt.systemMessage?.text ?? '';
    const suffix = text === '' ? this.#suffix.trimStart() : this.#suffix;
    return text.endsWith(this.#suffix.trimStart()) ? prompt : prompt.augmentSystemMessage(text + suffix);
  }

  async #search(input: ToolSearchInput, context: ToolContext): Promise<ToolSearchResponse> {
    const turn = this.#begunIn(context.turn);
    if (!turn) throw new Error(`${TOOL_SEARCH_TOOL_NAME} was called outside its tool loop.`);
    const { query, maxResults, categoryFilter } = input;
    const response = await this.#sessions.search(turn.session, turn.tools, {
      query,
      maxResults: this.#clamp(maxResults ?? this.#maxResults),
      signal: context.signal,
      ...(categoryFilter?.trim() && { categoryFilter }),
    });
    // A custom index may return tools that the request does not have.
    const toolReferences = response.toolReferences.filter(({ toolName }) => turn.tools.nameOf(toolName) !== undefined);
    turn.found(
      context.toolCall.id,
      toolReferences.map(({ toolName }) => toolName),
    );
    return { ...response, toolReferences };
  }

  #clamp(maxResults: number): number {
    return Math.min(Math.max(1, Math.floor(maxResults)), Math.max(MOST_RESULTS, this.#maxResults));
  }
}

/** The tools that are always offered: those the request lists, and the one it must call. */
function askedFor(options: ChatOptions | undefined, tools: SearchableTools): readonly string[] {
  const { offeredToolNames = [], toolChoice } = options ?? {};
  const demanded = typeof toolChoice === 'object' ? [toolChoice.toolName] : [];
  return [...offeredToolNames, ...demanded].flatMap((name) => tools.nameOf(name) ?? []);
}

/** @throws TypeError for values that would be converted to the same text for everyone */
function readSessionId(value: unknown, key: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  throw new TypeError(
    `'${key}' in the advisor context is the session id. It must be a string, but is ${typeof value}.`,
  );
}

/** @throws TypeError when the text is blank */
function requireText(text: string, name: string): string {
  if (typeof text !== 'string' || text.trim() === '') throw new TypeError(`${name} must have text.`);
  return text;
}
