import { RE2JS } from 're2js';
import { STOP_WORDS } from '../words/stop-words.js';

/** How long a pattern may be. */
const MAX_LENGTH = 200;

/** What stands between the words of a request. */
const BETWEEN_WORDS = /[\s,;:.!?()[\]{}"']+/;

/** What hardly anybody writes who does not mean a pattern. */
const SIGNS_OF_A_PATTERN = /\.[*+?]|\\[bBdDwWsS]|\[[^\]]+\]|\([^)]*\|[^)]*\)|^\^|\$$|\w\|\w|^\/.*\/i?$/;

/** The words of a request as a pattern: `weather tools` becomes `(?i)(weather|tools)`; without words, what matches everything. */
export function toKeywordPattern(query: string): string {
  const words = query
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word));
  const distinct = [...new Set(telling.length > 0 ? telling : words)].map(escape);
  if (distinct.length === 0) return '.*';
  while (distinct.length > 1 && patternOf(distinct).length > MAX_LENGTH) distinct.pop();
  return patternOf(distinct);
}

/** The pattern that a query is, without regard to upper and lower case; undefined for one that is words. */
export function toOwnPattern(query: string): string | undefined {
  const text = query.trim();
  if (text.length > MAX_LENGTH || !SIGNS_OF_A_PATTERN.test(text)) return undefined;
  const [, inside] = /^\/(.*)\/i?$/.exec(text) ?? [];
  const pattern = `(?i)${inside ?? text}`;
  return isValidPattern(pattern) ? pattern : undefined;
}

/** Whether a pattern can be searched for: RE2 has no look-around and no back-references, and therefore no pattern that hangs. */
export function isValidPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    RE2JS.compile(pattern);
    return true;
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
