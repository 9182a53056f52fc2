import { Logger, type LoggerService } from '@nestjs/common';
import type { ChatResponse } from '../model/chat-response.js';
import type { ContentRedactor } from '../model/content-redactor.js';
import { messageOf } from '@nestor-ai/schema';
import type { Message } from '../model/messages.js';
import { scopeOf } from '../model/scoped-options.js';
import { type ContentWriter, partsOf } from '../observability/content.js';
import { redacted } from '../observability/redacted.js';
import { ADVISOR_ORDERS } from './advisor-orders.js';
import { AroundAdvisor } from './around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import type { NextHandler } from './next-handler.js';

/** The options of {@link SimpleLoggerAdvisor}. */
export interface SimpleLoggerAdvisorOptions {
  /** Formats a request for the log. Default: its messages and the names of its tools. */
  requestToString?: (request: ChatClientRequest) => string;
  /** Formats a response for the log. Default: its generations and metadata. */
  responseToString?: (response: ChatResponse | undefined) => string;
  /**
   * The position in the chain. Default: {@link SimpleLoggerAdvisor.DEFAULT_ORDER}, inside the tool
   * loop, so that it logs each round.
   */
  order?: number;
  /** The logger. Default: Nest's. */
  logger?: Pick<LoggerService, 'debug'>;
  /**
   * Removes confidential content. Default: the `ContentRedactor` of `AiModule`, if there is one.
   */
  redactor?: ContentRedactor;
}

/**
 * Logs requests and responses at the level `debug`. For development: prompts and answers may
 * contain personal data.
 */
export class SimpleLoggerAdvisor extends AroundAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.SimpleLoggerAdvisor;

  readonly name = 'Simple Logger Advisor';
  override readonly order: number;
  readonly #options: SimpleLoggerAdvisorOptions;
  readonly #logger: Pick<LoggerService, 'debug'>;

  constructor(options: SimpleLoggerAdvisorOptions = {}) {
    super();
    this.order = options.order ?? SimpleLoggerAdvisor.DEFAULT_ORDER;
    this.#options = options;
    this.#logger = options.logger ?? new Logger(SimpleLoggerAdvisor.name);
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { redactor = scopeOf(request.prompt.options)?.services?.redactor } = this.#options;
    this.#logger.debug?.(`request: ${this.#describeRequest(request, redactor)}`);
    const response = await next.handle(request);
    this.#logger.debug?.(`response: ${this.#describeResponse(response.chatResponse, redactor)}`);
    return response;
  }

  #describeRequest(request: ChatClientRequest, redactor: ContentRedactor | undefined): string {
    const { requestToString } = this.#options;
    if (requestToString) return redacted(redactor, requestToString(request), { sink: 'log', kind: 'prompt' });
    const { messages, options } = request.prompt;
    const tools = options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);
    const said = redactor ? messages.map((message) => redactedMessage(message, 'prompt', redactor)) : messages;
    return toText({ messages: said, ...(tools && tools.length > 0 && { tools }) });
  }

  #describeResponse(response: ChatResponse | undefined, redactor: ContentRedactor | undefined): string {
    const { responseToString } = this.#options;
    if (responseToString) return redacted(redactor, responseToString(response), { sink: 'log', kind: 'completion' });
    if (!redactor || !response) return toText(response ?? null);
    const results = response.results.map(({ output, metadata }) => ({
      output: redactedMessage(output, 'completion', redactor),
      finishReason: metadata?.finishReason,
    }));
    const { native: _native, ...usage } = response.metadata.usage ?? {};
    return toText({ results, usage });
  }
}

/** The message reduced to its known parts, as in spans. Other fields may contain anything. */
function redactedMessage(message: Message, kind: 'prompt' | 'completion', redactor: ContentRedactor): object {
  const write: ContentWriter = (text, kindOfPart, toolName) =>
    redacted(redactor, typeof text === 'string' ? text : toText(text), {
      sink: 'log',
      kind: kindOfPart,
      ...(toolName !== undefined && { toolName }),
    });
  return { role: message.role, parts: partsOf(message, kind, write) };
}

/** The longest text of a picture or file to log, in characters. */
const MAX_DATA = 100;

/**
 * The value as JSON, without pictures and files. Never throws: logging must not fail the request.
 */
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
