import { inspect } from 'node:util';
import { readSafely } from '@nestor-ai/schema';
import { rememberTree } from './environment-variables.js';
import { childOf, configuredValue, flatKeysUnder, nestedAt, type PropertySource } from './property-source.js';
import { camel, camelKey, kebab, kebabKey, type KeyPart } from './property-spelling.js';
import {
  type DeepPartial,
  isElsewhere,
  isNamedGroup,
  isPropertyType,
  isSharedGroup,
  type PropertyType,
  type ResolvedProperties,
} from './property-types.js';
import { describeUnknownKey, isKnownKey, isLeftToOthers, type UnknownKey } from './unknown-keys.js';

export type { PropertySource } from './property-source.js';

/** The properties and the problems found. */
export interface PropertiesReading<Tree> {
  readonly properties: ResolvedProperties<Tree>;
  readonly problems: readonly string[];
  /** The problems with values alone, and all unknown keys. */
  readonly wrongValues: readonly string[];
  readonly unknown: readonly UnknownKey[];
}

/**
 * Reads the properties of a tree. A value that is not allowed becomes a problem, and the default
 * is used, so that all problems can be reported at once.
 *
 * @param tree the known properties, nested like their keys
 * @param root the key of the tree, such as `ai`, or its parts if one of them is a name
 * @param options values given in code. The configuration overrides them.
 * @param source the configuration, in any of the three spellings of a key
 * @param settings `checksKeys: false` if unknown keys were already reported
 */
export function readProperties<Tree extends object>(
  tree: Tree,
  root: string | readonly KeyPart[],
  options: DeepPartial<ResolvedProperties<Tree>> | undefined,
  source: PropertySource | undefined,
  { checksKeys = true }: { readonly checksKeys?: boolean } = {},
): PropertiesReading<Tree> {
  const path = typeof root === 'string' ? root.split('.') : root;
  rememberTree(path, tree);
  const reader = new PropertyReader(tree, path, source, checksKeys);
  const properties = reader.read(tree, path, options, nestedAt(source, path)) as ResolvedProperties<Tree>;
  if (checksKeys) reader.checkFlatKeys();
  return {
    properties,
    wrongValues: reader.problems,
    unknown: reader.unknown,
    problems: [...new Set([...reader.problems, ...reader.unknown.map(({ text }) => text)])],
  };
}

class PropertyReader {
  readonly problems: string[] = [];
  readonly unknown: UnknownKey[] = [];

  constructor(
    private readonly tree: object,
    private readonly root: readonly KeyPart[],
    private readonly source: PropertySource | undefined,
    private readonly checksKeys: boolean,
  ) {}

  /**
   * @param given the value in the options
   * @param nested the value in nested objects of the configuration
   */
  read(node: object, path: readonly KeyPart[], given: unknown, nested: unknown): unknown {
    if (isElsewhere(node)) return undefined;
    if (isPropertyType(node)) {
      const value = (this.source && configuredValue(this.source, path, nested)) ?? given;
      return this.#readOne(node, path, value);
    }
    if (!isSharedGroup(node)) {
      this.#checkGroup(path, given);
      this.#checkGroup(path, nested);
    }
    const children: [string, object][] = isNamedGroup(node)
      ? [...new Set([given, nested].flatMap(keysOf))].map((name) => [name, node.ofEachName])
      : Object.entries(node);
    if (this.checksKeys && !isNamedGroup(node)) this.#checkKeys(node, path, given, nested);
    const entries = children.map(([name, child]) => {
      const part: KeyPart = isNamedGroup(node) ? { name } : name;
      return [name, this.read(child, [...path, part], childOf(given, part), childOf(nested, part))];
    });
    return Object.freeze(Object.fromEntries(entries));
  }

  /** Checks flat keys once for the whole tree: they are not nested, and one with two spellings is not looked up. */
  checkFlatKeys(): void {
    const spellings = [[kebabKey(this.root), kebab] as const, [camelKey(this.root), camel] as const];
    for (const root of new Set(spellings.map(([at]) => at))) {
      for (const key of flatKeysUnder(this.source, root)) {
        const parts = key.slice(root.length + 1).split('.');
        const isKnown = spellings.some(([at, spell]) => at === root && isKnownKey(this.tree, parts, spell));
        if (!isKnown) this.#addUnknown([...this.root, ...parts]);
      }
    }
  }

  #readOne(type: PropertyType<unknown>, path: readonly KeyPart[], given: unknown): unknown {
    if (given === undefined || given === null) return type.defaultValue;
    // The value may be one that cannot even be converted to text.
    const value = readSafely(() => type.read(given));
    if (value !== undefined) return value;
    const shown = type.isSecret ? 'has a value that is not allowed. It' : `is ${show(given)}, but`;
    this.problems.push(`The property ${kebabKey(path)} ${shown} has to be ${type.allowed}.`);
    return type.defaultValue;
  }

  #checkGroup(path: readonly KeyPart[], given: unknown): void {
    if (given === undefined || given === null || (typeof given === 'object' && !Array.isArray(given))) return;
    this.problems.push(`The property ${kebabKey(path)} is ${show(given)}, but has to be a group of properties.`);
  }

  /** The compiler checks typed options, but not those that come from a factory. */
  #checkKeys(node: object, path: readonly KeyPart[], ...records: readonly unknown[]): void {
    const unknown = records.flatMap(keysOf).filter((key) => !Object.hasOwn(node, camel(key)));
    for (const key of unknown) this.#addUnknown([...path, key]);
  }

  #addUnknown(path: readonly KeyPart[]): void {
    if (isLeftToOthers(this.tree, this.root, path)) return;
    this.unknown.push(describeUnknownKey(this.tree, this.root, path));
  }
}

function keysOf(record: unknown): string[] {
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? Object.keys(record) : [];
}

function show(value: unknown): string {
  return inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY });
}
