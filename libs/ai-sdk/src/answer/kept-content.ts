import { generatedData } from '../request/file-part.js';
import { base64 } from '../request/media-data.js';
import type { ContentItem, FileData, ProviderData } from '../specification.js';

/** The metadata key under which an assistant message keeps the provider's parts. */
export const CONTENT_METADATA = 'aiSdkContent';

/** The metadata key of the model's provider, if it has run tools. Others cannot read the calls. */
export const PROVIDER_METADATA = 'aiSdkProvider';

/**
 * The parts of an answer in their order, with the data that the provider expects back: signed
 * reasoning, item ids, thought signatures, calls and results of its own tools. It is JSON, because
 * memories store it. Files and the application's tool calls are in the message. Only kept if the
 * message alone would lose information.
 */
export type KeptContent = readonly KeptPart[];

export type KeptPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly providerOptions?: ProviderData }
  | KeptCall
  | KeptProviderCall
  | {
      readonly type: 'tool-result';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly result: unknown;
      readonly isError?: true;
      readonly providerOptions?: ProviderData;
    }
  /** The next one of the message's media. */
  | { readonly type: 'file' }
  | {
      readonly type: 'reasoning-file';
      readonly mediaType: string;
      readonly data: { readonly type: 'data'; readonly data: string } | { readonly type: 'url'; readonly url: string };
      readonly providerOptions?: ProviderData;
    }
  | { readonly type: 'custom'; readonly kind: string; readonly providerOptions?: ProviderData };

/** A call in the message's `toolCalls`. */
export interface KeptCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly providerExecuted?: undefined;
  readonly providerOptions?: ProviderData;
}

/** A call of a tool that the provider has run. */
export interface KeptProviderCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
  readonly providerExecuted: true;
  readonly providerOptions?: ProviderData;
}

/** The ids of the approvals that an answer asks for, by the ids of the calls. */
export type ApprovalIds = ReadonlyMap<string, string>;

/** The approvals that the parts ask for. Undefined if there are none. */
export function approvalIdsIn(content: readonly ContentItem[]): ApprovalIds | undefined {
  let ids: Map<string, string> | undefined;
  for (const { type, toolCallId, approvalId } of content) {
    if (type === 'tool-approval-request') (ids ??= new Map<string, string>()).set(toolCallId ?? '', approvalId ?? '');
  }
  return ids;
}

/**
 * The metadata that keeps the parts, if they contain more than text and tool calls.
 *
 * @param provider the `provider` of the language model
 */
export function keptMetadata(
  content: readonly ContentItem[],
  approvals: ApprovalIds | undefined,
  provider: string,
): Record<string, KeptContent | string> | undefined {
  if (!content.some(isWorthKeeping)) return undefined;
  const kept = content.flatMap((item) => keep(item, approvals) ?? []);
  return {
    [CONTENT_METADATA]: kept,
    ...(kept.some(isOfProvider) && { [PROVIDER_METADATA]: provider }),
  };
}

/** Whether a part is a call or a result of a tool that the provider has run. */
export function isOfProvider(part: KeptPart): boolean {
  return part.type === 'tool-result' || (part.type === 'tool-call' && part.providerExecuted === true);
}

function isWorthKeeping({ type, providerExecuted, providerMetadata }: ContentItem): boolean {
  if (type === 'text') return hasData(providerMetadata);
  if (type === 'tool-call') return providerExecuted === true || hasData(providerMetadata);
  return ORDERED.has(type);
}

/** The parts that a message has no place for, or whose place among the others it does not know. */
const ORDERED: ReadonlySet<string> = new Set(['reasoning', 'tool-result', 'file', 'reasoning-file', 'custom']);

function keep(item: ContentItem, approvals: ApprovalIds | undefined): KeptPart | undefined {
  const { type, text = '', toolCallId = '', toolName = '', input = '' } = item;
  const options = hasData(item.providerMetadata) ? { providerOptions: item.providerMetadata as ProviderData } : {};
  switch (type) {
    case 'text':
      // Providers reject empty texts, except for those with data.
      return text === '' && !options.providerOptions ? undefined : { type, text, ...options };
    case 'reasoning':
      return { type, text, ...options };
    case 'tool-call':
      return item.providerExecuted && !approvals?.has(toolCallId)
        ? { type, toolCallId, toolName, input, providerExecuted: true, ...options }
        : { type, toolCallId, ...options };
    case 'tool-result': {
      const { result = null, isError } = item;
      return { type, toolCallId, toolName, result, ...(isError && { isError: true }), ...options };
    }
    case 'file':
      return { type };
    case 'reasoning-file':
      return { type, mediaType: item.mediaType ?? '', data: asJson(item.data), ...options };
    case 'custom':
      return { type, kind: item.kind ?? '', ...options };
    default:
      return undefined;
  }
}

function asJson(given: FileData): { type: 'url'; url: string } | { type: 'data'; data: string } {
  const data = generatedData(given);
  return data instanceof URL ? { type: 'url', url: data.href } : { type: 'data', data: base64(data) };
}

/** Whether metadata of providers contains anything. */
export function hasData(data: object | undefined): boolean {
  return Object.values(data ?? {}).some((value) => Object.keys((value ?? {}) as object).length > 0);
}
