import { RELATED, WEIGHTS } from './lexicon.data.js';

/** What is known of English words, by their stems. */
export interface Lexicon {
  /** How much a word of a request says of what is wanted: 0 to 1. */
  weightOf(stem: string): number;
  /** Words that mean nearly the same, each with how much it counts: 0 to 1. */
  relatedTo(stem: string): readonly (readonly [stem: string, weight: number])[];
}

const NOTHING: readonly (readonly [string, number])[] = Object.freeze([]);

let lexicon: Lexicon | undefined;

/** The lexicon, read when it is first needed. */
export function loadLexicon(): Lexicon {
  return (lexicon ??= readLexicon());
}

function readLexicon(): Lexicon {
  const weights = new Map<string, number>();
  for (const [weight, ...stems] of rowsOf(WEIGHTS)) for (const stem of stems) weights.set(stem, Number(weight) / 100);
  const related = new Map(rowsOf(RELATED).map(([stem, ...others]) => [stem!, others.map(toRelated)]));
  return {
    weightOf: (stem) => weights.get(stem) ?? 1,
    relatedTo: (stem) => related.get(stem) ?? NOTHING,
  };
}

function rowsOf(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** `purchas20` is the stem `purchas`, which counts a fifth. */
function toRelated(entry: string): readonly [string, number] {
  const [, stem, percent] = /^(\D+)(\d+)$/.exec(entry)!;
  return [stem!, Number(percent) / 100];
}
