/** The names of tools that were found, in the order in which they were: what comes later comes behind, so that caches of prompts hold. */
export class DiscoveredTools implements Iterable<string> {
  readonly #names = new Set<string>();

  add(...names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  clear(): void {
    this.#names.clear();
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#names.values();
  }
}
