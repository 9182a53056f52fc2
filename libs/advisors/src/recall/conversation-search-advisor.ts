import {
  AroundAdvisor,
  ChatMemory,
  type ChatClientRequest,
  type ChatClientResponse,
  type ConversationLog,
  type ConversationTurn,
  type EmbeddingModel,
  FunctionToolCallback,
  LOOP_TOOL,
  type NextHandler,
  Ordered,
  Prompt,
  type ToolContext,
  ToolResult,
} from '@nestor-ai/core';
import {
  checkAdvisorOrder,
  checkOwner,
  requireOptions,
  requirePositive,
  sizeOf,
  speakerOf,
  SUMMARY,
  type TurnControl,
} from '@nestor-ai/core/internal';
import { Meanings } from './meanings.js';
import { PassageIndex, passagesOf, saidIn, SEARCH_CONVERSATION } from './passages.js';

/** The options of {@link ConversationSearchAdvisor}. */
export interface ConversationSearchAdvisorOptions {
  /** Has the conversations. A `ChatMemoryRepository` forgets what leaves the window, so that nothing is found. */
  log: ConversationLog;
  /**
   * Also finds the passages that mean something like the query, among the newest 1,000. It gets the
   * text of each passage once, until the process ends. If it fails, words alone are searched.
   */
  embeddingModel?: EmbeddingModel;
  /** How many of the newest messages a search reads. Default: 5,000. */
  maxMessages?: number;
  /** How many passages a search finds, each of at most about 1,000 characters. Default: 5. */
  maxResults?: number;
  /** Default: {@link ConversationSearchAdvisor.DEFAULT_ORDER}, before the tool loop. */
  order?: number;
}

/** How many messages are read at once. */
const PAGE = 500;

interface Search {
  readonly query: string;
}

/**
 * Lets the model search what was said earlier in the conversation, and has left its view: a request
 * with `.conversation(id)` gets the tool `search_conversation`. It finds passages by their words,
 * and with an `embeddingModel` by their meaning.
 *
 * It only searches the conversation of the request, and only if that belongs to the user of the
 * request. A result with a passage that strangers may have written is untrusted. A request whose
 * tools its caller runs does not get the tool.
 *
 * @example
 * new ConversationSearchAdvisor({ log });
 */
export class ConversationSearchAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = Ordered.HIGHEST_PRECEDENCE + 250;

  readonly name = 'Conversation Search Advisor';
  override readonly order: number;
  readonly #log: ConversationLog;
  readonly #meanings: Meanings | undefined;
  readonly #maxMessages: number;
  readonly #maxResults: number;
  readonly #indexes = new WeakMap<TurnControl, Promise<PassageIndex>>();

  /**
   * @throws TypeError without a log, or with an embeddingModel that is none
   * @throws RangeError when a number is not a whole number greater than 0
   */
  constructor(options: ConversationSearchAdvisorOptions) {
    super();
    const given = requireOptions(ConversationSearchAdvisor, options, '{ log }');
    const { log, embeddingModel, maxMessages = 5000, maxResults = 5, order } = given;
    if (typeof (log as Partial<ConversationLog> | undefined)?.read !== 'function')
      throw new TypeError('ConversationSearchAdvisor needs a log. AiModule has one: inject ConversationLog.');
    if (embeddingModel && typeof (embeddingModel as Partial<EmbeddingModel>).embed !== 'function')
      throw new TypeError('embeddingModel of ConversationSearchAdvisor is no EmbeddingModel.');
    requirePositive({ maxMessages, maxResults });
    this.#log = log;
    this.#meanings = embeddingModel && new Meanings(embeddingModel);
    this.#maxMessages = maxMessages;
    this.#maxResults = maxResults;
    this.order = checkAdvisorOrder(order ?? ConversationSearchAdvisor.DEFAULT_ORDER);
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { messages, options } = request.prompt;
    const id = request.context[ChatMemory.CONVERSATION_ID];
    const tools = options?.toolCallbacks ?? [];
    const isOwnLoop = options?.internalToolExecutionEnabled === false;
    if (typeof id !== 'string' || isOwnLoop || tools.some((tool) => tool instanceof SearchConversation))
      return next.handle(request);
    if (tools.some(({ toolDefinition }) => toolDefinition.name === SEARCH_CONVERSATION))
      throw new Error(`Rename your tool '${SEARCH_CONVERSATION}': ConversationSearchAdvisor adds a tool of that name.`);
    const tool = new SearchConversation((search, context) => this.#search(id, search, context));
    return next.handle({ ...request, prompt: Prompt.of(messages, { ...options, toolCallbacks: [...tools, tool] }) });
  }

  async #search(id: string, { query }: Search, { turn, history, signal }: ToolContext): Promise<string | ToolResult> {
    const index = await this.#indexOf(id, turn as TurnControl, signal);
    const nearest = (await this.#meanings?.nearest(query, index.passages, signal)) ?? [];
    const found = index.find(query, nearest, this.#maxResults, saidIn(history));
    if (found.length === 0)
      return `Nothing in the earlier part of the conversation has words of '${query}'. Try other words.`;
    const text = found.map(({ by, text: what, turnsAgo }) => JSON.stringify({ turnsAgo, [by]: what })).join('\n');
    return found.some(({ isUntrusted }) => isUntrusted) ? new ToolResult({ text, untrusted: true }) : text;
  }

  /** The calls of a turn share one index. */
  #indexOf(id: string, turn: TurnControl, signal: AbortSignal): Promise<PassageIndex> {
    let index = this.#indexes.get(turn);
    if (!index) {
      index = this.#read(id, turn, signal);
      this.#indexes.set(turn, index);
      index.catch(() => this.#indexes.delete(turn));
    }
    return index;
  }

  async #read(id: string, turn: TurnControl, signal: AbortSignal): Promise<PassageIndex> {
    const by = speakerOf(turn.scope, turn);
    const turns: ConversationTurn[] = [];
    for (let left = this.#maxMessages; left > 0;) {
      const limit = Math.min(PAGE, left);
      const before = turns[0]?.position;
      const page = await this.#log.read(id, { limit, ...(before !== undefined && { before }) });
      signal.throwIfAborted();
      if (page.turns.length > 0) checkOwner(page.owner, by);
      turns.unshift(...page.turns);
      const size = sizeOf(page.turns);
      if (size < limit) break;
      left -= size;
    }
    return PassageIndex.of(passagesOf(turns.filter(({ pin }) => pin !== SUMMARY)), signal);
  }
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
