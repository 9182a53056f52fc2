import { hasGrown, partialJson } from '../advisor/structured-output/partial-json.js';

/** The arguments of one tool call while the model writes them. Parses them only when asked. */
export class GrowingInput {
  #text = '';
  /** How much of the text `#value` contains, in characters. */
  #read = 0;
  #value: unknown;

  /** The arguments so far. */
  get text(): string {
    return this.#text;
  }

  add(delta: string): void {
    this.#text += delta;
  }

  /**
   * The value of the arguments at the time of an event.
   *
   * @param text the arguments in that event, which may be older than others that were read
   */
  valueOf(text: string): unknown {
    if (text.length < this.#read) return partialJson(text);
    if (!hasGrown(text, this.#read)) return this.#value;
    this.#read = text.length;
    return (this.#value = partialJson(text));
  }
}
