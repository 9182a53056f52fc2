import type { Message } from '@nestor-ai/core';

/** The instructions among messages, as one text. Empty if there are none. */
export function instructionsOf(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'system' ? message.text : [])).join('\n\n');
}
