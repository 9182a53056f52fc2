import { type Observable, of } from 'rxjs';
import type { ContentPart } from '../model/content-part.js';
import { ChatResponse } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { AssistantMessage, type Message } from '../model/messages.js';
import { refuseNullOptions } from '../model/null-checks.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';

/** The options of {@link SafeGuardAdvisor}. */
export interface SafeGuardAdvisorOptions {
  /** A request that contains one of these is not sent to the model. Upper and lower case are the same. */
  sensitiveWords: readonly string[];
  /** What the user is told instead. */
  failureResponse?: string;
  /**
   * Where in the chain the advisor stands. Default: 0, which is inside the tool loop, so that the results of tools are looked at as
   * well; an order below `ToolCallingAdvisor.DEFAULT_ORDER` looks once at what the user says.
   */
  order?: number;
}

const DEFAULT_FAILURE_RESPONSE =
  "I'm unable to respond to that due to sensitive content. Could we rephrase or discuss something else?";

/** Answers itself, without the model, when a request contains a word that must not leave the house. */
export class SafeGuardAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'Safe Guard Advisor';
  readonly order: number;
  readonly #words: readonly string[];
  readonly #failureResponse: string;

  /** @throws TypeError without words, or with an empty one, which every text contains */
  constructor(options: SafeGuardAdvisorOptions) {
    refuseNullOptions(options);
    const { sensitiveWords, failureResponse = DEFAULT_FAILURE_RESPONSE, order = 0 } = options;
    if (!Array.isArray(sensitiveWords)) throw new TypeError('sensitiveWords must not be null');
    if (sensitiveWords.some((word) => typeof word !== 'string' || word.trim() === '')) {
      throw new TypeError('sensitiveWords must not contain empty words');
    }
    if (failureResponse === null) throw new TypeError('failureResponse must not be null');
    if (!Number.isInteger(order)) throw new RangeError(`order must be a whole number, but is ${order}.`);
    this.order = order;
    this.#words = sensitiveWords.map((word: string) => word.toLowerCase());
    this.#failureResponse = failureResponse;
  }

  static builder(): FluentBuilder<SafeGuardAdvisorOptions, SafeGuardAdvisor> {
    return fluentBuilder((options: SafeGuardAdvisorOptions) => new SafeGuardAdvisor(options));
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return this.#isSensitive(request) ? this.#refuse(request) : chain.nextCall(request);
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return this.#isSensitive(request) ? of(this.#refuse(request)) : chain.nextStream(request);
  }

  #isSensitive({ prompt }: ChatClientRequest): boolean {
    if (this.#words.length === 0) return false;
    const text = prompt.messages.map(textOf).join('\n').toLowerCase();
    return this.#words.some((word) => text.includes(word));
  }

  #refuse({ context }: ChatClientRequest): ChatClientResponse {
    const output = new AssistantMessage(this.#failureResponse);
    const chatResponse = new ChatResponse({ results: [{ output, metadata: { finishReason: 'content-filter' } }] });
    return { chatResponse, context: { ...context } };
  }
}

/** Everything in a message that a model reads, and what it says itself. */
function textOf(message: Message): string {
  if (message.role === 'tool') {
    return message.responses
      .flatMap(({ responseData, content }) => [responseData, ...(content ?? []).map(partText)])
      .join('\n');
  }
  const calls = message.role === 'assistant' ? message.toolCalls.map((call) => call.arguments) : [];
  const media =
    message.role === 'system' ? [] : (message.media ?? []).map(({ name, data }) => `${name ?? ''} ${addressOf(data)}`);
  return [message.text, ...calls, ...media].join('\n');
}

function partText(part: ContentPart): string {
  return part.type === 'text' ? part.text : `${part.type === 'file' ? (part.name ?? '') : ''} ${addressOf(part.data)}`;
}

function addressOf(data: unknown): string {
  return data instanceof URL ? data.href : '';
}
