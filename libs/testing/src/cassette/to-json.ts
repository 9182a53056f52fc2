import { createHash } from 'node:crypto';
import { isPlainObject } from '@nestor-ai/schema';
import { CassetteException, type Json, type JsonRecord } from './cassette-content.js';

/** The form of bytes in a cassette. Hashing it again changes nothing. */
const HASH = /^sha256:[0-9a-f]{64}$/;

/** Media that is an address or an id at the provider, and not bytes. */
const REFERENCE = /^(?:https?:|gs:|s3:|file[-_])/;

/** Text of this length without a space is base64, such as a picture in the result of a provider's tool. */
const BASE64 = /^[\w+/-]{4096,}={0,2}$/;

/**
 * A JSON copy of a value. Bytes become their SHA-256 hash; functions, symbols and undefined values
 * are left out.
 *
 * @throws CassetteException for a value that contains itself
 */
export function toJson(value: unknown): Json | undefined {
  return convert(value, new Set());
}

function convert(value: unknown, ancestors: Set<object>): Json | undefined {
  switch (typeof value) {
    case 'string':
      return BASE64.test(value) ? hashOf(Buffer.from(value, 'base64')) : value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : convertObject(value, ancestors);
    default:
      return undefined;
  }
}

function convertObject(value: object, ancestors: Set<object>): Json | undefined {
  if (value instanceof Uint8Array) return hashOf(value);
  if (value instanceof ArrayBuffer) return hashOf(new Uint8Array(value));
  if (value instanceof URL) return value.href;
  if (value instanceof Map || value instanceof Set) return convertObject([...value], ancestors);
  if (ancestors.has(value)) {
    throw new CassetteException(
      'A request or an answer contains an object that contains itself, which JSON cannot carry.',
    );
  }
  ancestors.add(value);
  try {
    if (Array.isArray(value)) return value.map((item) => convert(item, ancestors) ?? null);
    if (!isPlainObject(value) && 'toJSON' in value && typeof value.toJSON === 'function') {
      return convert(value.toJSON(), ancestors);
    }
    return convertRecord(value, ancestors);
  } finally {
    ancestors.delete(value);
  }
}

function convertRecord(value: object, ancestors: Set<object>): JsonRecord {
  const isMedia = 'data' in value && ('mimeType' in value || 'mediaType' in value);
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const json = isMedia && key === 'data' ? mediaData(item, ancestors) : convert(item, ancestors);
    return json === undefined ? [] : [[key, json] as const];
  });
  return Object.fromEntries(entries);
}

/** The data of an image or file. Equal bytes have equal hashes, as base64 and as bytes. */
function mediaData(data: unknown, ancestors: Set<object>): Json | undefined {
  if (data instanceof URL) return data.protocol === 'data:' ? hashOf(Buffer.from(data.href)) : { url: data.href };
  if (typeof data === 'string') {
    return HASH.test(data) || REFERENCE.test(data) ? data : hashOf(Buffer.from(data, 'base64'));
  }
  if (typeof data !== 'object' || data === null || !isPlainObject(data)) return convert(data, ancestors);
  // Version 4 of the AI SDK's specification: { type: 'data', data }.
  const { data: inner, ...rest } = data as { data?: unknown };
  return { ...convertRecord(rest, ancestors), ...(inner !== undefined && { data: mediaData(inner, ancestors)! }) };
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A short hash of a value's JSON. The order of keys does not matter. */
export function contentHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(toJson(value))))
    .digest('hex')
    .slice(0, 16);
}

function sorted(value: Json | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item as Json)]);
}
