import { Logger } from '@nestjs/common';
import { AroundAdvisor } from '../../advisor/around-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../../advisor/chat-client-exchange.js';
import { requestText, responseText } from '../../advisor/exchange-text.js';
import type { NextHandler } from '../../advisor/next-handler.js';
import { scopeOf } from '../../model/scoped-options.js';
import { createContentWriter } from '../../observability/content.js';
import type { ObservabilityOptions } from '../../observability/observability-options.js';
import { REDACTOR } from '../../model/content-redactor.js';

/** The advisor that logs the prompts and answers of a client at level `log`, if the settings allow it. */
export function contentLogOf(clientName: string, options: ObservabilityOptions): ContentLog[] {
  if (!options.includePrompt && !options.includeCompletion) return [];
  return [new ContentLog(new Logger(`ChatClient ${clientName}`), options)];
}

// The advisor has already redacted the texts.
const write = createContentWriter();

/** Logs each round of the tool loop. */
class ContentLog extends AroundAdvisor {
  readonly name = 'Content Log';
  override readonly order = 0;

  constructor(
    private readonly logger: Logger,
    private readonly shown: ObservabilityOptions,
  ) {
    super();
  }

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    const { includePrompt, includeCompletion } = this.shown;
    const redactor = scopeOf(request.prompt.options)?.services?.get(REDACTOR);
    if (includePrompt) this.#log(`request: ${requestText(request, redactor)}`, 'prompt');
    const response = await next.handle(request);
    if (includeCompletion) this.#log(`response: ${responseText(response.chatResponse, redactor)}`, 'completion');
    return response;
  }

  #log(text: string, kind: 'prompt' | 'completion'): void {
    this.logger.log(write(text, kind));
  }
}
