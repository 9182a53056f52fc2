import { describeContentPart, type Message, type ToolCall } from '@nestor-ai/core';
import type { ShownContent } from './shown-content.js';

/** A tool call on the page. */
export interface CallView {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A message on the page. */
export interface MessageView {
  readonly role: Message['role'];
  readonly text: string;
  readonly reasoning?: string;
  readonly calls?: readonly CallView[];
  readonly results?: readonly {
    readonly id: string;
    readonly name: string;
    readonly text: string;
    readonly isError: boolean;
  }[];
  /** What the message has beside text, such as `an image (image/png)`. */
  readonly attachments?: readonly string[];
}

export function messageViewOf(message: Message, shown: ShownContent): MessageView {
  const { role } = message;
  if (role === 'tool') {
    const results = message.responses.map(({ id, name, responseData, isError = false }) => ({
      id,
      name,
      text: shown.text(responseData, isError ? 'error' : 'result', name),
      isError,
    }));
    return { role, text: '', results };
  }
  const text = shown.text(message.text, role === 'assistant' ? 'completion' : 'prompt');
  const attachments = ('media' in message && message.media ? message.media : []).map((media) =>
    shown.text(describeContentPart({ type: 'file', ...media }), 'prompt'),
  );
  const attached = attachments.length > 0 && { attachments };
  if (role !== 'assistant') return { role, text, ...attached };
  const { reasoning, toolCalls } = message;
  return {
    role,
    text,
    ...(reasoning && { reasoning: shown.text(reasoning, 'completion') }),
    ...(toolCalls.length > 0 && { calls: toolCalls.map((call) => callViewOf(call, shown)) }),
    ...attached,
  };
}

export function callViewOf({ id, name, arguments: args }: ToolCall, shown: ShownContent): CallView {
  return { id, name, arguments: shown.text(args, 'arguments', name) };
}
