import type { Candidate } from '../keyword/keyword-ranking.js';

/**
 * The weight of one standard deviation of similarity, in points of the keyword search among a
 * thousand tools. Among fewer tools words are less rare and score fewer points. So the weight
 * grows with the logarithm of the number of tools, as rarity does.
 */
const WEIGHT = 7;
const AMONG = 1000;

/** Smaller deviations of cosines are noise of the encoder. */
const LEAST_DEVIATION = 0.02;

/** The share of the best part of a request, relative to the whole request. */
const PART_SHARE = 0.5;

/**
 * The similarity of tools to a text, by tool name. Tools that are not listed are less similar than
 * all others.
 */
export type Similarities = ReadonlyMap<string, number>;

/**
 * Adds the scores of keyword search and similarity. Similarities are measured in standard
 * deviations from their mean, because every embedding model has its own scale.
 *
 * @param byWords the candidates of the keyword search
 * @param whole the similarity of the tools to the whole request
 * @param parts the similarity of the tools to the parts of the request
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
      // Starts one deviation below the mean: less similar tools do not count as hits.
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
