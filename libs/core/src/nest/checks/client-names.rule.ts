import { DEFAULT_CHAT_CLIENT } from '../decorators/inject-chat-client.decorator.js';
import type { AiApplication } from './ai-application.js';

/** What is no name of a client's own. */
const UNNAMED = new Set([DEFAULT_CHAT_CLIENT, 'undefined', 'null']);

/** Every client of `AiModule.forFeature()` has a name of its own. */
export function checkClientNames({ namedClients }: AiApplication): readonly string[] {
  const repeated = namedClients.filter((name, index) => namedClients.indexOf(name) !== index);
  const unnamed = namedClients.filter((name) => name.trim() === '' || UNNAMED.has(name));
  return [
    ...repeated.map((name) => `Two clients are named '${name}' in AiModule.forFeature(). Give each its own name.`),
    ...unnamed.map(
      (name) =>
        `A client of AiModule.forFeature() is named '${name}'. It needs a name of its own; '${DEFAULT_CHAT_CLIENT}' is the one that ` +
        'is injected as ChatClient.',
    ),
  ];
}
