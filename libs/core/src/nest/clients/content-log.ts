import { Logger } from '@nestjs/common';
import { SimpleLoggerAdvisor } from '../../advisor/simple-logger-advisor.js';
import { createContentWriter } from '../../observability/content.js';
import { completeObservability, type ObservabilityOptions } from '../../observability/observability-options.js';

/** The advisor that logs what a client says and hears, at the level `log`, as far as that may be seen. */
export function contentLogOf(clientName: string, options: ObservabilityOptions): SimpleLoggerAdvisor[] {
  const complete = completeObservability(options);
  const { includePrompt, includeCompletion } = complete;
  if (!includePrompt && !includeCompletion) return [];
  const logger = new Logger(`ChatClient ${clientName}`);
  const write = createContentWriter(complete);
  return [
    new SimpleLoggerAdvisor({
      logger: {
        debug: (text: string) => {
          const isPrompt = text.startsWith('request');
          if (isPrompt ? includePrompt : includeCompletion) logger.log(write(text, isPrompt ? 'prompt' : 'completion'));
        },
      },
    }),
  ];
}
