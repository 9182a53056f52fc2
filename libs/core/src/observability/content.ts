import type { Media } from '../model/content-part.js';
import type { ContentPlace, ContentRedactor } from '../model/content-redactor.js';
import type { AssistantMessage, Message } from '../model/messages.js';
import type { ProviderToolCall, Source } from '../model/provider-tool-call.js';
import { redacted } from './redacted.js';

/** The longest content in a span or a log line, in characters. `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT` can cut spans further. */
export const MAX_CONTENT_LENGTH = 16_384;

const CUT = '…';

type ContentKind = ContentPlace['kind'];

/**
 * Prepares content for telemetry: redacts it and limits its length.
 *
 * @param toolName the tool that the arguments, result or error belong to
 */
export type ContentWriter = (text: unknown, kind: ContentKind, toolName?: string) => string;

/**
 * Creates a {@link ContentWriter} for spans.
 *
 * @param redactor undefined if everything may be shown
 */
export function createContentWriter(redactor?: ContentRedactor): ContentWriter {
  return (given, kind, toolName) => {
    try {
      const place = { sink: 'span', kind, ...(toolName !== undefined && { toolName }) } as const;
      const text = redacted(redactor, toText(given), place);
      return text.length > MAX_CONTENT_LENGTH ? text.slice(0, MAX_CONTENT_LENGTH) + CUT : text;
    } catch {
      // A value that JSON cannot express is not shown.
      return '';
    }
  };
}

/** Some adapters return arguments already parsed. */
function toText(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
}

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** The system messages as JSON of the semantic conventions. Undefined if there are none. */
export function toSystemInstructions(messages: readonly Message[], write: ContentWriter): string | undefined {
  const parts = messages
    .filter(({ role }) => role === 'system')
    .map((message) => textPart((message as { text: string }).text, 'prompt', write));
  return parts.length > 0 ? JSON.stringify(parts) : undefined;
}

/** The conversation that is sent to a model, as JSON of the semantic conventions. If it is too long, the oldest messages are left out. */
export function toInputMessages(messages: readonly Message[], write: ContentWriter): string {
  const written: string[] = [];
  let length = 2;
  for (const message of messages.toReversed()) {
    if (message.role === 'system') continue;
    const text = JSON.stringify({ role: message.role, parts: partsOf(message, 'prompt', write) });
    length += text.length + 1;
    if (length > MAX_CONTENT_LENGTH && written.length > 0) break;
    written.push(text);
  }
  return `[${written.toReversed().join(',')}]`;
}

/** The model's answer as JSON of the semantic conventions. */
export function toOutputMessages(
  results: readonly { readonly output: AssistantMessage; readonly metadata?: { readonly finishReason?: string } }[],
  write: ContentWriter,
): string {
  return JSON.stringify(
    results.map(({ output, metadata }) => ({
      role: 'assistant',
      parts: partsOf(output, 'completion', write),
      ...(metadata?.finishReason !== undefined && { finish_reason: metadata.finishReason }),
    })),
  );
}

/** The parts of a message. */
export function partsOf(message: Message, kind: ContentKind, write: ContentWriter): Part[] {
  if (message.role === 'tool') {
    return message.responses.map(({ id, name, responseData, isError }) => ({
      type: 'tool_call_response',
      id,
      response: write(responseData, isError ? 'error' : 'result', name),
    }));
  }
  const parts: Part[] = [];
  if (message.role === 'assistant' && message.reasoning) {
    parts.push({ type: 'reasoning', content: write(message.reasoning, kind) });
  }
  if (message.role === 'assistant') {
    for (const call of message.providerToolCalls ?? []) parts.push(...providerCallParts(call, write));
  }
  if (message.text) parts.push(textPart(message.text, kind, write));
  if (message.role !== 'system') parts.push(...(message.media ?? []).map(mediaPart));
  if (message.role === 'assistant') {
    parts.push(...(message.sources ?? []).map((source) => sourcePart(source, kind, write)));
    for (const { id, name, arguments: given } of message.toolCalls ?? []) {
      parts.push({
        type: 'tool_call',
        id,
        name: write(name, 'arguments', name),
        arguments: write(given, 'arguments', name),
      });
    }
  }
  return parts;
}

function textPart(text: string, kind: ContentKind, write: ContentWriter): Part {
  return { type: 'text', content: write(text, kind) };
}

/** A call that the provider has run, and its result. */
function providerCallParts(call: ProviderToolCall, write: ContentWriter): Part[] {
  const { id, name, arguments: given, result, isError } = call;
  const type = write(name, 'arguments', name);
  const called: Part = {
    type: 'server_tool_call',
    id,
    name: type,
    server_tool_call: { type, arguments: write(given, 'arguments', name) },
  };
  if (result === undefined && !isError) return [called];
  const response = { type, response: write(result, isError ? 'error' : 'result', name) };
  return [called, { type: 'server_tool_call_response', id, server_tool_call_response: response }];
}

/** The conventions have no part for sources. They allow parts of other types. */
function sourcePart({ url, title, name }: Source, kind: ContentKind, write: ContentWriter): Part {
  return {
    type: 'source',
    ...(url !== undefined && { uri: write(url, kind) }),
    ...(title !== undefined && { title: write(title, kind) }),
    ...(name !== undefined && { name: write(name, kind) }),
  };
}

/** Only records the type of an image or file, not its content. */
function mediaPart({ mimeType }: Media): Part {
  return { type: 'media', mime_type: mimeType };
}
