import { contentsShownBy } from '../observability.js';
import type { AiApplication } from './ai-application.js';

const OF_TOOLS =
  'ai.tools.observations.include-content is on: arguments and results of tools, and messages of errors, are in spans and logs.';

/** Contents are not shown: where they are, somebody else may have decided it. */
export function checkShownContents({ properties, enabledClients, clients }: AiApplication): readonly string[] {
  const ofClients = enabledClients.flatMap((client) => {
    const shown = contentsShownBy(clients.of(client)).map(({ name }) => name);
    const text = `What the client '${client}' says and hears (${shown.join(' and ')}) is in spans and logs.`;
    return shown.length > 0 ? [text] : [];
  });
  return properties.tools.observations.includeContent ? [OF_TOOLS, ...ofClients] : ofClients;
}
