import { duplicatesText } from '../discovery/tool-registration.js';
import type { AiApplication } from './ai-application.js';

const REMEDY =
  'Give each tool its own name, for example with @Tool({ name }), or set ai.chat.client.default-tools=none and give each client ' +
  'its tools.';

/** The tools that are offered by default have names of their own, where a client has them all. */
export function checkToolNames({ registry, enabledClients, clients }: AiApplication): readonly string[] {
  const hasAll = enabledClients.some((name) => clients.of(name).defaultTools === 'discovered');
  const text = hasAll ? duplicatesText(registry.offered, REMEDY) : undefined;
  return text === undefined ? [] : [text];
}
