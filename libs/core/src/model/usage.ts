/** The tokens of a model call. */
export interface Usage {
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Tokens of the answer, including reasoning. */
  readonly completionTokens: number;
  /** The part of `completionTokens` that the model spent on reasoning. */
  readonly reasoningTokens?: number;
  /** Both together. */
  readonly totalTokens: number;
  /** The part of `promptTokens` that came from the provider's prompt cache. */
  readonly cacheReadTokens?: number;
  /** The part of `promptTokens` that was written to the provider's prompt cache. */
  readonly cacheWriteTokens?: number;
  /** The provider's report, unchanged. Not part of sums. */
  readonly native?: unknown;
}

/** Whether a usage is known. Providers report zeros for unknown usage. */
export function hasUsage(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && (usage.totalTokens > 0 || usage.promptTokens > 0 || usage.completionTokens > 0);
}

/** All tokens of a usage, even if a model only reports the parts. */
export function totalOf({ totalTokens, promptTokens, completionTokens }: Usage): number {
  return totalTokens > 0 ? totalTokens : Math.max(promptTokens || 0, 0) + Math.max(completionTokens || 0, 0);
}

/**
 * Combines two reports for one answer. Some providers report prompt tokens first and completion
 * tokens last.
 */
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

/** The sum of two usages. An unknown one counts as zero. */
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
  const reasoningTokens = sum(a.reasoningTokens, b.reasoningTokens);
  if (reasoningTokens !== undefined) added.reasoningTokens = reasoningTokens;
  if (cacheReadTokens !== undefined) added.cacheReadTokens = cacheReadTokens;
  if (cacheWriteTokens !== undefined) added.cacheWriteTokens = cacheWriteTokens;
  return added;
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
