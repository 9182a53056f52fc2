import { camelKey, environmentName, kebab, kebabKey, type KeyPart } from './property-spelling.js';

/** Where configured values come from: `@nestjs/config`'s ConfigService is one. */
export interface PropertySource {
  get(key: string): unknown;
}

/** Where the container keeps the configuration; undefined when the application has none that AiModule can see. */
export const CONFIGURATION: unique symbol = Symbol('nestor.Configuration');

/** What nested objects of the configuration have at a place. */
export function nestedAt(source: PropertySource | undefined, path: readonly KeyPart[]): unknown {
  const [root, ...rest] = path;
  if (root === undefined || !source) return undefined;
  return rest.reduce<unknown>(childOf, source.get(kebabKey([root])));
}

/** The child of an object under a camelCase name, its kebab-case spelling, or a name that the application gives. */
export function childOf(parent: unknown, part: KeyPart): unknown {
  if (!isObject(parent)) return undefined;
  const spellings = typeof part === 'string' ? [part, kebab(part)] : [part.name];
  const found = spellings.find((name) => Object.hasOwn(parent, name));
  return found === undefined ? undefined : (parent as Record<string, unknown>)[found];
}

/** What the configuration says of a key: flat in either spelling, else as an environment variable. */
export function flatValue(source: PropertySource, path: readonly KeyPart[]): unknown {
  return lookUp(source, kebabKey(path)) ?? lookUp(source, camelKey(path)) ?? fromEnvironment(source, path);
}

/** ConfigService walks into what every object inherits: nobody has configured `constructor`. */
function lookUp(source: PropertySource, key: string): unknown {
  const value = source.get(key);
  return typeof value === 'function' || value === Object.prototype ? undefined : value;
}

/** An empty variable is one that is not set: `${X:-}` in a compose file. */
function fromEnvironment(source: PropertySource, path: readonly KeyPart[]): unknown {
  const value = lookUp(source, environmentName(path));
  return value === '' ? undefined : value;
}

/** The flat keys under a root that configuration objects have. Environment variables are not among them. */
export function flatKeysUnder(source: PropertySource | undefined, root: string): string[] {
  return Object.keys(listedBy(source) ?? {}).filter((key) => key.startsWith(`${root}.`));
}

/** The flat keys and the environment variables under a path; undefined for a source that does not list its keys. */
export function keysUnder(source: PropertySource, path: readonly string[]): string[] | undefined {
  const listed = listedBy(source);
  if (!listed) return undefined;
  const prefixes = [`${kebabKey(path)}.`, `${camelKey(path)}.`, `${environmentName(path)}_`];
  // One of the values holds the environment as the application has validated it.
  const keys = [process.env, listed, ...Object.values(listed)].filter(isObject).flatMap(Object.keys);
  return keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
}

/** ConfigService has no method that lists keys: what it keeps of the application's objects is looked at where it is there. */
function listedBy(source: PropertySource | undefined): object | undefined {
  const { internalConfig } = (source ?? {}) as { internalConfig?: unknown };
  return isObject(internalConfig) ? internalConfig : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
