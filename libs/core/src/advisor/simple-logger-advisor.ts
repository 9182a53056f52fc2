import { Logger, type LoggerService } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ChatResponse } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ChatClientMessageAggregator } from './chat-client-message-aggregator.js';

/** The options of {@link SimpleLoggerAdvisor}. */
export interface SimpleLoggerAdvisorOptions {
  /** What is logged of a request. Default: its messages and the names of its tools. */
  requestToString?: (request: ChatClientRequest) => string;
  /** What is logged of a response. Default: its generations and its metadata. */
  responseToString?: (response: ChatResponse | undefined) => string;
  /** Where in the chain the advisor stands. Default: 0, inside the tool loop, so that each round is logged. */
  order?: number;
  /** Default: Nest's. */
  logger?: Pick<LoggerService, 'debug'>;
}

/**
 * Logs requests and responses at the level `debug`. For development: prompts and answers may contain what must not stand in logs.
 */
export class SimpleLoggerAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'Simple Logger Advisor';
  readonly order: number;
  readonly #options: Required<Omit<SimpleLoggerAdvisorOptions, 'order'>>;

  constructor(options: SimpleLoggerAdvisorOptions = {}) {
    this.order = options.order ?? 0;
    this.#options = {
      requestToString: options.requestToString ?? requestToString,
      responseToString: options.responseToString ?? responseToString,
      logger: options.logger ?? new Logger(SimpleLoggerAdvisor.name),
    };
  }

  static builder(): FluentBuilder<SimpleLoggerAdvisorOptions, SimpleLoggerAdvisor> {
    return fluentBuilder((options: SimpleLoggerAdvisorOptions) => new SimpleLoggerAdvisor(options));
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    this.#logRequest(request);
    const response = await chain.nextCall(request);
    this.#logResponse(response);
    return response;
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    this.#logRequest(request);
    return new ChatClientMessageAggregator().aggregateChatClientResponse(chain.nextStream(request), (response) =>
      this.#logResponse(response),
    );
  }

  #logRequest(request: ChatClientRequest): void {
    const { logger, requestToString } = this.#options;
    logger.debug?.(`request: ${requestToString(request)}`);
  }

  #logResponse({ chatResponse }: ChatClientResponse): void {
    const { logger, responseToString } = this.#options;
    logger.debug?.(`response: ${responseToString(chatResponse)}`);
  }
}

function requestToString({ prompt }: ChatClientRequest): string {
  const tools = prompt.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);
  return JSON.stringify({ messages: prompt.messages, ...(tools && tools.length > 0 && { tools }) }, withoutBytes);
}

function responseToString(response: ChatResponse | undefined): string {
  return JSON.stringify(response ?? null, withoutBytes);
}

/** A picture would fill the log. */
function withoutBytes(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  return typeof value === 'bigint' ? String(value) : value;
}
