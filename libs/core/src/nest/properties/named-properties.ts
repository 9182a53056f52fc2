import { endingsOf, nameBefore, variablesUnder } from './environment-variables.js';
import { flatNamesUnder } from './names-under.js';
import { keysUnder, type PropertySource } from './property-source.js';
import { camel, environmentName, kebab, kebabKey } from './property-spelling.js';
import { type PropertiesReading, readProperties } from './read-properties.js';
import { isElsewhere, isPropertyType, type ResolvedProperties } from './property-types.js';
import { isKnownKey } from './unknown-keys.js';

/** How many names to remember. Models may invent names, which must not fill the memory. */
const MAX_REMEMBERED = 10_000;

/**
 * Properties whose keys contain a name from the application, such as
 * `ai.tools.overrides.<tool>.timeout`. Flat keys and environment variables can only be looked up
 * once the name is known. Their values are stored when the application starts.
 */
export class NamedProperties<Tree extends object> {
  readonly #known = new Map<string, ResolvedProperties<Tree>>();
  readonly #defaults: ResolvedProperties<Tree>;
  /** The flat keys and environment variables. Undefined if there are none. */
  readonly #configured: PropertySource | undefined;
  /** The part of the key before the name. */
  readonly key: string;
  /** Whether no name has properties. */
  readonly isEmpty: boolean;
  /** The names in the options, in nested configuration and in flat keys. */
  readonly names: readonly string[];

  /**
   * @param tree the properties after the name
   * @param path the key before the name, in camelCase
   * @param given the values from options and nested configuration, which were already read
   */
  constructor(
    private readonly tree: Tree,
    private readonly path: readonly string[],
    private readonly given: Readonly<Record<string, ResolvedProperties<Tree>>>,
    private readonly source: PropertySource | undefined,
  ) {
    this.#defaults = readProperties(tree, path, undefined, undefined).properties;
    this.#configured = snapshotUnder(source, path);
    this.isEmpty = !this.#configured && Object.keys(given).length === 0;
    this.key = kebabKey(path);
    const isKey = (parts: readonly string[]): boolean => [kebab, camel].some((spell) => isKnownKey(tree, parts, spell));
    this.names = [...new Set([...Object.keys(given), ...flatNamesUnder(source, path, isKey)])];
  }

  /**
   * The configured names that are not among the known ones. Those of environment variables are as
   * `GET_WEATHER`.
   */
  namesBeyond(known: Iterable<string>): readonly string[] {
    const names = new Set(known);
    const spelled = [...names].map((name) => environmentName([{ name }]).replaceAll(/^_+|_+$/g, ''));
    const endings = endingsOf(this.tree);
    const variables = variablesUnder(this.source, this.path)
      .flatMap((rest) => nameBefore(endings, rest) || [])
      .filter((name) => !spelled.includes(name));
    return [...new Set([...this.names.filter((name) => !names.has(name)), ...variables])];
  }

  /** The properties of a name. */
  of(name: string): ResolvedProperties<Tree> {
    if (Object.hasOwn(this.given, name)) return this.given[name]!;
    return this.#configured ? (this.#known.get(name) ?? this.#read(name).properties) : this.#defaults;
  }

  /** The problems with the properties of a name. Problems of `given` were already reported. */
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

/**
 * Copies the values under a path. A source that does not list its keys is read when a name is
 * first used.
 */
function snapshotUnder(source: PropertySource | undefined, path: readonly string[]): PropertySource | undefined {
  const keys = source && keysUnder(source, path);
  if (!keys) return source;
  return keys.length > 0 ? new Map(keys.map((key) => [key, source.get(key)])) : undefined;
}

/** The values of a name, with those of all names as defaults. Returns `base` itself if nothing differs. */
export function overlaid<Values>(tree: object, base: Values, over: unknown): Values {
  if (isPropertyType(tree) || isElsewhere(tree)) return (over as Values | undefined) ?? base;
  const [below, above] = [base, over] as [Record<string, unknown>, Record<string, unknown>];
  const entries = Object.entries(tree).map(
    ([key, child]: [string, object]) => [key, overlaid(child, below[key], above[key])] as const,
  );
  const isSame = entries.every(([key, value]) => value === below[key]);
  return isSame ? base : (Object.freeze(Object.fromEntries(entries)) as Values);
}
