import type { ConversationTurn, Message } from '@nestor-ai/core';

/** The most characters of a text, and of the result of a tool. The beginning says most. */
const MOST_TEXT = 8000;
const MOST_RESULT = 1000;

/** What was said in turns, as a text for the model that summarizes it. */
export function transcriptOf(turns: readonly ConversationTurn[]): string {
  return turns
    .flatMap(({ messages }) => messages.flatMap(linesOf))
    .filter((line) => line !== '')
    .join('\n\n');
}

function linesOf(message: Message): readonly string[] {
  switch (message.role) {
    case 'system':
      // System messages stay in view.
      return [];
    case 'user':
      return [`User: ${cut(message.text, MOST_TEXT)}`];
    case 'assistant':
      return [
        message.text === '' ? '' : `Assistant: ${cut(message.text, MOST_TEXT)}`,
        ...message.toolCalls.map(({ name, arguments: input }) => `Assistant calls ${name}: ${cut(input, MOST_RESULT)}`),
      ];
    case 'tool':
      return message.responses.map(
        ({ name, responseData, isError }) =>
          `${name} ${isError ? 'failed' : 'answers'}: ${cut(responseData, MOST_RESULT)}`,
      );
  }
}

/** The beginning of a text, without half of a character at the end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')} …`;
}
