import { Inject, Optional } from '@nestjs/common';
import type { ChatMemory } from '../memory/chat-memory.js';
import { type Speaker, warnOfOpen } from '../memory/conversation-owner.exception.js';
import { boundedCache } from '../model/bounded-cache.js';
import type { ChatResponse } from '../model/chat-response.js';
import { FinishReason } from '../model/finish-reason.js';
import { type BuilderOf, builderOf, type MadeOfOptions } from '../model/fluent-builder.js';
import type { Message } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { ServiceKey } from '../model/request-services.js';
import { scopeOf } from '../model/scoped-options.js';
import { TurnControl } from '../model/turn-control.js';
import { checkTimeout } from '../tool/check-timeout.js';
import { MemoryAdvisor } from './advisor.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import {
  addToMemory,
  answersOf,
  conversationIdOf,
  joined,
  lockOf,
  newMessages,
  reserve,
  SPEAKER,
  speakerOf,
  withMemory,
} from './conversation.js';
import type { ConversationLock } from './conversation-lock.js';
import type { NextHandler } from './next-handler.js';
import { TurnMemory } from './turn-memory.js';
import { RESUMED_MESSAGES } from './suspension.js';

/** The options of {@link MessageChatMemoryAdvisor}. */
export interface MessageChatMemoryAdvisorOptions {
  /** Stores the conversations. */
  chatMemory: ChatMemory;
  /**
   * The position in the chain. Before the tool loop, the advisor stores the user's messages and
   * the answers. After the loop (`ToolCallingAdvisor.DEFAULT_ORDER + 100`), it also stores the
   * tool calls and their results. Default: before the loop.
   */
  order?: number;
  /** @deprecated Use `order`, which wins over it. */
  advisorOrder?: number;
  /**
   * How long a turn waits for the previous turn of the same conversation, in milliseconds;
   * Infinity for no limit. Default: `ai.chat.memory.lock-timeout` for clients of `AiModule`,
   * otherwise five minutes.
   */
  lockTimeout?: number;
}

/**
 * The injection token of the {@link MessageChatMemoryAdvisorOptions}. `AiModule` provides it with
 * its `ChatMemory`.
 */
export const MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS: unique symbol = Symbol.for('nestor.MessageChatMemoryAdvisorOptions');

/** A request with what the conversation has. `spoken`: what the turn says itself, before the answer. */
interface Asked {
  readonly request: ChatClientRequest;
  readonly spoken: readonly Message[];
}

/** The most conversations that may have an open turn whose tools the caller runs. */
const MAX_OPEN = 1000;

/**
 * Remembers conversations: adds the earlier messages to the request, and stores the new ones once
 * the turn has succeeded. Turns of one conversation run one after the other, so that each knows
 * the previous one.
 */
