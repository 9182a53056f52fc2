import type { ChatResponse } from '../model/chat-response.js';
import type { ContentRedactor } from '../model/content-redactor.js';
import { messageOf } from '@nestor-ai/schema';
import type { Message } from '../model/messages.js';
import { type ContentWriter, partsOf } from '../observability/content.js';
import { redacted } from '../observability/redacted.js';
import type { ChatClientRequest } from './chat-client-exchange.js';

/** A request as a line of a log: its messages and the names of its tools. */
export function requestText({ prompt }: ChatClientRequest, redactor: ContentRedactor | undefined): string {
  const { messages, options } = prompt;
  const tools = options?.toolCallbacks?.map(({ toolDefinition }) => toolDefinition.name);
  const said = redactor ? messages.map((message) => redactedMessage(message, 'prompt', redactor)) : messages;
  return toText({ messages: said, ...(tools && tools.length > 0 && { tools }) });
}

/** A response as a line of a log: its generations and metadata. */
export function responseText(response: ChatResponse | undefined, redactor: ContentRedactor | undefined): string {
  if (!redactor || !response) return toText(response ?? null);
  const results = response.results.map(({ output, metadata }) => ({
    output: redactedMessage(output, 'completion', redactor),
    finishReason: metadata?.finishReason,
  }));
  const { native: _native, ...usage } = response.metadata.usage ?? {};
  return toText({ results, usage });
}

/** The message reduced to its known parts, as in spans. Other fields may contain anything. */
function redactedMessage(message: Message, kind: 'prompt' | 'completion', redactor: ContentRedactor): object {
  const write: ContentWriter = (text, kindOfPart, toolName) =>
    redacted(redactor, typeof text === 'string' ? text : toText(text), {
      sink: 'log',
      kind: kindOfPart,
      ...(toolName !== undefined && { toolName }),
    });
  return { role: message.role, parts: partsOf(message, kind, write) };
}

/** The longest text of a picture or file to log, in characters. */
const MAX_DATA = 100;

/**
 * The value as JSON, without pictures and files. Never throws: logging must not fail the request.
 */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value, function (this: Record<string, unknown>, key, item: unknown) {
      const given = this[key];
      if (given instanceof Uint8Array) return `${given.byteLength} bytes`;
      if (key === 'data' && typeof item === 'string' && item.length > MAX_DATA) return `${item.length} characters`;
      return typeof item === 'bigint' ? String(item) : item;
    });
  } catch (error) {
    return `cannot be shown: ${messageOf(error)}`;
  }
}
