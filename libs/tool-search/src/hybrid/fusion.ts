import type { Candidate } from '../keyword/keyword-ranking.js';

/**
 * What one standard deviation of similarity is worth, in points of the keyword search among a thousand tools. Among fewer tools words
 * are less rare, and bring fewer points: the weight goes with the logarithm of their number, as rarity does.
 */
const WEIGHT = 7;
const AMONG = 1000;

/** Cosines that differ less than this do not differ: whatever the encoder has heard is noise. */
const LEAST_DEVIATION = 0.02;

/** How much the best part of a request counts beside the whole of it. */
const PART_SHARE = 0.5;

/** How near in meaning tools are to one text, by their names; those that are not listed are farther than all that are. */
export type Similarities = ReadonlyMap<string, number>;

/**
 * What words and meaning say of each tool, added up. Similarities are told in deviations from their mean, since every embedding
 * model has a scale of its own.
 *
 * @param byWords the candidates of the keyword search
 * @param whole how near the tools are to the whole request
 * @param parts how near they are to its parts
 */
export function fuse(byWords: readonly Candidate[], whole: Similarities, parts: readonly Similarities[]): Candidate[] {
  const { mean, deviation, least } = statisticsOf(whole);
  const weight = (WEIGHT * Math.log(1 + whole.size)) / Math.log(1 + AMONG);
  const words = new Map(byWords.map((candidate) => [candidate.toolName, candidate]));
  const names = new Set([...words.keys(), ...whole.keys()]);
  const fused = Array.from(names, (toolName, index): Candidate => {
    const own = whole.get(toolName) ?? least;
    const best = Math.max(own, ...parts.map((part) => part.get(toolName) ?? least));
    const similarity = (1 - PART_SHARE) * own + PART_SHARE * best;
    const candidate = words.get(toolName);
    return {
      toolName,
      // Counted from one deviation below the mean: what is farther away is no hit.
      score: (candidate?.score ?? 0) + weight * ((similarity - mean) / deviation + 1),
      shares: candidate?.shares ?? [],
      order: candidate?.order ?? byWords.length + index,
    };
  });
  return fused.sort((a, b) => b.score - a.score || a.order - b.order);
}

function statisticsOf(similarities: Similarities): { mean: number; deviation: number; least: number } {
  const values = [...similarities.values()];
  const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length || 1);
  return { mean, deviation: Math.max(Math.sqrt(variance), LEAST_DEVIATION), least: Math.min(mean, ...values) };
}
