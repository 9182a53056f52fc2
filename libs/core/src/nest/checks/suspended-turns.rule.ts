import type { AiApplication } from './ai-application.js';

/** Plain JavaScript can leave methods out. */
export function checkTurnRepository({ suspendedTurns }: AiApplication): readonly string[] {
  const methods = ['save', 'findById', 'findByToolCallId', 'findWaiting', 'claim'] as const;
  const missing = suspendedTurns ? methods.filter((name) => typeof suspendedTurns[name] !== 'function') : [];
  if (missing.length === 0) return [];
  return [
    `${suspendedTurns!.constructor.name} has no ${missing.map((name) => `${name}()`).join(', ')}. Extend SuspendedTurnRepository, and implement ` +
      'its methods: without them, a tool can run twice, or a turn is lost if the process dies.',
  ];
}
