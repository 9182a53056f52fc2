import type { AiApplication } from './ai-application.js';
import { knownClientsText } from './known-clients-text.js';

/** What the configuration says of named clients has allowed values. */
export function checkClientProperties({ namedClients, clients }: AiApplication): readonly string[] {
  return namedClients.flatMap((name) => clients.check(name));
}

/** The clients that the configuration names are there. */
export function checkConfiguredClients({ namedClients, clients }: AiApplication): readonly string[] {
  return clients.names
    .filter((name) => !namedClients.includes(name))
    .map((name) => `ai.clients.${name} is for a client that is not there. ${knownClientsText(name, namedClients)}`);
}
