import { Logger } from '@nestjs/common';
import { SimpleLoggerAdvisor } from '../../advisor/simple-logger-advisor.js';
import type { ClientSettings } from '../properties/client-properties.js';

/** The advisor that logs what a client says and hears, at the level `log`, as far as the properties allow it. */
export function contentLogOf(clientName: string, { observations }: ClientSettings): SimpleLoggerAdvisor[] {
  const { logPrompt, logCompletion } = observations;
  if (!logPrompt && !logCompletion) return [];
  const logger = new Logger(`ChatClient ${clientName}`);
  return [
    new SimpleLoggerAdvisor({
      logger: {
        debug: (text: string) => {
          if (text.startsWith('request') ? logPrompt : logCompletion) logger.log(text);
        },
      },
    }),
  ];
}
