import type { AiEvent } from './ai-event.js';

/** The metadata key of classes with hooks. */
export const EVENT_HOOKS: unique symbol = Symbol.for('nestor.EventHooks');

const PREFIX = 'ai';

/** The name of an event for `@nestjs/event-emitter`: `ai.tool-call`. */
export function eventNameOf(type: AiEvent['type']): string {
  return `${PREFIX}.${type}`;
}

/**
 * Whether a listener may receive an event of Nestor.
 *
 * @param name the name that it listens to, as text or, with wildcards, as an array of parts
 */
export function mayHear(name: unknown): boolean {
  const [first] = Array.isArray(name) ? (name as unknown[]) : String(name).split('.');
  return first === PREFIX || String(first).includes('*') || String(first).startsWith(`${PREFIX}.`);
}
