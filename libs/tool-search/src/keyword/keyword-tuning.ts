/*
 * What the keyword search weighs. Chosen once for all catalogues of `npm run bench:tool-search`, each near the middle of a range in
 * which it hardly matters.
 */

/** How often a word counts by where it stands in a tool. */
export const FIELD_WEIGHTS = { name: 8, description: 3, parameters: 1 } as const;

/** BM25 over all fields as one: how soon a repeated word counts no more, and how much a long text is held against a tool. */
export const BM25 = { k: 2, b: 0.6 } as const;

/** A number in a request is rather a value than a topic. */
export const NUMBER_WEIGHT = 0.5;

/** How much a word of the catalogue counts that begins like one of the request which the catalogue does not have. */
export const PREFIX_WEIGHT = 0.4;

/** How much a tool gains whose whole name is in the request, and for each pair of words that follow each other in both. */
export const BONUS = { name: 0.6, pair: 0.15, maxPairs: 3 } as const;

/** How many tools are weighed in full: those that have the rarest words of the request. */
export const POOL = 80;

/** Words are looked up, the rarest first, until so many tools have been met; so many are looked up however common they are. */
export const LOOK_UP = { tools: 200, words: 2 } as const;

/**
 * Requests with many words ask for several things. Beginning at `from` words, and fully at `full`, a word counts less once a tool
 * is chosen that has it, by `by`, among the first `tools`.
 */
export const SPREAD = { from: 12, full: 20, by: 0.5, tools: 10 } as const;
