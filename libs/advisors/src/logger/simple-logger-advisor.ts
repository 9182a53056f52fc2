import { Logger, type LoggerService } from '@nestjs/common';
import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  type ChatResponse,
  type ContentRedactor,
  type NextHandler,
  redacted,
} from '@nestor-ai/core';
import { REDACTOR, requestText, responseText, scopeOf } from '@nestor-ai/core/internal';

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
  static readonly DEFAULT_ORDER = 0;

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
    const { requestToString, responseToString } = this.#options;
    const { redactor = scopeOf(request.prompt.options)?.services?.get(REDACTOR) } = this.#options;
    const written = (text: string, kind: 'prompt' | 'completion'): string =>
      redacted(redactor, text, { sink: 'log', kind });
    const asked = requestToString ? written(requestToString(request), 'prompt') : requestText(request, redactor);
    this.#logger.debug?.(`request: ${asked}`);
    const response = await next.handle(request);
    const { chatResponse } = response;
    const said = responseToString
      ? written(responseToString(chatResponse), 'completion')
      : responseText(chatResponse, redactor);
    this.#logger.debug?.(`response: ${said}`);
    return response;
  }
}
