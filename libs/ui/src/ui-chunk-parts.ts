import type { ProviderToolResultEvent, Source } from '@nestor-ai/core';
import { parseJson } from '@nestor-ai/schema';
import { toText } from '@nestor-ai/core/internal';
import type { UIMessageChunk } from './ui-message-chunk.js';

/** How long a text may be to be parsed as JSON, in characters. */
const MAX_JSON = 1_000_000;

/**
 * Arguments and results for a front end: objects and lists are parsed, everything else stays text,
 * so that numbers keep all digits.
 */
export function asValue(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_JSON) return text;
  return parseJson(text) ?? text;
}

/** A call with its arguments. */
export function toInputChunk(toolCallId: string, toolName: string, text: string) {
  return { type: 'tool-input-available', toolCallId, toolName, input: asValue(text === '' ? '{}' : text) } as const;
}

/** The result of a tool of the provider. */
export function toOutputChunk({
  toolCall: { id: toolCallId },
  result,
  isError,
}: Pick<ProviderToolResultEvent, 'toolCall' | 'result' | 'isError'>): UIMessageChunk {
  if (!isError) return { type: 'tool-output-available', toolCallId, output: result, providerExecuted: true };
  return { type: 'tool-output-error', toolCallId, errorText: toText(result) ?? '', providerExecuted: true };
}

const UNKNOWN_TYPE = 'application/octet-stream';

/** A source. The protocol requires the address of a page, and the type and title of a document. */
export function toSourceChunk({ type, id: sourceId, url, title, mimeType, name }: Source): UIMessageChunk {
  if (type === 'url' && url !== undefined) {
    return { type: 'source-url', sourceId, url, ...(title !== undefined && { title }) };
  }
  return {
    type: 'source-document',
    sourceId,
    mediaType: mimeType ?? UNKNOWN_TYPE,
    title: title ?? name ?? sourceId,
    ...(name !== undefined && { filename: name }),
  };
}
