import { flatKeysUnder, keysUnder, type PropertySource } from './property-source.js';
import { camelKey, kebabKey } from './property-spelling.js';
import { type PropertiesReading, readProperties } from './read-properties.js';
import type { ResolvedProperties } from './property-types.js';

/** How many names are remembered: those of an application's tools and clients, not whatever models make up. */
const MAX_REMEMBERED = 10_000;

/**
 * Properties whose keys contain a name that the application gives, such as `ai.tools.overrides.<tool>.timeout`. A flat key or an
 * environment variable can only be asked for a name that is known by then. What they say is kept when the application starts.
 */
export class NamedProperties<Tree extends object> {
  readonly #known = new Map<string, ResolvedProperties<Tree>>();
  /** Of the names of which nothing is said. */
  readonly #defaults: ResolvedProperties<Tree>;
  /** What flat keys and environment variables say; undefined when there are none. */
  readonly #configured: PropertySource | undefined;
  /** The key before the name, as it is written. */
  readonly key: string;
  /** Whether nothing is said of any name. */
  readonly isEmpty: boolean;
  /** The names in the options, in nested configuration and in flat keys. */
  readonly names: readonly string[];

  /**
   * @param tree the properties behind the name
   * @param path the key before the name, in camelCase
   * @param given what has been read by name already: all that is said of the names in options and nested configuration
   */
  constructor(
    private readonly tree: Tree,
    private readonly path: readonly string[],
    private readonly given: Readonly<Record<string, ResolvedProperties<Tree>>>,
    source: PropertySource | undefined,
  ) {
    this.#defaults = readProperties(tree, path, undefined, undefined).properties;
    this.#configured = snapshotUnder(source, path);
    this.isEmpty = !this.#configured && Object.keys(given).length === 0;
    this.key = kebabKey(path);
    const flat = [this.key, camelKey(path)].flatMap((key) => flatKeysUnder(source, key));
    this.names = [...new Set([...Object.keys(given), ...flat.map((key) => key.split('.')[path.length]!)])];
  }

  /** What is said of a name. */
  of(name: string): ResolvedProperties<Tree> {
    if (Object.hasOwn(this.given, name)) return this.given[name]!;
    return this.#configured ? (this.#known.get(name) ?? this.#read(name).properties) : this.#defaults;
  }

  /** What is wrong with what is said of a name. Of those that were given, the problems have been told. */
  check(name: string): readonly string[] {
    return Object.hasOwn(this.given, name) || !this.#configured ? [] : this.#read(name).problems;
  }

  #read(name: string): PropertiesReading<Tree> {
    const path = [...this.path, { name }];
    const reading = readProperties(this.tree, path, undefined, this.#configured, { checksKeys: false });
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(name, reading.properties);
    return reading;
  }
}

/** A source that does not list its keys is asked when a name is first used. */
function snapshotUnder(source: PropertySource | undefined, path: readonly string[]): PropertySource | undefined {
  const keys = source && keysUnder(source, path);
  if (!keys) return source;
  return keys.length > 0 ? new Map(keys.map((key) => [key, source.get(key)])) : undefined;
}
