const SENTENCES = /(?<=[.!?;。！？])\s+|\n+/;
const BETWEEN_CLAUSES =
  /,?\s+(?:and then|then|and also|also|and|as well as|after that|additionally|finally|next|but)\s+|[,;:]\s+/i;

/** Shorter sentences are greetings. */
const SHORTEST_SENTENCE = 8;
const FEWEST_WORDS = 3;
const MOST_CLAUSES = 8;

/** How much of a request is divided: an encoder blurs what is longer anyway. */
const LONGEST = 2000;

/** The parts of a request that may each ask for something of its own; none where the request is one part. */
export function clausesOf(request: string): string[] {
  // White space without end would be looked at again and again.
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
