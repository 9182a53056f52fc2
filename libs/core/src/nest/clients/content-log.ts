import { Logger } from '@nestjs/common';
import { SimpleLoggerAdvisor } from '../../advisor/simple-logger-advisor.js';
import { createContentWriter } from '../../observability/content.js';
import { completeObservability, type ObservabilityOptions } from '../../observability/observability-options.js';

/**
 * The advisor that logs the prompts and answers of a client at level `log`, if the settings allow
 * it.
 */
export function contentLogOf(clientName: string, options: ObservabilityOptions): SimpleLoggerAdvisor[] {
  const { includePrompt, includeCompletion, convention, maxContentLength } = completeObservability(options);
  if (!includePrompt && !includeCompletion) return [];
  const logger = new Logger(`ChatClient ${clientName}`);
  // The advisor has already redacted the parts.
  const write = createContentWriter({ convention, maxContentLength });
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
