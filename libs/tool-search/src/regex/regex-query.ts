import { RE2JS } from 're2js';
import { LONGEST_REQUEST } from '../words/longest-request.js';
import { STOP_WORDS } from '../words/stop-words.js';

/**
 * The maximum length of a pattern and of its program. Nested repetitions are short to write, but
 * expensive to run.
 */
const MAX_LENGTH = 200;
const MAX_PROGRAM = 500;

/** Separators between the words of a request. */
const BETWEEN_WORDS = /[\s,;:.!?()[\]{}"']+/;

/** Syntax that is rare outside patterns. */
const SIGNS_OF_A_PATTERN = /\.[*+?]|\\[bBdDwWsS]|\[[^\]]+\]|\([^)]*\|[^)]*\)|^\^|\$$|\w\|\w|^\/.*\/i?$/;

/**
 * Converts the words of a request to a pattern: `weather tools` becomes `(?i)(weather|tools)`.
 * Without words, the pattern matches everything.
 */
export function toKeywordPattern(query: string): string {
  const words = query
    .slice(0, LONGEST_REQUEST)
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  const [first, ...others] = new Set(telling.length > 0 ? telling : words);
  if (first === undefined) return '.*';
  const kept = [escape(first)];
  let length = patternOf(kept).length;
  for (const word of others.map(escape)) {
    length += word.length + 1;
    if (length > MAX_LENGTH) break;
    kept.push(word);
  }
  return patternOf(kept);
}

/**
 * Returns a query that is a pattern, made case-insensitive. Undefined if the query consists of
 * words.
 */
export function toOwnPattern(query: string): string | undefined {
  const text = query.trim();
  if (text.length > MAX_LENGTH || !SIGNS_OF_A_PATTERN.test(text)) return undefined;
  const [, inside] = /^\/(.*)\/i?$/.exec(text) ?? [];
  const pattern = `(?i)${inside ?? text}`;
  return isValidPattern(pattern) ? pattern : undefined;
}

/**
 * Whether a pattern can be searched for. RE2 supports no look-around and no back-references. Its
 * time grows with the text and with the pattern's program, so the program must be small.
 */
export function isValidPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return RE2JS.compile(pattern).programSize() <= MAX_PROGRAM;
  } catch {
    return false;
  }
}

function patternOf(words: readonly string[]): string {
  return `(?i)(${words.join('|')})`;
}

function escape(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
