import { RELATED, WEIGHTS } from './lexicon.data.js';

/** What is known of English words, by their stems. */
export interface Lexicon {
  /** How much a word of a request says of what is wanted: 0 to 1. */
  weightOf(stem: string): number;
  /** Words that mean nearly the same, each with how much it counts: 0 to 1. */
  relatedTo(stem: string): Shares;
}

type Shares = readonly (readonly [stem: string, weight: number])[];

const NOTHING: Shares = Object.freeze([]);

let lexicon: Lexicon | undefined;

/** The lexicon, read when it is first needed. */
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
      // A row is read when its stem is first asked for: an application uses few of the thousands that there are.
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

/** Reads `35 tax 20 burden load`: each percentage holds of the stems that follow it. */
function sharesOf(text: string): Shares {
  const shares: [stem: string, weight: number][] = [];
  let weight = 0;
  for (const entry of text.split(' ')) {
    if (/^\d/.test(entry)) weight = Number(entry) / 100;
    else shares.push([entry, weight]);
  }
  return shares;
}