export class MessageChatMemoryAdvisor extends AroundAdvisor implements MemoryAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.MessageChatMemoryAdvisor;

  readonly [MemoryAdvisor] = true as const;
  readonly name = 'Message Chat Memory Advisor';
  override readonly order: number;
  readonly #memory: ChatMemory;
  readonly #lockTimeout: number | undefined;
  /** The lock of a request that this advisor runs around. */
  readonly #outerLock: ServiceKey<ConversationLock> = Symbol('nestor.Lock');
  /** The messages of open turns whose tools the caller runs, by conversation and user. */
  readonly #open = boundedCache<readonly Message[]>(MAX_OPEN);

  /**
   * @throws TypeError if there is no memory
   * @throws RangeError if lockTimeout is not greater than 0, or longer than a timer can wait
   */
  constructor(@Optional() @Inject(MESSAGE_CHAT_MEMORY_ADVISOR_OPTIONS) options?: MessageChatMemoryAdvisorOptions) {
    super();
    // Builders and Nest's container may omit it.
    if (!options?.chatMemory) {
      throw new TypeError(
        'MessageChatMemoryAdvisor needs a chatMemory: new MessageChatMemoryAdvisor({ chatMemory }). In a module with ' +
          'access to AiModule, Nest can create it from the class, with the ChatMemory of AiModule.',
      );
    }
    this.#memory = options.chatMemory;
    checkTimeout(options.lockTimeout, 'lockTimeout');
    this.#lockTimeout = options.lockTimeout;
    this.order = options.order ?? options.advisorOrder ?? MessageChatMemoryAdvisor.DEFAULT_ORDER;
  }

  /** @param chatMemory the memory; you can also set it with `chatMemory(…)` */
  static override builder<Class extends MadeOfOptions<AroundAdvisor>>(
    this: Class,
    chatMemory?: ChatMemory,
  ): BuilderOf<Class> {
    return builderOf(this, chatMemory && { chatMemory });
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const id = conversationIdOf(request);
    const scope = scopeOf(request.prompt.options);
    const turn = next.isInsideLoop ? scope?.turn : undefined;
    if (turn) return this.#aroundRound(this.#ofTurn(turn, id), request, next);
    const lose = (error: Error): void => {
      work.abort(error);
      scope?.turn?.abort(error);
    };
    const lock = lockOf(this.#memory, id, this.#lockTimeout, scope, lose);
    scope?.set(this.#outerLock, lock);
    // Not the turn of the loop, but aborted and awaited like one.
    const work = new TurnControl(next.signal, scope);
    return work.untilGivenUp((resolve, reject) =>
      this.#aroundTurn(id, lock, work, request, next)
        .finally(() => work.release())
        .then(resolve, reject),
    );
  }

  /** Inside the tool loop, the messages are stored when the turn ends. */
  async #aroundRound(memory: TurnMemory, request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const asked = await memory.remember(request);
    return memory.within(() => next.handle(asked));
  }

  async #aroundTurn(
    id: string,
    lock: ConversationLock,
    work: TurnControl,
    request: ChatClientRequest,
    next: NextHandler,
  ): Promise<ChatClientResponse> {
    const release = await lock.enter(work);
    const scope = scopeOf(request.prompt.options);
    if (lock.by) scope?.set(SPEAKER, lock.by);
    try {
      return await lock.within(async () => {
        const asked = await this.#remember(request, id, lock.by, work);
        const response = await next.handle(asked.request);
        const turn = scope?.turn;
        const { by } = lock;
        const said = this.#saidIn(openKey(id, by), asked, response);
        if (said.length > 0) {
          work.isEnding = true;
          lock.throwIfLost();
          await work.untilEnded(addToMemory(this.#memory, id, said, turn, next.signal, by));
        } else if (!turn?.isResumed && isOpen(response.chatResponse)) {
          await work.untilEnded(reserve(this.#memory, id, by));
        }
        return response;
      });
    } finally {
      release();
    }
  }

  /**
   * Enters the conversation of a resumed turn, because the turn may end without another round. A memory
   * before the loop has entered it for whoever resumes the turn, but the turn's requester speaks.
   */
  async joinTurn(request: ChatClientRequest): Promise<void> {
    const scope = scopeOf(request.prompt.options);
    const turn = scope?.turn;
    if (!turn) return;
    const id = conversationIdOf(request);
    const lock = scope.get(this.#outerLock);
    if (!lock) return void (await this.#ofTurn(turn, id).enter());
    lock.by = speakerOf(scope, turn);
    if (lock.by) await turn.untilAborted(Promise.resolve(this.#memory.get(id, lock.by)));
  }

  async #remember(request: ChatClientRequest, id: string, by: Speaker | undefined, work: TurnControl): Promise<Asked> {
    const { messages, options } = request.prompt;
    // The tool loop restores the messages of a resumed turn.
    if (options?.toolApprovals) return { request, spoken: [] };
    const known = await work.untilEnded(this.#memory.get(id, by));
    warnOfOpen(scopeOf(options), by);
    const open = messages.at(-1)?.role === 'tool' ? (this.#open.get(openKey(id, by)) ?? []) : [];
    const spoken = joined(open, messages);
    return { request: { ...request, prompt: Prompt.of(withMemory(spoken, known), options) }, spoken };
  }

  /** The messages of a turn to store now. */
  #saidIn(key: string, { request, spoken }: Asked, { chatResponse, context }: ChatClientResponse): readonly Message[] {
    if (isSuspended(chatResponse)) return [];
    const asked = newMessages((context[RESUMED_MESSAGES] as readonly Message[] | undefined)?.filter(isUser) ?? spoken);
    const answers = answersOf(chatResponse, scopeOf(request.prompt.options), asked);
    const said = [...asked, ...answers];
    // A turn whose tools the caller runs is stored once it has ended.
    if (chatResponse?.hasToolCalls()) {
      this.#open.set(key, said);
      return [];
    }
    this.#open.delete(key);
    return answers.length > 0 ? said : [];
  }

  #ofTurn(turn: TurnControl, id: string): TurnMemory {
    return turn.state(this, () => new TurnMemory(this.#memory, id, turn, this.#lockTimeout));
  }
}

/** Another user must not continue a turn that is not stored yet. */
function openKey(id: string, by: Speaker | undefined): string {
  return JSON.stringify([id, by?.subject]);
}

function isUser({ role }: Message): boolean {
  return role === 'user';
}

/** Whether the turn waits for an approval, or for its caller to run its tools. */
function isOpen(response: ChatResponse | undefined): boolean {
  return isSuspended(response) || response?.hasToolCalls() === true;
}

function isSuspended(response: ChatResponse | undefined): boolean {
  return response?.result?.metadata?.finishReason === FinishReason.TOOL_APPROVAL_REQUIRED;
}
