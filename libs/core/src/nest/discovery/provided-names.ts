import type { ToolCallbackProvider } from '../../model/tool-callback.js';

/** Limits how many names are remembered, since providers choose them. */
const MAX_REMEMBERED = 10_000;

/**
 * Decides which tools of providers get a prefix. A name belongs to the first provider that has a
 * tool of this name, also while that provider fails, so that a name always means the same tool.
 */
export class ProvidedNames {
  readonly #owners = new Map<string, ToolCallbackProvider>();

  /**
   * @param ofApplication the names of the application's own tools
   * @param prefixes the prefixes of all providers. Names that start with the prefix of another
   *   provider are reserved for it, also before it has listed its tools.
   */
  constructor(
    private readonly ofApplication: ReadonlySet<string>,
    private readonly prefixes: readonly string[] = [],
  ) {}

  /** The prefix for a tool of a provider. Call it in the order in which providers may choose. */
  prefixOf(provider: ToolCallbackProvider, name: string): string {
    const { prefix = '', prefixWhen } = provider;
    if (prefixWhen !== 'collision') {
      this.#isOwner(provider, prefix + name);
      return prefix;
    }
    return this.#isOwner(provider, name) ? '' : prefix;
  }

  /** Whether the provider has the name. It gets the name if no other tool has it. */
  #isOwner(provider: ToolCallbackProvider, name: string): boolean {
    if (this.ofApplication.has(name) || this.#isReserved(provider, name)) return false;
    const owner = this.#owners.get(name);
    if (owner) return owner === provider;
    if (this.#owners.size >= MAX_REMEMBERED) return false;
    this.#owners.set(name, provider);
    return true;
  }

  #isReserved({ prefix: own }: ToolCallbackProvider, name: string): boolean {
    return this.prefixes.some((prefix) => prefix !== own && name.startsWith(prefix));
  }
}
