import {
  AssistantMessage,
  type AssistantMessageInit,
  type Media,
  type ProviderOptions,
  type ProviderToolCall,
  type Source,
  type ToolCall,
  mergeProviderToolCalls,
} from '@nestor-ai/core';
import { generatedData } from '../request/file-part.js';
import { approvalIdsIn, hasData, keptMetadata } from './kept-content.js';
import type { ContentItem, SpecificationCitation } from '../specification.js';

/**
 * Creates an assistant message from the parts of an answer.
 *
 * @param provider the `provider` of the language model
 */
export function toAssistantMessage(content: readonly ContentItem[], provider: string): AssistantMessage {
  const approvals = approvalIdsIn(content);
  const metadata = keptMetadata(content, approvals, provider);
  let text = '';
  let reasoning = '';
  let toolCalls: ToolCall[] | undefined;
  let providerToolCalls: readonly ProviderToolCall[] | undefined;
  let media: Media[] | undefined;
  let sources: Source[] | undefined;
  for (const item of content) {
    if (item.type === 'text') text += item.text ?? '';
    if (item.type === 'reasoning') reasoning += item.text ?? '';
    const added = toMessagePart(item, approvals?.get(item.toolCallId ?? ''));
    if (added?.toolCalls) (toolCalls ??= []).push(...added.toolCalls);
    if (added?.providerToolCalls) {
      providerToolCalls = mergeProviderToolCalls(providerToolCalls ?? [], added.providerToolCalls);
    }
    if (added?.media) (media ??= []).push(...added.media);
    if (added?.sources) (sources ??= []).push(...added.sources);
  }
  return new AssistantMessage({
    text,
    ...(toolCalls && { toolCalls }),
    ...(reasoning !== '' && { reasoning }),
    ...(providerToolCalls && { providerToolCalls }),
    ...(media && { media }),
    ...(sources && { sources }),
    ...(metadata && { metadata }),
  });
}

/**
 * What a part adds to a message, other than text and reasoning. Undefined if it adds nothing.
 *
 * @param approvalId the provider's id of the approval, for a call that needs one
 */
export function toMessagePart(item: ContentItem, approvalId?: string): AssistantMessageInit | undefined {
  switch (item.type) {
    case 'tool-call':
      return item.providerExecuted && approvalId === undefined
        ? { providerToolCalls: [toProviderToolCall(item)] }
        : { toolCalls: [toToolCall(item, approvalId)] };
    case 'tool-result':
      return { providerToolCalls: [toProviderToolCall(item)] };
    case 'file':
      return { media: [toMedia(item)] };
    case 'source':
      return { sources: [toSource(item)] };
    case 'text':
    case 'text-end':
      return item.citations && item.citations.length > 0 ? { sources: item.citations.map(toCitedSource) } : undefined;
    default:
      return undefined;
  }
}

function toToolCall(item: ContentItem, approvalId: string | undefined): ToolCall {
  return {
    id: item.toolCallId ?? '',
    name: item.toolName ?? '',
    arguments: item.input ?? '',
    ...(hasData(item.providerMetadata) && { providerMetadata: item.providerMetadata as Record<string, unknown> }),
    ...(approvalId !== undefined && { providerApprovalId: approvalId }),
  };
}

/** The call of a call part, or the result of a result part. Both have the same id. */
function toProviderToolCall({ type, toolCallId, toolName, input, result, isError }: ContentItem): ProviderToolCall {
  return {
    id: toolCallId ?? '',
    name: toolName ?? '',
    arguments: input ?? '',
    ...(type === 'tool-result' && { result: result ?? null }),
    ...(isError && { isError }),
  };
}

function toMedia({ mediaType, data, filename, providerMetadata }: ContentItem): Media {
  return {
    mimeType: mediaType ?? 'application/octet-stream',
    data: generatedData(data),
    ...(filename !== undefined && { name: filename }),
    ...withData(providerMetadata, 'providerOptions'),
  };
}

function toSource({ sourceType, id, url, title, mediaType, filename, providerMetadata }: ContentItem): Source {
  return {
    type: sourceType === 'document' ? 'document' : 'url',
    id: id ?? '',
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
    ...(filename !== undefined && { name: filename }),
    ...withData(providerMetadata, 'providerMetadata'),
  };
}

function toCitedSource({ source, citedText, startIndex, endIndex }: SpecificationCitation): Source {
  return {
    ...toSource(source),
    citation: {
      ...(citedText !== undefined && { text: citedText }),
      ...(startIndex !== undefined && { start: startIndex }),
      ...(endIndex !== undefined && { end: endIndex }),
    },
  };
}

function withData<Key extends string>(data: object | undefined, key: Key): { readonly [K in Key]?: ProviderOptions } {
  return hasData(data) ? ({ [key]: data } as { readonly [K in Key]: ProviderOptions }) : {};
}
