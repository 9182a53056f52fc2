import { LRUCache } from 'lru-cache';
import { Observable, type Subscription } from 'rxjs';
import type { ChatMemory } from '../memory/chat-memory.js';
import type { ChatResponse } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { Message } from '../model/messages.js';
import { refuseNullOptions } from '../model/null-checks.js';
import { Prompt } from '../model/prompt.js';
import { TURN_CONTEXT, type TurnContext } from '../model/turn-context.js';
import {
  Advisor,
  type CallAdvisor,
  type CallAdvisorChain,
  MemoryAdvisor,
  type StreamAdvisor,
  type StreamAdvisorChain,
} from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ChatClientMessageAggregator } from './chat-client-message-aggregator.js';
import {
  answersOf,
  conversationIdOf,
  enterConversation,
  Hold,
  joined,
  newMessages,
  within,
  withMemory,
} from './conversation.js';
import { TurnMemory } from './turn-memory.js';
import { RESUMED_MESSAGES } from './turn-suspension.js';

/** The options of {@link MessageChatMemoryAdvisor}. */
export interface MessageChatMemoryAdvisorOptions {
  chatMemory: ChatMemory;
  /**
   * Where in the chain the advisor stands. Before the tool loop, it remembers what the user asked and what was answered; after it
   * (`ToolCallingAdvisor.DEFAULT_ORDER + 100`), the tool calls and their responses as well. Default: before it.
   */
  order?: number;
  /** The same as `order`. */
  advisorOrder?: number;
}

/** How many conversations may have a turn that its caller runs himself. */
const MAX_OPEN = 1000;

/**
 * Remembers a conversation: puts what was said before into the request, and keeps what is said now, when the turn has ended well.
 * Turns of one conversation wait for each other, so that each sees what was said in the one before.
 */
export class MessageChatMemoryAdvisor implements CallAdvisor, StreamAdvisor, MemoryAdvisor {
  readonly [MemoryAdvisor] = true as const;
  readonly name = 'Message Chat Memory Advisor';
  readonly order: number;
  readonly #memory: ChatMemory;
  readonly #turns = new WeakMap<TurnContext, TurnMemory>();
  /** Turns that their callers run themselves: what was said in them since the user spoke. */
  readonly #open = new LRUCache<string, readonly Message[]>({ max: MAX_OPEN });

  /** @throws TypeError without a memory */
  constructor(options: MessageChatMemoryAdvisorOptions) {
    refuseNullOptions(options);
    if (!options.chatMemory) throw new TypeError('chatMemory cannot be null');
    this.#memory = options.chatMemory;
    this.order = options.order ?? options.advisorOrder ?? Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER;
  }

  /** @param chatMemory may also be set with `chatMemory(…)` */
  static builder(chatMemory?: ChatMemory): FluentBuilder<MessageChatMemoryAdvisorOptions, MessageChatMemoryAdvisor> {
    return fluentBuilder(
      (options: MessageChatMemoryAdvisorOptions) => new MessageChatMemoryAdvisor(options),
      chatMemory && { chatMemory },
    );
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const id = conversationIdOf(request);
    const turn = request.prompt.options?.[TURN_CONTEXT];
    if (turn) {
      const memory = this.#ofTurn(turn, id);
      const asked = await memory.remember(request);
      return turn.run(() => chain.nextCall(asked));
    }
    const hold = new Hold(this.#memory, id);
    const leave = await enterConversation(hold, request.prompt.options?.signal);
    try {
      return await within(hold, async () => {
        const asked = await this.#remember(request, id);
        const response = await chain.nextCall(asked.request);
        await this.#keep(id, asked.spoken, response);
        return response;
      });
    } finally {
      leave();
    }
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return new Observable((subscriber) => {
      const id = conversationIdOf(request);
      const turn = request.prompt.options?.[TURN_CONTEXT];
      const left = new AbortController();
      const { signal = left.signal } = request.prompt.options ?? {};
      const hold = new Hold(this.#memory, id);
      const entered = turn
        ? Promise.resolve(() => undefined)
        : enterConversation(hold, AbortSignal.any([signal, left.signal]));
      let running: Subscription | undefined;
      const run = async (): Promise<void> => {
        const leave = await entered;
        const asked = turn
          ? { request: await this.#ofTurn(turn, id).remember(request), spoken: [] }
          : await this.#remember(request, id);
        if (subscriber.closed) return;
        const keep = async (response: ChatClientResponse): Promise<void> => {
          // Who has left early has not heard the answer, however fast it was.
          if (subscriber.closed) return;
          if (!turn) await this.#keep(id, asked.spoken, response);
          // Whoever asks again at once comes next.
          leave();
          subscriber.complete();
        };
        const fail = (error: unknown): void => subscriber.error(error);
        const chunks = new ChatClientMessageAggregator().aggregateChatClientResponse(
          chain.nextStream(asked.request),
          (response) => void keep(response).catch(fail),
        );
        const follow = (): Subscription => chunks.subscribe({ next: (chunk) => subscriber.next(chunk), error: fail });
        running = turn ? this.#ofTurn(turn, id).within(follow) : within(hold, follow);
      };
      run().catch((error: unknown) => subscriber.error(error));
      return () => {
        left.abort();
        running?.unsubscribe();
        entered.then(
          (leave) => leave(),
          () => undefined,
        );
      };
    });
  }

  /** A turn that goes on may end without another round. */
  async joinTurn(request: ChatClientRequest): Promise<void> {
    const turn = request.prompt.options?.[TURN_CONTEXT];
    if (turn) await this.#ofTurn(turn, conversationIdOf(request)).enter();
  }

  async #remember(
    request: ChatClientRequest,
    id: string,
  ): Promise<{ request: ChatClientRequest; spoken: readonly Message[] }> {
    const { messages, options } = request.prompt;
    // What was said in a turn that goes on is known to the loop.
    if (options?.toolApprovals) return { request, spoken: [] };
    const known = await this.#memory.get(id);
    const open = messages.at(-1)?.role === 'tool' ? (this.#open.get(id) ?? []) : [];
    const spoken = joined(open, messages);
    return { request: { ...request, prompt: Prompt.of(withMemory(spoken, known), options) }, spoken };
  }

  async #keep(id: string, spoken: readonly Message[], { chatResponse, context }: ChatClientResponse): Promise<void> {
    if (isSuspended(chatResponse)) return;
    const said = [
      ...newMessages((context[RESUMED_MESSAGES] as readonly Message[] | undefined)?.filter(isUser) ?? spoken),
      ...answersOf(chatResponse),
    ];
    // A turn that its caller runs himself is kept when it has ended.
    if (chatResponse?.hasToolCalls()) {
      this.#open.set(id, said);
      return;
    }
    this.#open.delete(id);
    if (answersOf(chatResponse).length > 0) await this.#memory.add(id, said);
  }

  #ofTurn(turn: TurnContext, id: string): TurnMemory {
    let memory = this.#turns.get(turn);
    if (!memory) this.#turns.set(turn, (memory = new TurnMemory(this.#memory, id, turn)));
    return memory;
  }
}

function isUser({ role }: Message): boolean {
  return role === 'user';
}

function isSuspended(response: ChatResponse | undefined): boolean {
  return response?.result?.metadata?.finishReason === 'toolApprovalRequired';
}
