import { jsonrepair } from 'jsonrepair';
import { withoutThoughts } from './output-text.js';

/**
 * The greatest length, in characters, of invalid JSON to repair. Repairing can take time quadratic
 * in the length.
 */
const MAX_REPAIRED = 10_000;

/** The greatest nesting depth. Deeper JSON has no value until the answer is complete. */
const MAX_DEPTH = 1000;

/** The length of an escape such as `\u00e9`. */
const UNICODE_ESCAPE = 6;

/** A text is parsed again when it has grown by 1/50, since parsing a long text takes longer. */
const GROWTH = 50;

/**
 * Whether a text has grown so much that parsing it again is worth the time. Parsing it only then
 * takes linear time for all of it.
 *
 * @param read how much of it was parsed before, in characters
 */
export function hasGrown({ length }: string, read: number): boolean {
  return length - read >= Math.max(1, length / GROWTH);
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Where JSON that is still being written can be cut. */
interface Scanned {
  /** The closing brackets of the open objects and lists, outermost first. */
  readonly closers: readonly string[];
  /**
   * The end of the last complete part. After it, a key has no value yet, or a word or number may
   * go on.
   */
  readonly end: number;
  /** The index of the quote of an unfinished string; -1 if there is none. */
  readonly quote: number;
  /** Whether the last string is a key. */
  readonly isKey: boolean;
  readonly expectsKey: boolean;
}

/**
 * The value of JSON that is still being written, as if everything open were closed.
 *
 * @returns undefined until an object or list has begun
 */
export function partialJson(text: string): unknown {
  const spoken = withoutThoughts(text);
  const start = spoken.search(/[[{]/);
  if (start < 0) return undefined;
  const json = text.slice(text.trimEnd().length - spoken.length + start);
  const scanned = scan(json);
  const { closers, end, quote, isKey } = scanned;
  if (closers.length > MAX_DEPTH) return undefined;
  const closing = (quote >= 0 && !isKey ? '"' : '') + closers.toReversed().join('');
  const value = parse(json.slice(0, end) + closing);
  return value === undefined && json.length <= MAX_REPAIRED ? repaired(json, scanned) : value;
}

function scan(json: string): Scanned {
  const closers: string[] = [];
  let end = 0;
  let quote = -1;
  let escape = -1;
  let isKey = false;
  let expectsKey = false;
  let isWord = false;
  for (let at = 0; at < json.length && closers.length <= MAX_DEPTH; at++) {
    const sign = json.charCodeAt(at);
    if (quote >= 0) {
      if (sign === BACKSLASH) escape = at++;
      else if (sign === QUOTE) {
        quote = -1;
        if (!isKey) end = at + 1;
      }
    } else if (sign === QUOTE) {
      quote = at;
      escape = -1;
      isKey = expectsKey;
    } else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) {
      expectsKey = sign === OPEN_OBJECT;
      closers.push(expectsKey ? '}' : ']');
      end = at + 1;
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) {
      closers.pop();
      expectsKey = isWord = false;
      end = at + 1;
      if (closers.length === 0) break;
    } else if (sign === COLON) expectsKey = false;
    else if (sign === COMMA || sign <= SPACE) {
      if (isWord) end = at;
      isWord = false;
      if (sign === COMMA) expectsKey = closers.at(-1) === '}';
    } else isWord = true;
  }
  if (quote >= 0 && !isKey) end = endOfText(json, escape);
  return { closers, end, quote, isKey, expectsKey };
}

/**
 * The end of an unfinished string, without half an escape or half a character.
 *
 * @param escape where its last escape begins; -1 if it has none
 */
function endOfText(json: string, escape: number): number {
  if (json.length - escape < (json[escape + 1] === 'u' ? UNICODE_ESCAPE : 2)) return escape;
  const last = json.charCodeAt(json.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? json.length - 1 : json.length;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Reads text that is almost JSON, such as with single quotes or comments. */
function repaired(json: string, scanned: Scanned): unknown {
  try {
    const value: unknown = JSON.parse(jsonrepair(settled(json, scanned)));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The complete part of such a text, without a fence behind it. */
function settled(json: string, { end, quote, isKey, expectsKey }: Scanned): string {
  if (quote >= 0) return json.slice(0, isKey ? quote : end);
  const plain = json
    .replace(/\s*`{1,3}\s*$/, '')
    .replace(/(^|[:,[\s])[-+.\w]+$/, '$1')
    .replace(/"(?:[^"\\]|\\.)*"\s*:\s*$/, '');
  return isKey && expectsKey ? plain.replace(/"(?:[^"\\]|\\.)*"\s*$/, '') : plain;
}
