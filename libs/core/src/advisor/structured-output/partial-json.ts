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

/**
 * Reads JSON that is still being written. Reads each character once, however often you ask for the
 * value.
 */
export class PartialJson {
  /** The index where the JSON begins in the text; -1 before it begins. */
  #from = -1;
  /** The index up to which the text has been read. */
  #at = 0;
  /**
   * The end of the last complete part. After it, a key has no value yet, or a word or number may
   * go on.
   */
  #safe = 0;
  /** The closing brackets of the open objects and lists, outermost first. */
  readonly #closers: string[] = [];
  #expectsKey = false;
  #isKey = false;
  #isText = false;
  #isEscaped = false;
  /** The index where the last escape in a string begins. */
  #escapeAt = 0;
  /** Whether the position is within a word or a number. */
  #isWord = false;
  #hasEnded = false;
  #isBroken = false;
  #isTooDeep = false;

  /**
   * The value of the text so far, as if everything open were closed.
   *
   * @param text the previous text, with more at its end
   * @returns undefined until an object or list has begun
   */
  read(text: string): unknown {
    if (this.#from < 0) this.#begin(text);
    if (this.#from < 0) return undefined;
    this.#scan(text);
    if (this.#isTooDeep) return undefined;
    if (!this.#isBroken) {
      const value = parse(this.#closed(text));
      if (value !== undefined) return value;
      // Broken JSON stays broken when more text follows.
      this.#isBroken = true;
    }
    return text.length - this.#from > MAX_REPAIRED ? undefined : repaired(text.slice(this.#from));
  }

  #begin(text: string): void {
    const spoken = withoutThoughts(text);
    const start = spoken.search(/[[{]/);
    if (start < 0) return;
    this.#from = text.trimEnd().length - spoken.length + start;
    this.#at = this.#from;
    this.#safe = this.#from;
  }

  /** The complete part of the text, with everything open closed. */
  #closed(text: string): string {
    const closers = this.#closers.toReversed().join('');
    if (!this.#isText || this.#isKey) return text.slice(this.#from, this.#safe) + closers;
    return `${text.slice(this.#from, this.#endOfText(text))}"${closers}`;
  }

  /** The end of an unfinished string, without half an escape or half a character. */
  #endOfText(text: string): number {
    const isUnicode = text[this.#escapeAt + 1] === 'u';
    if (this.#isEscaped || (isUnicode && text.length - this.#escapeAt < UNICODE_ESCAPE)) return this.#escapeAt;
    const last = text.charCodeAt(text.length - 1);
    return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  }

  #scan(text: string): void {
    for (; this.#at < text.length && !this.#hasEnded; this.#at++) {
      const sign = text.charCodeAt(this.#at);
      if (this.#isText) this.#scanText(sign);
      else this.#scanBetween(sign);
    }
  }

  #scanText(sign: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === BACKSLASH) {
      this.#isEscaped = true;
      this.#escapeAt = this.#at;
    } else if (sign === QUOTE) {
      this.#isText = false;
      if (!this.#isKey) this.#safe = this.#at + 1;
    }
  }

  #scanBetween(sign: number): void {
    switch (sign) {
      case QUOTE:
        this.#isText = true;
        this.#isKey = this.#expectsKey;
        this.#escapeAt = -UNICODE_ESCAPE;
        return;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#open(sign === OPEN_OBJECT);
        return;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#closers.pop();
        this.#expectsKey = false;
        this.#isWord = false;
        this.#safe = this.#at + 1;
        this.#hasEnded = this.#closers.length === 0;
        return;
      case COLON:
        this.#expectsKey = false;
        return;
      case COMMA:
        this.#endWord();
        this.#expectsKey = this.#closers.at(-1) === '}';
        return;
      default:
        if (sign <= SPACE) this.#endWord();
        else this.#isWord = true;
    }
  }

  #open(isObject: boolean): void {
    this.#closers.push(isObject ? '}' : ']');
    this.#expectsKey = isObject;
    this.#safe = this.#at + 1;
    if (this.#closers.length > MAX_DEPTH) this.#isTooDeep = true;
  }

  /** Marks the current word or number as complete. */
  #endWord(): void {
    if (this.#isWord) this.#safe = this.#at;
    this.#isWord = false;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Reads text that is almost JSON, such as with single quotes or comments. */
function repaired(text: string): unknown {
  try {
    const value: unknown = JSON.parse(jsonrepair(settled(text.replace(/\s*`{1,3}\s*$/, ''))));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The complete part of a text: without a key that has no value yet, a word or number that may go
 * on, half an escape or half a character.
 */
function settled(json: string): string {
  let isText = false;
  let isKey = false;
  let start = 0;
  const levels: string[] = [];
  let expectsKey = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    if (isText) {
      if (sign === '\\') at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') {
      isText = true;
      isKey = expectsKey;
      start = at;
    } else if (sign === '{' || sign === '[') {
      levels.push(sign);
      expectsKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      expectsKey = false;
    } else if (sign === ',') expectsKey = levels.at(-1) === '{';
    else if (sign === ':') expectsKey = false;
  }
  if (isText && isKey) return json.slice(0, start);
  if (isText) return json.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '').replace(/[\uD800-\uDBFF]$/, '');
  const plain = json.replace(/(^|[:,[\s])[-+.\w]+$/, '$1').replace(/"(?:[^"\\]|\\.)*"\s*:\s*$/, '');
  return isKey && expectsKey ? plain.replace(/"(?:[^"\\]|\\.)*"\s*$/, '') : plain;
}
