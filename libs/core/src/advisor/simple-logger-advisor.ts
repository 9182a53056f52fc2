import { Logger, type LoggerService } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ChatResponse } from '../model/chat-response.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { messageOf } from '../model/message-of.js';
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
  return toText({ messages: prompt.messages, ...(tools && tools.length > 0 && { tools }) });
}

function responseToString(response: ChatResponse | undefined): string {
  return toText(response ?? null);
}

/** How much of a text is logged that stands for a picture or a file. */
const MAX_DATA = 100;

/** What is logged must not fail the request, nor fill the log with pictures. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value, function (this: Record<string, unknown>, key, item: unknown) {
      const given = this[key];
      if (given instanceof Uint8Array) return `${given.byteLength} bytes`;
      if (key === 'data' && typeof item === 'string' && item.length > MAX_DATA) return `${item.length} characters`;
      return typeof item === 'bigint' ? String(item) : item;
    });
  } catch (error) {
    return `cannot be shown: ${messageOf(error)}`;
  }
}
