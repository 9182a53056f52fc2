import type { ContentPart, Media } from '../model/content-part.js';
import { isPlainObject } from '@nestor-ai/schema';
import { type Message, type MessageInput, toMessage, type ToolResponse } from '../model/messages.js';

/** A message that survives `JSON.stringify()` and `JSON.parse()`. */
export type MessageJson = { readonly role: Message['role'] } & Readonly<Record<string, unknown>>;

interface HasData {
  readonly data: Uint8Array | string | URL;
}

/**
 * Converts a message to plain JSON for storage. Bytes become base64 text, URLs become `{ url }`,
 * and values of tools and providers that are not JSON are left out.
 */
export function toMessageJson(message: Message): MessageJson {
  return mapData(Object.fromEntries(Object.entries(message)), ({ data }) => {
    if (data instanceof Uint8Array) return Buffer.from(data).toString('base64');
    return data instanceof URL ? { url: data.href } : data;
  }) as MessageJson;
}

/**
 * Converts the result of {@link toMessageJson} back to a message.
 *
 * @throws TypeError when it is not a message
 */
export function fromMessageJson(json: MessageJson): Message {
  const read = mapData(json, ({ data }) => {
    const { url } = (data ?? {}) as unknown as { url?: string };
    return typeof url === 'string' ? new URL(url) : data;
  });
  return toMessage(read as unknown as MessageInput);
}

function mapData(message: Record<string, unknown>, map: (part: HasData) => unknown): Readonly<Record<string, unknown>> {
  const mapParts = (parts: readonly (Media | ContentPart)[]): unknown[] =>
    parts.map((part) => ('data' in part ? { ...part, data: map(part) } : part));
  const { media, responses, metadata, providerToolCalls, sources } = message;
  return {
    ...message,
    ...(typeof metadata === 'object' && metadata !== null && { metadata: jsonPart(metadata) }),
    ...(Array.isArray(media) && { media: mapParts(media as Media[]) }),
    ...(Array.isArray(responses) && {
      responses: (responses as ToolResponse[]).map(({ value, content, ...response }) => ({
        ...response,
        ...(content && { content: mapParts(content) }),
        ...jsonPart({ value }),
      })),
    }),
    ...(Array.isArray(providerToolCalls) && { providerToolCalls: providerToolCalls.map(jsonPart) }),
    ...(Array.isArray(sources) && { sources: sources.map(jsonPart) }),
  };
}

/** The entries that survive a conversion to JSON unchanged. */
export function jsonPart(record: object): Record<string, unknown> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && isJson(value, []));
  return structuredClone(Object.fromEntries(entries));
}

function isJson(value: unknown, parents: readonly object[]): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || parents.includes(value)) return false;
  const inside = [...parents, value];
  if (Array.isArray(value)) return value.every((item) => isJson(item, inside));
  return isPlainObject(value) && Object.values(value).every((item) => item === undefined || isJson(item, inside));
}
