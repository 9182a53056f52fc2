import type { AiEvent } from './ai-event.js';

/** Marks a class that has hooks. */
export const HOOKS: unique symbol = Symbol.for('nestor.EventHooks');

/**
 * How an event is named for `@nestjs/event-emitter`: `ai.tool-call`, and for one tool `ai:tool-call:getWeather`, which no
 * `ai.*` matches: of each thing it hears once.
 *
 * @param toolName of the one tool that somebody is interested in
 */
export function eventNameOf(type: AiEvent['type'], toolName?: string): string {
  return toolName === undefined ? `ai.${type}` : `ai:${type}:${toolName}`;
}
