/** The number of characters of a request that are read. The rest of a longer text is ignored. */
export const LONGEST_REQUEST = 10_000;
