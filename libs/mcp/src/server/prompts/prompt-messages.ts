import type { ContentBlock, PromptMessage } from '@modelcontextprotocol/server';
import { type Media, type Message, ToolResult } from '@nestor-ai/core';

/** What clients receive for a prompt. */
export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/**
 * Converts what a prompt method returned. `value` of the result is a {@link McpPromptResult};
 * undefined if the method returned nothing.
 *
 * - A string is a message of the user.
 * - Messages of `@nestor-ai/core`, messages of the protocol, and lists of both.
 * - `{ description?, messages }`.
 *
 * @throws TypeError for anything else
 */
export function toPromptResult(returned: unknown): ToolResult {
  if (returned === undefined || returned === null) return new ToolResult({ text: 'Nothing was found.' });
  const { messages, description } = isWhole(returned) ? returned : { messages: returned, description: undefined };
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [messages];
  const value: McpPromptResult = {
    ...(description !== undefined && { description }),
    messages: list.flatMap(toMessages),
  };
  const text = value.messages.map(({ content }) => ('text' in content ? content.text : content.type)).join('\n');
  return new ToolResult({ text, value });
}

function isWhole(returned: unknown): returned is { messages: unknown; description?: string } {
  return typeof returned === 'object' && returned !== null && 'messages' in returned;
}

function toMessages(given: unknown): PromptMessage[] {
  if (typeof given === 'string') return [{ role: 'user', content: { type: 'text', text: given } }];
  const { role, content } = (given ?? {}) as { readonly role?: unknown; readonly content?: unknown };
  if (role !== 'user' && role !== 'assistant') {
    throw new TypeError(
      'A prompt method has to return a string or messages of the user and the assistant. Put instructions for the model into a ' +
        'message of the user.',
    );
  }
  if (content !== undefined) return contentsOf(content).map((part) => ({ role, content: part }));
  const { text, media } = given as Extract<Message, { role: 'user' | 'assistant' }>;
  const parts: ContentBlock[] = [...(text ? [{ type: 'text' as const, text }] : []), ...(media ?? []).map(toBlock)];
  if (parts.length === 0) throw new TypeError('A message of a prompt has no text and no media.');
  return parts.map((part) => ({ role, content: part }));
}

/** The content of a message in the shape of the protocol. A list becomes several messages. */
function contentsOf(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const list: unknown[] = Array.isArray(content) ? content : [content];
  if (list.some((part) => typeof (part as { type?: unknown } | null)?.type !== 'string')) {
    throw new TypeError(
      "The content of a prompt's message has to be text, or have a type, such as { type: 'text', text }.",
    );
  }
  return list as ContentBlock[];
}

function toBlock({ data, mimeType, name }: Media): ContentBlock {
  if (data instanceof URL) return { type: 'resource_link', uri: data.href, name: name ?? data.href, mimeType };
  const base64 = typeof data === 'string' ? data : Buffer.from(data).toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data: base64 };
  if (mimeType.startsWith('audio/')) return { type: 'audio', mimeType, data: base64 };
  const uri = `attachment:${encodeURIComponent(name ?? mimeType)}`;
  return { type: 'resource', resource: { uri, mimeType, blob: base64 } };
}
