const SENTENCES = /(?<=[.!?;。！？])\s+|\n+/;
const BETWEEN_CLAUSES =
  /,?\s+(?:and then|then|and also|also|and|as well as|after that|additionally|finally|next|but)\s+|[,;:]\s+/i;

/** Shorter sentences are greetings. */
const SHORTEST_SENTENCE = 8;
const FEWEST_WORDS = 3;
const MOST_CLAUSES = 8;

/**
 * The number of characters of a request that are split. Encoders represent longer texts less
 * precisely.
 */
const LONGEST = 2000;

/**
 * The parts of a request that may ask for different things. Empty if the request has only one
 * part.
 */
export function clausesOf(request: string): string[] {
  // Collapse white space, since long runs of it would make the patterns slow.
  const text = request.slice(0, LONGEST).replace(/[^\S\n]+/g, ' ');
  const clauses = text
    .split(SENTENCES)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= SHORTEST_SENTENCE)
    .flatMap((sentence) => sentence.split(BETWEEN_CLAUSES))
    .map((clause) => clause.trim())
    .filter((clause) => clause !== request.trim() && clause.split(/\s+/).length >= FEWEST_WORDS);
  return [...new Set(clauses)].slice(0, MOST_CLAUSES);
}
