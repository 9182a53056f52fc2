import { LONGEST_REQUEST } from '../words/longest-request.js';
import type { Lexicon } from '../words/lexicon.js';
import { STOP_WORDS } from '../words/stop-words.js';
import { LONGEST_WORD, stem, wordsOf } from '../words/words.js';
import { NUMBER_WEIGHT, PREFIX_WEIGHT } from './keyword-tuning.js';
import { pairsOf } from './tool-document.js';
import type { Vocabulary } from './vocabulary.js';

/** A request, reduced to words of the catalogue. */
export interface KeywordQuery {
  /** The request's own words with their weights. */
  readonly own: ReadonlyMap<string, number>;
  /** Related words, or words that may be meant. */
  readonly related: ReadonlyMap<string, number>;
  /** Pairs of consecutive words of the request. */
  readonly pairs: ReadonlySet<string>;
  /** The number of different words in the request. */
  readonly size: number;
}

/** The minimum length of each part of a compound word. */
const SHORTEST_PART = 3;

/** Parses a request. */
export function readQuery(text: string, vocabulary: Vocabulary, lexicon: Lexicon): KeywordQuery {
  const words = wordsOf(text.slice(0, LONGEST_REQUEST));
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const sequence = (telling.length > 0 ? telling : words).map(stem);
  const asked = new Set([...sequence, ...writtenAsOne(words, vocabulary), ...writtenApart(telling, vocabulary)]);
  const own = new Map<string, number>();
  const related = new Map<string, number>();
  for (const word of asked) {
    const weight = lexicon.weightOf(word) * (/^\p{N}+$/u.test(word) ? NUMBER_WEIGHT : 1);
    if (vocabulary.has(word)) own.set(word, weight);
    else
      for (const meant of vocabulary.like(word))
        if (!asked.has(meant)) related.set(meant, Math.max(related.get(meant) ?? 0, PREFIX_WEIGHT));
    for (const [other, share] of lexicon.relatedTo(word)) {
      if (!asked.has(other) && vocabulary.has(other)) related.set(other, (related.get(other) ?? 0) + weight * share);
    }
  }
  return { own, related, pairs: new Set(pairsOf(sequence)), size: asked.size };
}

/** Words that may stand between the parts of a phrasal verb: `log me in`. */
const PRONOUNS = new Set('me us him her it them you'.split(' '));

/** Particles of phrasal verbs, also as part of another word: `log into`. */
const PARTICLES = new Map(
  'in out up off on down over back into onto'.split(' ').map((word) => [word, word.replace(/^(in|on)to$/, '$1')]),
);

/** Joins "log in", "log me in" or "log into" to match tools that write "login". */
function writtenAsOne(words: readonly string[], vocabulary: Vocabulary): string[] {
  return words
    .flatMap((word, index) => {
      if (word.length < 2) return [];
      const [next = '', afterNext = ''] = words.slice(index + 1, index + 3);
      const particle = PARTICLES.get(PRONOUNS.has(next) ? afterNext : next);
      return [...(next === '' ? [] : [word + next]), ...(particle === undefined ? [] : [word + particle])];
    })
    .map(stem)
    .filter((joined) => vocabulary.has(joined));
}

/** Splits "weatherforecast" to match tools that write "weather forecast". */
function writtenApart(words: readonly string[], vocabulary: Vocabulary): string[] {
  return words.flatMap((word) => {
    if (word.length <= 2 * SHORTEST_PART || word.length > LONGEST_WORD || vocabulary.has(stem(word))) return [];
    for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
      const parts = [stem(word.slice(0, at)), stem(word.slice(at))];
      if (parts.every((part) => vocabulary.has(part))) return parts;
    }
    return [];
  });
}
