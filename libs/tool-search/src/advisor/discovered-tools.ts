/**
 * The names of found tools in the order of discovery. New names are appended, so that prompt
 * caches stay valid.
 */
export class DiscoveredTools implements Iterable<string> {
  readonly #names = new Set<string>();

  add(...names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
  }

  clear(): void {
    this.#names.clear();
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#names.values();
  }
}
