import {
  type ContentPart,
  fromMessageJson,
  toJsonValue,
  toMessageJson,
  type ToolResponse,
  ToolResponseMessage,
  ToolResult,
} from '@nestor-ai/core';
import type { CallUpdate } from './messages.js';

type ResultUpdate = Extract<CallUpdate, { type: 'result' }>;

/**
 * The answer of a tool as JSON.
 *
 * @param hasValue whether the caller needs the value in addition to the text
 */
export function toResultUpdate(response: ToolResponse, hasValue: boolean): ResultUpdate {
  const { responseData, isError, content, value, untrusted } = response;
  const isSent = hasValue && value !== undefined;
  return {
    type: 'result',
    text: responseData,
    ...(content && { content: contentToJson(content) }),
    ...(isSent && { value: toJsonValue(value) }),
    ...(isError && { isError }),
    ...(untrusted && { untrusted }),
  };
}

/** @throws TypeError if the answer has another form */
export function toToolResult({ text, content, value, isError, untrusted }: ResultUpdate): ToolResult {
  if (typeof text !== 'string') throw new TypeError('The answer has no text.');
  return new ToolResult({
    text,
    ...(content && { content: contentFromJson(content) }),
    ...(value !== undefined && { value }),
    ...(isError && { isError }),
    ...(untrusted && { untrusted }),
  });
}

function contentToJson(content: readonly ContentPart[]): readonly unknown[] {
  const message = new ToolResponseMessage({ responses: [{ id: '', name: '', responseData: '', content }] });
  const { responses } = toMessageJson(message) as unknown as { responses: readonly { content: readonly unknown[] }[] };
  return responses[0]!.content;
}

function contentFromJson(content: readonly unknown[]): readonly ContentPart[] {
  const responses = [{ id: '', name: '', responseData: '', content }];
  const message = fromMessageJson({ role: 'tool', responses });
  return (message as ToolResponseMessage).responses[0]!.content ?? [];
}
