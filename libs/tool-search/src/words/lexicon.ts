import { RELATED, WEIGHTS } from './lexicon.data.js';

/** Data about English words, by their stems. */
export interface Lexicon {
  /** How significant a word of a request is: 0 to 1. */
  weightOf(stem: string): number;
  /** Related words with their weights: 0 to 1. */
  relatedTo(stem: string): Shares;
}

type Shares = readonly (readonly [stem: string, weight: number])[];

const NOTHING: Shares = Object.freeze([]);

let lexicon: Lexicon | undefined;

/** The lexicon. Loaded on first use. */
export function loadLexicon(): Lexicon {
  return (lexicon ??= readLexicon());
}

function readLexicon(): Lexicon {
  const weights = new Map(WEIGHTS.split('\n').flatMap(sharesOf));
  const related = new Map<string, string | Shares>(RELATED.split(/[\n;]/).map(firstAndRest));
  return {
    weightOf: (stem) => weights.get(stem) ?? 1,
    relatedTo(stem) {
      const found = related.get(stem);
      if (typeof found !== 'string') return found ?? NOTHING;
      // Rows are parsed on first use, because an application only needs few of them.
      const shares = sharesOf(found);
      related.set(stem, shares);
      return shares;
    },
  };
}

function firstAndRest(row: string): [first: string, rest: string] {
  const space = row.indexOf(' ');
  return [row.slice(0, space), row.slice(space + 1)];
}

/** Parses `35 tax 20 burden load`: each percentage applies to the stems that follow it. */
function sharesOf(text: string): Shares {
  const shares: [stem: string, weight: number][] = [];
  let weight = 0;
  for (const entry of text.split(' ')) {
    if (/^\d/.test(entry)) weight = Number(entry) / 100;
    else shares.push([entry, weight]);
  }
  return shares;
}
