import type { ConversationTurn, Media, Message } from '@nestor-ai/core';

/** The most characters of a text, and of the result of a tool. The beginning says most. */
const MOST_TEXT = 8000;
const MOST_RESULT = 1000;

/**
 * What was said in turns, for the model that summarizes it: a line of JSON for each message, so that
 * no text can pretend to be another message.
 */
export function transcriptOf(turns: readonly ConversationTurn[]): string {
  return turns
    .flatMap(({ messages }) => messages.flatMap(linesOf))
    .map((line) => JSON.stringify(line))
    .join('\n');
}

function linesOf(message: Message): readonly object[] {
  switch (message.role) {
    case 'system':
      // System messages stay in view.
      return [];
    case 'user':
      return [{ user: cut(message.text, MOST_TEXT), ...filesOf(message.media) }];
    case 'assistant':
      return [
        ...(message.text === '' && !message.media
          ? []
          : [{ assistant: cut(message.text, MOST_TEXT), ...filesOf(message.media) }]),
        ...message.toolCalls.map(({ name, arguments: input }) => ({ call: name, input: cut(input, MOST_RESULT) })),
      ];
    case 'tool':
      return message.responses.map(({ name, responseData, isError }) => ({
        [isError ? 'failure' : 'result']: cut(responseData, MOST_RESULT),
        of: name,
      }));
  }
}

function filesOf(media: readonly Media[] | undefined): object {
  return media ? { files: media.map(({ name, mimeType }) => name ?? mimeType) } : {};
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} …`;
}
