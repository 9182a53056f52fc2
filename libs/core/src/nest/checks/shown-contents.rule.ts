import { contentsShownBy } from '../observability.js';
import type { AiApplication } from './ai-application.js';

const OF_TOOLS =
  'ai.tools.observations.include-content is true: spans and logs contain arguments, results and error messages of tools.';

/**
 * Warns if spans and logs contain contents. The person who operates the application may not know.
 */
export function checkShownContents({ properties, enabledClients, clients }: AiApplication): readonly string[] {
  const ofClients = enabledClients.flatMap((client) => {
    const shown = contentsShownBy(clients.of(client));
    const text = `Spans and logs contain ${shown.join(' and ')} of the client '${client}'.`;
    return shown.length > 0 ? [text] : [];
  });
  return properties.tools.observations.includeContent ? [OF_TOOLS, ...ofClients] : ofClients;
}
