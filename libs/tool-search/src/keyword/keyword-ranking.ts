import type { KeywordQuery } from './keyword-query.js';
import { BONUS, SPREAD } from './keyword-tuning.js';
import type { ToolDocument } from './tool-document.js';

/** A word of the request that occurs in a tool, with its contribution to the score. */
export interface Share {
  readonly word: string;
  readonly score: number;
}

/** A tool that may match. */
export interface Candidate {
  readonly toolName: string;
  readonly score: number;
  /** The contributions of the request's own words. */
  readonly shares: readonly Share[];
  /** The order of insertion. Among equal scores, the first tool comes first. */
  readonly order: number;
}

/** The factor for tools whose name, or pairs of words, occur in the request. */
export function bonusOf(
  { name, pairs }: ToolDocument,
  query: KeywordQuery,
  rarityOf: (word: string) => number,
): number {
  let named = 0;
  let whole = 0;
  for (const word of name) {
    const rarity = rarityOf(word);
    whole += rarity;
    if (query.own.has(word)) named += rarity;
  }
  let common = 0;
  if (query.pairs.size > 0) for (const pair of pairs) if (query.pairs.has(pair)) common++;
  const inName = whole > 0 ? named / whole : 0;
  return 1 + BONUS.name * inName + BONUS.pair * Math.min(common, BONUS.maxPairs);
}

/**
 * Makes the first tools cover different parts of a long request: words that a chosen tool matches
 * count less for the next one.
 *
 * @param ranked the candidates, best first
 * @param size the number of words in the request
 */
export function spread(ranked: readonly Candidate[], size: number): readonly Candidate[] {
  const share = Math.min(1, Math.max(0, (size - SPREAD.from) / (SPREAD.full - SPREAD.from)));
  if (share === 0) return ranked;
  const keeps = 1 - SPREAD.by * share;
  const waiting = [...ranked];
  const chosen: Candidate[] = [];
  const counts = new Map<string, number>();
  const worth = ({ score, shares }: Candidate): number => {
    let value = score;
    for (const { word, score: part } of shares) value -= part * (1 - (counts.get(word) ?? 1));
    return value;
  };
  while (waiting.length > 0 && chosen.length < SPREAD.tools) {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < waiting.length; index++) {
      const value = worth(waiting[index]!);
      if (value > most) [best, most] = [index, value];
    }
    const [next] = waiting.splice(best, 1);
    chosen.push(next!);
    for (const { word } of next!.shares) counts.set(word, (counts.get(word) ?? 1) * keeps);
  }
  return [...chosen, ...waiting];
}
