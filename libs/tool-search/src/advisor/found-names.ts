import type { Message, ToolResponse } from '@nestor-ai/core';

/** The name of the tool that finds other tools. */
export const TOOL_SEARCH_TOOL_NAME = 'toolSearchTool';

const NO_NAMES: readonly string[] = Object.freeze([]);

/**
 * Returns the tool names that earlier searches found, read from the messages. If the caller keeps
 * the conversation, the messages are the only source.
 *
 * @param accumulates whether all searches count, or only those of the last message with a search
 */
export function namesTold(messages: readonly Message[], accumulates: boolean): readonly string[] {
  if (accumulates) return messages.flatMap(namesIn);
  const last = messages.findLast((message) => message.role === 'tool' && message.responses.some(isSearch));
  return last ? namesIn(last) : NO_NAMES;
}

function namesIn(message: Message): readonly string[] {
  return message.role === 'tool' ? message.responses.filter(isSearch).flatMap(namesFoundIn) : NO_NAMES;
}

function isSearch({ name }: ToolResponse): boolean {
  return name === TOOL_SEARCH_TOOL_NAME;
}

/**
 * The tool names in the response of a search. They are in its first line; remarks may follow.
 * Anything else, such as an error text, contains no names.
 */
export function namesFoundIn({ responseData }: ToolResponse): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(responseData.split('\n', 1)[0]!);
    return Array.isArray(parsed) ? parsed.filter((name) => typeof name === 'string') : NO_NAMES;
  } catch {
    return NO_NAMES;
  }
}
