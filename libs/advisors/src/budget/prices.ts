import type { Usage } from '@nestor-ai/core';
import type { ModelPrice } from './usage-budget-advisor.options.js';

const MILLION = 1_000_000;

/** The cost of a usage; 0 without prices. */
export function costOf(
  usage: Usage,
  model: string | undefined,
  prices: Readonly<Record<string, ModelPrice>> | undefined,
): number {
  const price = prices && priceOf(model ?? '*', prices);
  if (!price) return 0;
  const [read, written] = [counted(usage.cacheReadTokens), counted(usage.cacheWriteTokens)];
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const plain = Math.max(0, counted(usage.promptTokens) - read - written);
  const total = plain * input + read * cacheRead + written * cacheWrite + counted(usage.completionTokens) * output;
  return total / MILLION;
}

/** A provider may report no number, or a negative one: in a sum, it would make a budget endless. */
export function counted(tokens: number | undefined): number {
  return tokens !== undefined && tokens > 0 ? tokens : 0;
}

/**
 * The price under the longest prefix of the model's name, because providers answer with the name
 * of a version.
 */
function priceOf(model: string, prices: Readonly<Record<string, ModelPrice>>): ModelPrice | undefined {
  const names = Object.keys(prices).filter((name) => name !== '*' && model.startsWith(name));
  const longest = names.sort((a, b) => b.length - a.length)[0];
  return prices[longest ?? '*'];
}
