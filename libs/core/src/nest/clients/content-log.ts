import { Logger } from '@nestjs/common';
import { AroundAdvisor } from '../../advisor/around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../../advisor/chat-client-exchange.js';
import { requestText, responseText } from '../../advisor/exchange-text.js';
import type { NextHandler } from '../../advisor/next-handler.js';
import { scopeOf } from '../../model/scoped-options.js';
import { createContentWriter } from '../../observability/content.js';
import { completeObservability, type ObservabilityOptions } from '../../observability/observability-options.js';

/** The advisor that logs the prompts and answers of a client at level `log`, if the settings allow it. */
export function contentLogOf(clientName: string, options: ObservabilityOptions): ContentLog[] {
  const { includePrompt, includeCompletion } = completeObservability(options);
  return includePrompt || includeCompletion ? [new ContentLog(clientName, options)] : [];
}

/** Logs each round of the tool loop. */
class ContentLog extends AroundAdvisor {
  readonly name = 'Content Log';
  override readonly order = 0;
  readonly #logger: Logger;
  readonly #settings: ReturnType<typeof completeObservability>;

  constructor(clientName: string, options: ObservabilityOptions) {
    super();
    this.#logger = new Logger(`ChatClient ${clientName}`);
    this.#settings = completeObservability(options);
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { includePrompt, includeCompletion, convention, maxContentLength } = this.#settings;
    const redactor = scopeOf(request.prompt.options)?.services?.redactor;
    // The texts are redacted already.
    const write = createContentWriter({ convention, maxContentLength });
    if (includePrompt) this.#logger.log(write(`request: ${requestText(request, redactor)}`, 'prompt'));
    const response = await next.handle(request);
    if (includeCompletion)
      this.#logger.log(write(`response: ${responseText(response.chatResponse, redactor)}`, 'completion'));
    return response;
  }
}
