import { flatKeysUnder, mayHaveKeysUnder, type PropertySource } from './property-source.js';
import { camelKey, kebabKey } from './property-spelling.js';
import { readProperties } from './read-properties.js';
import type { ResolvedProperties } from './property-types.js';

/** How many names are remembered: those of an application's tools and clients, not whatever models make up. */
const MAX_REMEMBERED = 10_000;

/**
 * Properties whose keys contain a name that the application gives, such as `ai.tools.overrides.<tool>.timeout`. An environment
 * variable can only be asked for a name that is known by then.
 */
export class NamedProperties<Tree extends object> {
  readonly #known = new Map<string, ResolvedProperties<Tree>>();
  /** Of the names of which nothing is said. */
  readonly #defaults: ResolvedProperties<Tree>;
  readonly #mayBeElsewhere: boolean;
  /** Whether nothing is said of any name. */
  readonly isEmpty: boolean;

  /**
   * @param tree the properties behind the name
   * @param path the key before the name, in camelCase
   * @param given what options and nested configuration say, by name
   */
  constructor(
    private readonly tree: Tree,
    private readonly path: readonly string[],
    private readonly given: Readonly<Record<string, ResolvedProperties<Tree>>>,
    private readonly source: PropertySource | undefined,
  ) {
    this.#defaults = readProperties(tree, path, undefined, undefined).properties;
    this.#mayBeElsewhere = mayHaveKeysUnder(source, path);
    this.isEmpty = !this.#mayBeElsewhere && Object.keys(given).length === 0;
  }

  /** The key before the name, as it is written. */
  get key(): string {
    return kebabKey(this.path);
  }

  /** The names in the options, in nested configuration and in flat keys. */
  get names(): readonly string[] {
    const depth = this.path.length;
    const keys = [...new Set([this.key, camelKey(this.path)])].flatMap((key) => flatKeysUnder(this.source, key));
    const flat = keys.map((key) => key.split('.')[depth]!);
    return [...new Set([...Object.keys(this.given), ...flat])];
  }

  /** What is said of a name. Asked once and for all: configuration that changes later is not half followed. */
  of(name: string): ResolvedProperties<Tree> {
    return this.#known.get(name) ?? (this.#isUnknown(name) ? this.#defaults : this.read(name).properties);
  }

  /** Reads what is said of a name, and what is wrong with it. */
  read(name: string): { properties: ResolvedProperties<Tree>; problems: readonly string[] } {
    if (this.#isUnknown(name)) return { properties: this.#defaults, problems: [] };
    const options = Object.hasOwn(this.given, name) ? this.given[name] : undefined;
    const reading = readProperties(this.tree, [...this.path, { name }], options as never, this.source, {
      checksKeys: false,
    });
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(name, reading.properties);
    return reading;
  }

  /** Whether nothing can be said of a name. */
  #isUnknown(name: string): boolean {
    return !this.#mayBeElsewhere && !Object.hasOwn(this.given, name);
  }
}
