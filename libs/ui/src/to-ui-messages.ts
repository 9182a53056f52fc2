import type {
  AssistantMessage,
  ConversationTurn,
  Media,
  Message,
  ToolCallDisplay,
  ToolResponse,
} from '@nestor-ai/core';
import { BrowserContents, SUMMARY, urlOf } from '@nestor-ai/core/internal';
import { asValue, toSourceChunk } from './ui-chunk-parts.js';

/** A UI message of the AI SDK, for `useChat({ messages })`. */
export interface UIMessageOutput {
  /** For an answer, the id of its turn. */
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly { readonly type: string }[];
}

/**
 * Converts the turns of a conversation to the messages with which `useChat()` begins. System messages,
 * summaries and reasoning are left out. A page gets texts, files and sources, and the names of the tools
 * that were called. Whether it may see their arguments and results is not stored with them, so they are
 * hidden. A `ContentRedactor` is not asked.
 *
 * @param display `content`: what to show of all calls: `input`, `result` or `all`. Default: `none`.
 *   `errors`: `message` to show why a call has failed. Default: `masked`
 * @example
 * const { turns } = await this.conversationLog.read(id, { limit: 50 });
 * return toUIMessages(turns);
 */
export function toUIMessages(
  turns: readonly ConversationTurn[],
  display: ToolCallDisplay = {},
): readonly UIMessageOutput[] {
  const contents = new BrowserContents('none', undefined, { content: 'none', errors: 'masked', ...display });
  return turns.flatMap(({ id, pin, messages }) => (pin === SUMMARY ? [] : messagesOf(id, messages, contents)));
}

type Part = UIMessageOutput['parts'][number];

function messagesOf(
  turnId: string,
  messages: readonly Message[],
  contents: BrowserContents,
): readonly UIMessageOutput[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.responses.map((one) => [one.id, one] as const) : [],
    ),
  );
  const said: { id: string; role: 'user' | 'assistant'; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      said.push({
        id: `${turnId}:${said.length}`,
        role: 'user',
        parts: [...textOf(message.text), ...filesOf(message.media)],
      });
    } else if (message.role === 'assistant') {
      const last = said.at(-1);
      // All steps of a turn are one message of the front end.
      const answer =
        last?.role === 'assistant' ? last : { id: `${turnId}:${said.length}`, role: message.role, parts: [] };
      if (answer !== last) said.push(answer);
      answer.parts.push({ type: 'step-start' }, ...answerParts(message, results, contents));
    }
  }
  const last = said.at(-1);
  if (last?.role === 'assistant') last.id = turnId;
  return said;
}

function answerParts(
  { text, toolCalls, sources, media }: AssistantMessage,
  results: ReadonlyMap<string, ToolResponse>,
  contents: BrowserContents,
): readonly Part[] {
  const calls = toolCalls.map(({ id: toolCallId, name, arguments: input }) => {
    const call = { type: `tool-${name}`, toolCallId, input: asValue(contents.arguments(input || '{}', name)) };
    const result = results.get(toolCallId);
    if (!result) return { ...call, state: 'output-error', errorText: 'The call has no result.' };
    if (result.isError)
      return { ...call, state: 'output-error', errorText: contents.error(result.responseData, name, false) };
    return { ...call, state: 'output-available', output: asValue(contents.result(result.responseData, name)) };
  });
  return [...textOf(text), ...filesOf(media), ...(sources ?? []).map(toSourceChunk), ...calls];
}

function textOf(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text } as Part];
}

function filesOf(media: readonly Media[] | undefined): readonly Part[] {
  return (media ?? []).map((file) => {
    const filename = file.name;
    return { type: 'file', mediaType: file.mimeType, url: urlOf(file), ...(filename !== undefined && { filename }) };
  });
}
