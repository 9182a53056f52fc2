import stemOf from 'wink-porter2-stemmer';
import { STOP_WORDS } from './stop-words.js';

/** The shortened verbs of English, which are no words of their own: `I'd`, `it's`. */
const CONTRACTIONS = /['’](s|re|ve|ll|d|m|t)\b/gi;

/** Scripts that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The words of a text in lower case; names of code are split: `getHTTPStatus_v2` is `get http status v 2`. */
export function wordsOf(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(CONTRACTIONS, ' ')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .replace(/(\p{N})(\p{L})/gu, '$1 $2')
    .toLowerCase();
  return (spaced.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word));
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
const LONGEST_WORD = 40;

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
