import type { AssistantMessage, ToolCall } from '@nestor-ai/core';
import { filePart } from './file-part.js';
import {
  CONTENT_METADATA,
  isOfProvider,
  type KeptCall,
  type KeptContent,
  type KeptPart,
  PROVIDER_METADATA,
} from '../answer/kept-content.js';
import { sentId } from './sent-id.js';
import type {
  AssistantContent,
  AssistantPart,
  ProviderData,
  SpecificationVersion,
  ToolCallPart,
  ToolResultOutput,
} from '../specification.js';

/**
 * The parts of the model's answer, in the form in which the provider expects them back.
 *
 * @param provider the `provider` of the language model
 */
export function assistantContent(
  message: AssistantMessage,
  version: SpecificationVersion,
  provider: string | undefined,
): AssistantContent {
  const kept = message.metadata?.[CONTENT_METADATA] as KeptContent | undefined;
  if (kept) return keptParts(kept, message, version, provider);
  return [
    // Anthropic refuses texts of white space alone.
    ...(message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text.toWellFormed() }]),
    ...(message.media ?? []).map((item) => filePart(item, version)),
    ...message.toolCalls.map((call) => toolCallPart(call, provider)),
  ];
}

/**
 * The kept parts, corrected by what has changed in the message since: tool calls that were
 * repaired, added or removed, files that were removed, and a new text, which replaces all texts.
 */
function keptParts(
  kept: KeptContent,
  { text, toolCalls, media = [], metadata }: AssistantMessage,
  version: SpecificationVersion,
  provider: string | undefined,
): AssistantContent {
  // Whether the provider has run the tools of the message. Others refuse their calls.
  const isOwn = metadata?.[PROVIDER_METADATA] === provider;
  const isSameText = text === kept.reduce((said, item) => (item.type === 'text' ? said + item.text : said), '');
  const matched = matchCalls(kept, toolCalls);
  const parts: AssistantPart[] = [];
  let nextCall = 0;
  let nextFile = 0;
  let textAt: number | undefined;
  let isCut = false;
  for (const item of kept) {
    let part: AssistantPart | undefined;
    if (isCall(item)) {
      const call = matched[nextCall++];
      part = call && toolCallPart(call, provider, item.providerOptions);
    } else if (item.type === 'file') {
      const file = media[nextFile++];
      part = file && filePart(file, version);
    } else if (item.type === 'text') {
      textAt ??= parts.length;
      // The AI SDK sends empty texts with data in version 4 only.
      const isSent = item.providerOptions ? item.text !== '' || version === 'v4' : item.text.trim() !== '';
      if (isSameText && isSent) parts.push({ ...item, text: item.text.toWellFormed() });
      if (isSameText) continue;
    } else if (isOwn || !isOfProvider(item)) {
      part = keptPart(item, version);
    }
    if (part) parts.push(part);
    else isCut = true;
  }
  if (isCut) removeTrailingReasoning(parts);
  if (!isSameText && text.trim() !== '')
    parts.splice(placeOfText(parts, textAt), 0, { type: 'text', text: text.toWellFormed() });
  parts.push(...media.slice(nextFile).map((file) => filePart(file, version)));
  for (const call of toolCalls) if (!matched.includes(call)) parts.push(toolCallPart(call, provider));
  return parts;
}

/**
 * The message's call for each kept one. Repairs change names, ids and arguments, but not the order,
 * so that calls belong together by position. If there are more or fewer now, they do by id.
 */
function matchCalls(kept: KeptContent, calls: readonly ToolCall[]): readonly (ToolCall | undefined)[] {
  const keptCalls = kept.filter(isCall);
  if (keptCalls.length === calls.length) return calls;
  return keptCalls.map(({ toolCallId }) => calls.find(({ id }) => id === toolCallId));
}

function isCall(item: KeptPart): item is KeptCall {
  return item.type === 'tool-call' && !isOfProvider(item);
}

function keptPart(item: Exclude<KeptPart, KeptCall>, version: SpecificationVersion): AssistantPart | undefined {
  switch (item.type) {
    case 'tool-call':
      return { ...item, input: parseArguments(item.input) };
    case 'tool-result': {
      const { result, isError, ...rest } = item;
      return { ...rest, output: resultOutput(result, isError) };
    }
    case 'reasoning-file':
      return inVersion4(version, {
        ...item,
        data: item.data.type === 'url' ? { type: 'url', url: new URL(item.data.url) } : item.data,
      });
    case 'custom':
      return inVersion4(version, item);
    default:
      return item as AssistantPart;
  }
}

/** Models of version 3 do not know these parts. */
function inVersion4(version: SpecificationVersion, part: object): AssistantPart | undefined {
  return version === 'v4' ? (part as AssistantPart) : undefined;
}

/** The result in the form in which the AI SDK sends it back. */
function resultOutput(result: unknown, isError: true | undefined): ToolResultOutput {
  if (isError) return { type: 'error-json', value: result };
  return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result };
}

/** Reasoning that led to a part that is no longer there. OpenAI refuses it without that part. */
function removeTrailingReasoning(parts: AssistantPart[]): void {
  while (parts.at(-1)?.type === 'reasoning') parts.pop();
}

/** A new text takes the place of the first old one, or else follows the reasoning at the start. */
function placeOfText(parts: readonly AssistantPart[], textAt: number | undefined): number {
  if (textAt !== undefined) return Math.min(textAt, parts.length);
  const first = parts.findIndex(({ type }) => type !== 'reasoning');
  return first < 0 ? parts.length : first;
}

function toolCallPart(call: ToolCall, provider: string | undefined, kept?: ProviderData): ToolCallPart {
  const data = kept ?? (call.providerMetadata as ProviderData | undefined);
  return {
    type: 'tool-call',
    toolCallId: sentId(call.id, provider),
    toolName: call.name,
    input: parseArguments(call.arguments),
    // The provider runs a call that needs its approval.
    ...(call.providerApprovalId !== undefined && { providerExecuted: true }),
    ...(data && { providerOptions: data }),
  };
}

const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

/**
 * Providers require an object. Other arguments from the model are wrapped, so that the model can
 * see them.
 */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text, /\\ud/i.test(text) ? wellFormed : undefined);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : { invalidArguments: text.toWellFormed() };
  } catch {
    return { invalidArguments: text.toWellFormed() };
  }
}
