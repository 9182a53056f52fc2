import stemOf from 'wink-porter2-stemmer';
import { STOP_WORDS } from './stop-words.js';

/** English contractions, which are not words of their own: `I'd`, `it's`. */
const CONTRACTIONS = /['’](s|re|ve|ll|d|m|t)\b/gi;

/** Scripts without spaces between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');

/** Accents of Latin letters, which a search ignores. */
const ACCENTS = /(\p{Script=Latin})\p{M}+/gu;

/** Word boundaries in identifiers: `getHTTPStatus_v2`. For ASCII, and for all other letters. */
const PLAIN = {
  breaks: [/([a-z0-9])([A-Z])/g, /([A-Z])([A-Z][a-z])/g, /([a-zA-Z])([0-9])/g, /([0-9])([a-zA-Z])/g],
  words: /[a-z]+|[0-9]+/g,
};
const UNICODE = {
  breaks: [/(\p{Ll}|\p{N})(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu, /(\p{L})(\p{N})/gu, /(\p{N})(\p{L})/gu],
  // Also splits words of different scripts without a space between them.
  words: new RegExp(`[${UNSPACED_SCRIPTS}\\p{M}]+|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}])+|\\p{N}+`, 'gu'),
};
// eslint-disable-next-line no-control-regex -- most texts are ASCII only
const ASCII = /^[\x00-\x7F]*$/;

/**
 * The lower-case words of a text. Identifiers are split: `getHTTPStatus_v2` becomes
 * `get http status v 2`.
 */
export function wordsOf(text: string): string[] {
  const isPlain = ASCII.test(text);
  const { breaks, words } = isPlain ? PLAIN : UNICODE;
  let spaced = (isPlain ? text : plainLetters(text)).replace(CONTRACTIONS, ' ');
  for (const place of breaks) spaced = spaced.replace(place, '$1 $2');
  const found = spaced.toLowerCase().match(words) ?? [];
  return isPlain ? [...found] : found.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word));
}

/** Converts `München` to `Munchen`, and full-width letters to normal ones. */
function plainLetters(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '$1').normalize('NFC');
}

/** Without spaces, each pair of consecutive characters counts as a word. */
function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** The maximum number of cached stems, far more than most languages use every day. */
const MAX_REMEMBERED = 20_000;

/** Longer tokens are not words. */
export const LONGEST_WORD = 40;

const stems = new Map<string, string>();

/** The stem that the forms of a word share: `reviews` and `reviewed` become `review`. */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    found = word.length > 2 && word.length <= LONGEST_WORD && /^[a-z]+$/.test(word) ? stemOf(word) : word;
    if (stems.size >= MAX_REMEMBERED) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** The stems of the significant words of a text. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}
