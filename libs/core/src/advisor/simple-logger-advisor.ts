import { Logger, type LoggerService } from '@nestjs/common';
import type { ChatResponse } from '../model/chat-response.js';
import { messageOf } from '../model/message-of.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';

/** The options of {@link SimpleLoggerAdvisor}. */
export interface SimpleLoggerAdvisorOptions {
  /** The text that is logged for a request. Default: its messages and the names of its tools. */
  requestToString?: (request: ChatClientRequest) => string;
  /** The text that is logged for a response. Default: its generations and its metadata. */
  responseToString?: (response: ChatResponse | undefined) => string;
  /** Where in the chain the advisor stands. Default: {@link SimpleLoggerAdvisor.DEFAULT_ORDER}, inside the tool loop: it logs each round. */
  order?: number;
  /** Default: Nest's. */
  logger?: Pick<LoggerService, 'debug'>;
}

/**
 * Logs requests and responses at the level `debug`. For development: prompts and answers may contain personal data.
 */
export class SimpleLoggerAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.SimpleLoggerAdvisor;

  readonly name = 'Simple Logger Advisor';
  override readonly order: number;
  readonly #options: Required<Omit<SimpleLoggerAdvisorOptions, 'order'>>;

  constructor(options: SimpleLoggerAdvisorOptions = {}) {
    super();
    this.order = options.order ?? SimpleLoggerAdvisor.DEFAULT_ORDER;
    this.#options = {
      requestToString: options.requestToString ?? requestToString,
      responseToString: options.responseToString ?? responseToString,
      logger: options.logger ?? new Logger(SimpleLoggerAdvisor.name),
    };
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { logger, requestToString, responseToString } = this.#options;
    logger.debug?.(`request: ${requestToString(request)}`);
    const response = await next.handle(request);
    logger.debug?.(`response: ${responseToString(response.chatResponse)}`);
    return response;
  }
}

function requestToString({ prompt }: ChatClientRequest): string {
  const tools = prompt.options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);
  return toText({ messages: prompt.messages, ...(tools && tools.length > 0 && { tools }) });
}

function responseToString(response: ChatResponse | undefined): string {
  return toText(response ?? null);
}

/** The longest text of a picture or file that is logged, in characters. */
const MAX_DATA = 100;

/** The value as JSON, without pictures and files. Never throws: logging must not fail the request. */
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
