/**
 * The minimum length of the common start of two similar words, and the maximum length of the rest.
 */
const SAME_LETTERS = 5;
const OTHER_LETTERS = 3;

/** The words of a catalogue. */
export class Vocabulary {
  readonly #tools = new Map<string, number>();
  readonly #byBeginning = new Map<string, Set<string>>();

  /** The number of tools that contain a word. */
  countOf(stem: string): number {
    return this.#tools.get(stem) ?? 0;
  }

  has(stem: string): boolean {
    return this.#tools.has(stem);
  }

  add(stem: string): void {
    const count = this.#tools.get(stem);
    this.#tools.set(stem, (count ?? 0) + 1);
    if (count !== undefined || stem.length < SAME_LETTERS) return;
    const beginning = stem.slice(0, SAME_LETTERS);
    const alike = this.#byBeginning.get(beginning);
    if (alike) alike.add(stem);
    else this.#byBeginning.set(beginning, new Set([stem]));
  }

  /** The known words that start like an unknown one: `geographi` for `geograph`. */
  like(stem: string): string[] {
    if (stem.length < SAME_LETTERS) return [];
    const alike = this.#byBeginning.get(stem.slice(0, SAME_LETTERS)) ?? [];
    return [...alike].filter((other) => {
      let same = SAME_LETTERS;
      while (same < stem.length && stem[same] === other[same]) same++;
      return same >= Math.max(stem.length, other.length) - OTHER_LETTERS;
    });
  }
}
