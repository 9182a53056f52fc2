import { inspect } from 'node:util';
import type { DeepPartial, PropertyType, ResolvedProperties } from './property-types.js';

/** Where configured values come from: `@nestjs/config`'s ConfigService is one. */
export interface PropertySource {
  get(key: string): unknown;
}

/** The properties, and what was wrong with what was given. */
export interface PropertiesReading<Tree> {
  readonly properties: ResolvedProperties<Tree>;
  readonly problems: readonly string[];
}

/**
 * Reads the properties of a tree. A value that is not allowed is a problem, and its default is taken, so
 * that every problem can be told at once.
 *
 * @param tree the known properties, nested as their keys
 * @param root the key of the tree, such as `ai`
 * @param options values given in code, under the configuration
 * @param source the configuration, in any of the three spellings of a key
 */
export function readProperties<Tree extends object>(
  tree: Tree,
  root: string,
  options: DeepPartial<ResolvedProperties<Tree>> | undefined,
  source: PropertySource | undefined,
): PropertiesReading<Tree> {
  const problems: string[] = [];
  const depth = root.split('.').length;
  const read = (branch: object, path: readonly string[], given: unknown, nested: unknown): unknown => {
    problems.push(...notAGroup(path, given), ...notAGroup(path, nested), ...unknownKeys(branch, path, given));
    // At the root of the configuration there may be keys of other packages.
    if (path.length > depth) problems.push(...unknownKeys(branch, path, nested));
    const entries = Object.entries(branch).map(([name, child]: [string, object]) => {
      const at = [...path, name];
      const own = valueOf(given, name);
      const inside = valueOf(nested, name);
      if (!isPropertyType(child)) return [name, read(child, at, own, inside)];
      const value = source && configuredValue(source, at, inside);
      return [name, readOne(child, at, child.isMap ? joined(own, value) : (value ?? own), problems)];
    });
    return Object.freeze(Object.fromEntries(entries));
  };
  const properties = read(tree, root.split('.'), options, source?.get(root)) as ResolvedProperties<Tree>;
  return { properties, problems };
}

/** What is no map is left for the check to refuse. */
function joined(own: unknown, value: unknown): unknown {
  if (value === undefined || value === null) return own;
  return typeof own === 'object' && typeof value === 'object' ? { ...own, ...value } : value;
}

function readOne(type: PropertyType<unknown>, path: readonly string[], given: unknown, problems: string[]): unknown {
  if (given === undefined || given === null) return type.defaultValue;
  const value = tryRead(type, given);
  if (value !== undefined) return value;
  problems.push(notAllowed(type, path, given));
  return type.defaultValue;
}

/**
 * Reads a property whose key contains a name that the application gives.
 *
 * @param path the key before the name
 * @param key the key behind the name, if there is one
 */
export function readNamedProperty<T>(
  type: PropertyType<T>,
  path: readonly string[],
  name: string,
  source: PropertySource,
  key?: string,
): { value?: T; problem?: string } {
  const spelled = (spell: (part: string) => string): string =>
    [...path.map(spell), name, ...(key === undefined ? [] : [spell(key)])].join('.');
  const parts = [...path, name, ...(key === undefined ? [] : [key])];
  const given = source.get(spelled(kebab)) ?? source.get(spelled(String)) ?? fromEnvironment(source, parts);
  // ConfigService walks into what every object inherits: nobody has configured `constructor`.
  if (given === undefined || given === null || given === Reflect.get(Object.prototype, key ?? name)) return {};
  const value = tryRead(type, given);
  return value === undefined ? { problem: notAllowed(type, parts, given) } : { value };
}

function tryRead<T>(type: PropertyType<T>, given: unknown): T | undefined {
  try {
    return type.read(given);
  } catch {
    // Something that cannot even be made a text of.
    return undefined;
  }
}

function notAllowed(type: PropertyType<unknown>, path: readonly string[], given: unknown): string {
  return `The property ${kebabKey(path)} is ${show(given)}, but has to be ${type.allowed}.`;
}

function notAGroup(path: readonly string[], given: unknown): string[] {
  if (given === undefined || given === null || (typeof given === 'object' && !Array.isArray(given))) return [];
  return [`The property ${kebabKey(path)} is ${show(given)}, but has to be a group of properties.`];
}

/** The value of a key in nested objects, else flat in either spelling, else as an environment variable. */
function configuredValue(source: PropertySource, path: readonly string[], nested: unknown): unknown {
  return nested ?? source.get(kebabKey(path)) ?? source.get(path.join('.')) ?? fromEnvironment(source, path);
}

/** An empty variable is one that is not set: `${X:-}` in a compose file. */
function fromEnvironment(source: PropertySource, path: readonly string[]): unknown {
  const value = source.get(environmentName(path));
  return value === '' ? undefined : value;
}

/** The child of an object under a camelCase name or its kebab-case spelling. */
function valueOf(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined;
  const record = parent as Record<string, unknown>;
  return record[name] ?? record[kebab(name)];
}

/** Typed options are checked by the compiler, but not those that come from a factory. */
function unknownKeys(tree: object, path: readonly string[], given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const known = new Set(Object.keys(tree).flatMap((name) => [name, kebab(name)]));
  return Object.keys(given)
    .filter((key) => !known.has(key))
    .map(
      (key) =>
        `The property ${kebabKey([...path, key])} is not known. Known here: ${Object.keys(tree).map(kebab).join(', ')}.`,
    );
}

function isPropertyType(node: object): node is PropertyType<unknown> {
  return typeof (node as Partial<PropertyType<unknown>>).read === 'function';
}

function show(value: unknown): string {
  return inspect(value, { depth: 2, breakLength: Number.POSITIVE_INFINITY });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function kebabKey(path: readonly string[]): string {
  return path.map(kebab).join('.');
}

function environmentName(path: readonly string[]): string {
  return path
    .map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}
