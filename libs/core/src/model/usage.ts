/** The tokens that a model call took. */
export interface Usage {
  /** What was sent. */
  readonly promptTokens: number;
  /** What was answered, reasoning included. */
  readonly completionTokens: number;
  /** Both together. */
  readonly totalTokens: number;
  /** The part of `promptTokens` that came from the provider's prompt cache. */
  readonly cacheReadTokens?: number;
  /** The part of `promptTokens` that was written to the provider's prompt cache. */
  readonly cacheWriteTokens?: number;
  /** What the provider reported, unchanged. Left out of sums. */
  readonly native?: unknown;
}

/** Whether a usage says anything. Providers report zeros for "not known". */
export function hasUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && (usage.totalTokens > 0 || usage.promptTokens > 0 || usage.completionTokens > 0);
}

/** All tokens of a usage, also where a model reports its parts only. */
export function totalOf({ totalTokens, promptTokens, completionTokens }: Usage): number {
  return Number.isFinite(totalTokens) ? totalTokens : (promptTokens || 0) + (completionTokens || 0);
}

/** Two reports of one answer: some providers tell the prompt's tokens first and the completion's last. */
export function laterUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (!earlier) return later;
  const promptTokens = later.promptTokens || earlier.promptTokens;
  const completionTokens = later.completionTokens || earlier.completionTokens;
  return {
    ...earlier,
    ...later,
    promptTokens,
    completionTokens,
    totalTokens: Math.max(later.totalTokens, promptTokens + completionTokens),
  };
}

/** The sum of two usages. An empty one changes nothing. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!hasUsage(a)) return b;
  if (!hasUsage(b)) return a;
  const added: { -readonly [Key in keyof Usage]: Usage[Key] } = {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    totalTokens: totalOf(a) + totalOf(b),
  };
  const cacheReadTokens = sum(a.cacheReadTokens, b.cacheReadTokens);
  const cacheWriteTokens = sum(a.cacheWriteTokens, b.cacheWriteTokens);
  if (cacheReadTokens !== undefined) added.cacheReadTokens = cacheReadTokens;
  if (cacheWriteTokens !== undefined) added.cacheWriteTokens = cacheWriteTokens;
  return added;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
