import { camelKey, environmentName, kebab, kebabKey, type KeyPart } from './property-spelling.js';

/** A source of configured values, such as the ConfigService of `@nestjs/config`. */
export interface PropertySource {
  get(key: string): unknown;
}

/** The injection token of the configuration. Undefined if AiModule cannot see one. */
export const CONFIGURATION: unique symbol = Symbol('nestor.Configuration');

/** The value at a path in the nested objects of the configuration. */
export function nestedAt(source: PropertySource | undefined, path: readonly KeyPart[]): unknown {
  const [root, ...rest] = path;
  if (root === undefined || !source) return undefined;
  return rest.reduce<unknown>(childOf, lookUp(source, kebabKey([root])));
}

/**
 * The child of an object. A key can be written in camelCase or kebab-case. Names from the
 * application are used unchanged.
 */
export function childOf(parent: unknown, part: KeyPart): unknown {
  if (!isObject(parent)) return undefined;
  const spellings = typeof part === 'string' ? [part, kebab(part)] : [part.name];
  const found = spellings.find((name) => Object.hasOwn(parent, name));
  return found === undefined ? undefined : (parent as Record<string, unknown>)[found];
}

/**
 * The configured value of a key: an environment variable, with which a deployment changes what files say, else a nested
 * value, else a flat key in either spelling.
 */
export function configuredValue(source: PropertySource, path: readonly KeyPart[], nested: unknown): unknown {
  return fromEnvironment(source, path) ?? nested ?? lookUp(source, kebabKey(path)) ?? lookUp(source, camelKey(path));
}

/** ConfigService also finds inherited properties such as `constructor`. */
function lookUp(source: PropertySource, key: string): unknown {
  const value = source.get(key);
  return typeof value === 'function' || value === Object.prototype ? undefined : value;
}

/** An empty variable counts as not set, such as `${X:-}` in a compose file. */
function fromEnvironment(source: PropertySource, path: readonly KeyPart[]): unknown {
  const value = lookUp(source, environmentName(path));
  return value === '' ? undefined : value;
}

/** The flat keys of configuration objects under a root, without environment variables. */
export function flatKeysUnder(source: PropertySource | undefined, root: string): string[] {
  return Object.keys(listedBy(source) ?? {}).filter((key) => key.startsWith(`${root}.`));
}

/**
 * The flat keys and environment variables under a path. Undefined for a source that does not list
 * its keys.
 */
export function keysUnder(source: PropertySource, path: readonly string[]): string[] | undefined {
  const listed = listedBy(source);
  if (!listed) return undefined;
  const prefixes = [`${kebabKey(path)}.`, `${camelKey(path)}.`, `${environmentName(path)}_`];
  // One of the values contains the environment as validated by the application.
  const keys = [process.env, listed, ...Object.values(listed)].filter(isObject).flatMap(Object.keys);
  return keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/**
 * ConfigService has no method that lists its keys, so this reads the internal object if it exists.
 */
function listedBy(source: PropertySource | undefined): object | undefined {
  const { internalConfig } = (source ?? {}) as { internalConfig?: unknown };
  return isObject(internalConfig) ? internalConfig : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
