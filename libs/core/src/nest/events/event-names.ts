import type { AiEvent } from './ai-event.js';

/** Marks a class that has hooks. */
export const HOOKS: unique symbol = Symbol.for('nestor.EventHooks');

const PREFIX = 'ai';

/** How an event is named for `@nestjs/event-emitter`: `ai.tool-call`. */
export function eventNameOf(type: AiEvent['type']): string {
  return `${PREFIX}.${type}`;
}

/**
 * Whether a listener may hear of any event.
 *
 * @param name that it listens to: a text, or with wildcards the parts of one
 */
export function mayHear(name: unknown): boolean {
  const [first] = Array.isArray(name) ? (name as unknown[]) : String(name).split('.');
  return first === PREFIX || String(first).includes('*') || String(first).startsWith(`${PREFIX}.`);
}
