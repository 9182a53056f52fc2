import { AssistantMessage, type ToolCall } from '@nestor-ai/core';
import type { ContentItem, ProviderData } from './specification.js';

/** Where an assistant message keeps the provider's own parts. */
export const CONTENT_METADATA = 'aiSdkContent';

/**
 * The parts of an answer as the provider wants them back: signed reasoning, item ids, thought signatures.
 * Kept only when there is something that text and tool calls alone would lose.
 */
export type KeptContent = readonly (
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly providerOptions?: ProviderData }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: string;
      readonly providerOptions?: ProviderData;
    }
)[];

/** The tool call of a part; undefined when the part is something else, or the provider runs the tool itself. */
export function toToolCall(item: ContentItem): ToolCall | undefined {
  if (item.type !== 'tool-call' || item.providerExecuted) return undefined;
  return {
    id: item.toolCallId ?? '',
    name: item.toolName ?? '',
    arguments: item.input ?? '',
    ...providerMetadata(item),
  };
}

function providerMetadata({ providerMetadata: data }: ContentItem): { providerMetadata?: Record<string, unknown> } {
  return hasData(data) ? { providerMetadata: data as Record<string, unknown> } : {};
}

/** The assistant message of an answer's parts. */
export function toAssistantMessage(content: readonly ContentItem[]): AssistantMessage {
  const toolCalls = content.map(toToolCall).filter((call) => call !== undefined);
  const reasoning = joinTexts(content, 'reasoning');
  const metadata = keptMetadata(content);
  return new AssistantMessage({
    text: joinTexts(content, 'text'),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning !== '' && { reasoning }),
    ...(metadata && { metadata }),
  });
}

/** The metadata that keeps the parts, if they are worth keeping. */
export function keptMetadata(content: readonly ContentItem[]): Record<string, KeptContent> | undefined {
  const isWorthKeeping = content.some((item) => item.type === 'reasoning' || hasData(item.providerMetadata));
  return isWorthKeeping ? { [CONTENT_METADATA]: content.flatMap(keep) } : undefined;
}

function keep(item: ContentItem): KeptContent {
  const options = hasData(item.providerMetadata) ? { providerOptions: item.providerMetadata as ProviderData } : {};
  // Providers refuse empty texts.
  if (item.type === 'text' && !item.text) return [];
  if (item.type === 'text' || item.type === 'reasoning') {
    return [{ type: item.type, text: item.text ?? '', ...options }];
  }
  const call = toToolCall(item);
  return call
    ? [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.arguments, ...options }]
    : [];
}

function joinTexts(content: readonly ContentItem[], type: string): string {
  return content.map((item) => (item.type === type ? (item.text ?? '') : '')).join('');
}

function hasData(data: object | undefined): boolean {
  return Object.values(data ?? {}).some((value) => Object.keys((value ?? {}) as object).length > 0);
}
