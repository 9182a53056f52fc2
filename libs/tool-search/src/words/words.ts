import stemOf from 'wink-porter2-stemmer';
import { STOP_WORDS } from './stop-words.js';

/** The shortened verbs of English, which are no words of their own: `I'd`, `it's`. */
const CONTRACTIONS = /['’](s|re|ve|ll|d|m|t)\b/gi;

/** Scripts that put no space between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');

/** The accents of letters that are found without them as well. */
const ACCENTS = /(\p{Script=Latin})\p{M}+/gu;

/** Where words of code begin: `getHTTPStatus_v2`. Of letters that everybody has, and of all others. */
const PLAIN = {
  breaks: [/([a-z0-9])([A-Z])/g, /([A-Z])([A-Z][a-z])/g, /([a-zA-Z])([0-9])/g, /([0-9])([a-zA-Z])/g],
  words: /[a-z]+|[0-9]+/g,
};
const UNICODE = {
  breaks: [/(\p{Ll}|\p{N})(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu, /(\p{L})(\p{N})/gu, /(\p{N})(\p{L})/gu],
  // Also where a word of one script follows one of another without a space.
  words: new RegExp(`[${UNSPACED_SCRIPTS}\\p{M}]+|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{M}])+|\\p{N}+`, 'gu'),
};
// eslint-disable-next-line no-control-regex -- the letters, digits and signs of ASCII are most texts
const ASCII = /^[\x00-\x7F]*$/;

/** The words of a text in lower case; names of code are split: `getHTTPStatus_v2` is `get http status v 2`. */
export function wordsOf(text: string): string[] {
  const isPlain = ASCII.test(text);
  const { breaks, words } = isPlain ? PLAIN : UNICODE;
  let spaced = (isPlain ? text : plainLetters(text)).replace(CONTRACTIONS, ' ');
  for (const place of breaks) spaced = spaced.replace(place, '$1 $2');
  const found = spaced.toLowerCase().match(words) ?? [];
  return isPlain ? [...found] : found.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word));
}

/** `München` as `Munchen`, and full-width letters as all others. */
function plainLetters(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '$1').normalize('NFC');
}

/** Without spaces, each two characters that follow each other stand for a word. */
function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** How many words are remembered with their stems: far more than most languages use every day. */
const MAX_REMEMBERED = 20_000;

/** What is longer is no word. */
export const LONGEST_WORD = 40;

const stems = new Map<string, string>();

/** What the forms of a word have in common: `reviews` and `reviewed` are `review`. */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    found = word.length > 2 && word.length <= LONGEST_WORD && /^[a-z]+$/.test(word) ? stemOf(word) : word;
    if (stems.size >= MAX_REMEMBERED) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** The stems of the words of a text that say something. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}
