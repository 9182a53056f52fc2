import {
  AroundAdvisor,
  ChatMemory,
  type ChatClientRequest,
  type ChatClientResponse,
  type ConversationLog,
  type ConversationTurn,
  FunctionToolCallback,
  LOOP_TOOL,
  type NextHandler,
  Ordered,
  Prompt,
  type ToolCallback,
  type ToolContext,
  ToolResult,
} from '@nestor-ai/core';
import {
  checkAdvisorOrder,
  checkOwner,
  rememberByList,
  requireOptions,
  scopeOf,
  type Speaker,
  speakerOf,
  SUMMARY,
  type TurnControl,
} from '@nestor-ai/core/internal';
import { findPassages, passagesOf, SEARCH_CONVERSATION } from './passages.js';

/** The options of {@link ConversationSearchAdvisor}. */
export interface ConversationSearchAdvisorOptions {
  /** Has the conversations. A `ChatMemoryRepository` forgets what leaves the window, so that nothing is found. */
  log: ConversationLog;
  /** How many of the newest messages a search reads. Default: 5,000. */
  maxMessages?: number;
  /** How many passages a search finds, each of at most 1,000 characters. Default: 5. */
  maxResults?: number;
  /** Default: {@link ConversationSearchAdvisor.DEFAULT_ORDER}, before the tool loop. */
  order?: number;
}

/** How many messages are read at once. */
const PAGE = 500;

/** The conversation of a request. */
const CONVERSATION = Symbol.for('nestor.SearchedConversation');

interface Search {
  readonly query: string;
}

/**
 * Lets the model search what was said earlier in the conversation, and has left its view: a request
 * with `.conversation(id)` gets the tool `search_conversation`. It finds passages by their words.
 *
 * It only searches the conversation of the request, and only if that
 * belongs to the user of the request. A result with a passage that strangers may have written is untrusted. The client
 * needs the tool loop, which it has by default.
 *
 * @example
 * new ConversationSearchAdvisor({ log });
 */
export class ConversationSearchAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = Ordered.HIGHEST_PRECEDENCE + 250;

  readonly name = 'Conversation Search Advisor';
  override readonly order: number;
  readonly #log: ConversationLog;
  readonly #maxMessages: number;
  readonly #maxResults: number;
  readonly #tool = new SearchConversation((search, context) => this.#search(search, context));
  readonly #withTool = rememberByList((callbacks) => this.#added(callbacks));

  /**
   * @throws TypeError without a log
   * @throws RangeError when a number is not a whole number greater than 0
   */
  constructor(options: ConversationSearchAdvisorOptions) {
    super();
    const {
      log,
      maxMessages = 5000,
      maxResults = 5,
      order,
    } = requireOptions(ConversationSearchAdvisor, options, '{ log }');
    if (typeof (log as Partial<ConversationLog> | undefined)?.read !== 'function')
      throw new TypeError('ConversationSearchAdvisor needs a log. AiModule has one: inject ConversationLog.');
    for (const [name, value] of Object.entries({ maxMessages, maxResults }))
      if (!Number.isInteger(value) || value < 1)
        throw new RangeError(`${name} must be a whole number greater than 0, but is ${value}.`);
    this.#log = log;
    this.#maxMessages = maxMessages;
    this.#maxResults = maxResults;
    this.order = checkAdvisorOrder(order ?? ConversationSearchAdvisor.DEFAULT_ORDER);
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { messages, options } = request.prompt;
    const id = request.context[ChatMemory.CONVERSATION_ID];
    const scope = scopeOf(options);
    if (typeof id !== 'string' || !scope) return next.handle(request);
    scope.set(CONVERSATION, id);
    const toolCallbacks = this.#withTool(options?.toolCallbacks ?? []);
    return next.handle({ ...request, prompt: Prompt.of(messages, { ...options, toolCallbacks }) });
  }

  #added(callbacks: readonly ToolCallback[]): readonly ToolCallback[] {
    if (callbacks.some(({ toolDefinition }) => toolDefinition.name === SEARCH_CONVERSATION))
      throw new Error(`Rename your tool '${SEARCH_CONVERSATION}': ConversationSearchAdvisor adds a tool of that name.`);
    return Object.freeze([...callbacks, this.#tool]);
  }

  async #search({ query }: Search, { turn, history, signal }: ToolContext): Promise<string | ToolResult> {
    const { scope } = turn as TurnControl;
    const id = scope.get<string>(CONVERSATION)!;
    const by = speakerOf(scope, turn as TurnControl);
    const said = await this.#read(id, signal, by);
    const visible = new Set(passagesOf(history).map(({ text }) => text));
    const passages = passagesOf(said.flatMap(({ messages }) => messages)).filter(({ text }) => !visible.has(text));
    const found = await findPassages(passages, query, this.#maxResults);
    if (found.length === 0)
      return `Nothing in the earlier part of the conversation has words of '${query}'. Try other words.`;
    const text = found.map(({ by, text: what }) => JSON.stringify({ [by]: what })).join('\n');
    return found.some(({ isUntrusted }) => isUntrusted) ? new ToolResult({ text, untrusted: true }) : text;
  }

  /** The newest turns, oldest first, without summaries of others. */
  async #read(id: string, signal: AbortSignal, by: Speaker | undefined): Promise<readonly ConversationTurn[]> {
    const { turns: newest, owner } = await this.#log.read(id, { limit: PAGE });
    if (newest.length > 0 || owner !== undefined) checkOwner(owner, by);
    let turns = newest;
    let count = sizeOf(newest);
    for (let page = newest; sizeOf(page) >= PAGE && count < this.#maxMessages;) {
      signal.throwIfAborted();
      ({ turns: page } = await this.#log.read(id, { limit: PAGE, before: turns[0]!.position }));
      turns = [...page, ...turns];
      count += sizeOf(page);
    }
    return turns.filter(({ pin }) => pin !== SUMMARY);
  }
}

function sizeOf(turns: readonly ConversationTurn[]): number {
  return turns.reduce((size, { messages }) => size + messages.length, 0);
}

/** The tool of the loop: no filter applies to it, and a tool search always offers it. */
class SearchConversation extends FunctionToolCallback<Search> {
  readonly [LOOP_TOOL] = true;

  constructor(toolFunction: (search: Search, context: ToolContext) => unknown) {
    super({
      name: SEARCH_CONVERSATION,
      description:
        'Search what was said earlier in this conversation and is not visible any more. Use it if the user refers to ' +
        'something that you do not know.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', maxLength: 500, description: 'Words that the passage has, such as names' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      toolMetadata: { returnDirect: false, alwaysAvailable: true, effect: 'read', ui: 'input' },
      toolFunction,
    });
  }
}
