/*
 * The parameters of the keyword search. They were tuned on all catalogues of
 * `npm run bench:tool-search`. Each is near the middle of a range in which it hardly matters.
 */

/** The weight of a word by its place in a tool. */
export const FIELD_WEIGHTS = { name: 8, description: 3, parameters: 1 } as const;

/**
 * BM25 over all fields together. `k`: how quickly repeated words stop counting. `b`: the penalty
 * for long texts.
 */
export const BM25 = { k: 2, b: 0.6 } as const;

/** The weight of numbers in a request, which are usually values and not topics. */
export const NUMBER_WEIGHT = 0.5;

/** The weight of catalogue words that start like a word of the request that the catalogue lacks. */
export const PREFIX_WEIGHT = 0.4;

/**
 * The bonus if the whole name of a tool is in the request, and for each pair of consecutive words
 * in both.
 */
export const BONUS = { name: 0.6, pair: 0.15, maxPairs: 3 } as const;

/** The number of tools that are scored completely: those with the rarest words of the request. */
export const POOL = 80;

/**
 * Words are looked up, rarest first, until they match `tools` tools. At least `words` words are
 * looked up.
 */
export const LOOK_UP = { tools: 200, words: 2 } as const;

/**
 * Requests with many words ask for several things. Between `from` and `full` words, a word
 * increasingly counts less after a tool that contains it was chosen, by up to `by`, among the
 * first `tools`.
 */
export const SPREAD = { from: 12, full: 20, by: 0.5, tools: 10 } as const;
