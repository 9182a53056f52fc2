import { createHash } from 'node:crypto';
import { ChatClientContextKeys, type ChatClientRequest, type Message, offeredToolDefinitions } from '@nestor-ai/core';
import { REQUEST_SCOPE } from '@nestor-ai/core/internal';
import { contentJson } from '@nestor-ai/schema';

const FORM_KEYS = [
  ChatClientContextKeys.OUTPUT_FORMAT,
  ChatClientContextKeys.STRUCTURED_OUTPUT_SCHEMA,
  ChatClientContextKeys.STRUCTURED_OUTPUT_NATIVE,
];

/**
 * A key that is equal for requests that a model would answer alike.
 *
 * @throws UnknownContentException if the request contains functions or class instances
 */
export function keyOf({ prompt, context }: ChatClientRequest): string {
  const { toolCallbacks: _tools, toolContext: _toolContext, signal: _signal, ...rest } = prompt.options ?? {};
  const { [REQUEST_SCOPE]: _scope, ...options } = rest;
  const asked = [
    prompt.messages.map(contentOf),
    offeredToolDefinitions(prompt.options),
    options,
    FORM_KEYS.map((key) => context[key]),
  ];
  return `nestor:${createHash('sha256').update(contentJson(asked)).digest('base64url')}`;
}

/** The message as the model sees it, without the values that tools keep next to their text. */
function contentOf(message: Message): object {
  const content = Object.fromEntries(Object.entries(message));
  if (message.role !== 'tool') return content;
  return { ...content, responses: message.responses.map(({ value: _value, ...response }) => response) };
}
