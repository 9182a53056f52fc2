import { isPlainObject } from '../../model/is-plain-object.js';
import { camelKey, environmentName, kebabKey } from './property-spelling.js';
import { childOf, flatKeysUnder, type PropertySource } from './property-source.js';

const ROOT = 'ai';

/**
 * The configuration as it was when the application started. Some properties are read later, for tools that are not known before;
 * they must not follow a change that others do not.
 */
export class StableConfiguration implements PropertySource {
  readonly #nested: unknown;
  readonly #flat: ReadonlyMap<string, unknown>;
  readonly #before = new Map<string, unknown>();
  /** What ConfigService keeps of the application's own objects, for whoever looks for keys. */
  readonly internalConfig: unknown;

  constructor(private readonly source: PropertySource) {
    this.#nested = copyOf(source.get(ROOT));
    this.#flat = new Map(flatKeysUnder(source, ROOT).map((key) => [key, source.get(key)]));
    this.internalConfig = Object.fromEntries(this.#flat);
  }

  /**
   * Whether anything is said under a key. ConfigService cannot be asked for that: its own objects and the names of environment
   * variables are looked at, the values are left to it.
   */
  hasKeysUnder(path: readonly string[]): boolean {
    const { internalConfig } = this.source as { internalConfig?: object };
    if (typeof internalConfig !== 'object' || internalConfig === null) return true;
    const flat = [kebabKey(path), camelKey(path)];
    const variable = `${environmentName(path)}_`;
    const environments = [process.env, ...Object.values(internalConfig)].filter(isRecord);
    return (
      [...this.#flat.keys()].some((key) => flat.some((prefix) => key.startsWith(`${prefix}.`))) ||
      environments.some((environment) => Object.keys(environment).some((key) => key.startsWith(variable))) ||
      Object.keys(process.env).some((key) => flat.some((prefix) => key.startsWith(`${prefix}.`)))
    );
  }

  /** Something has changed that had another value before. */
  remember(key: string, before: unknown): void {
    if (!this.#before.has(key)) this.#before.set(key, before);
  }

  get(key: string): unknown {
    if (key === ROOT) return this.#nested;
    for (const [changed, before] of this.#before) {
      if (key === changed) return before;
      if (key.startsWith(`${changed}.`)) return namedAt(before, key.slice(changed.length + 1).split('.'));
    }
    return this.#flat.get(key) ?? this.source.get(key);
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function namedAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => childOf(at, { name }), value);
}

/** Plain objects are copied, whatever else there is stays itself. */
function copyOf(value: unknown, seen = new Map<unknown, unknown>()): unknown {
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  const known = seen.get(value);
  if (known) return known;
  const copy: Record<string, unknown> = {};
  seen.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: copyOf(item, seen), enumerable: true });
  }
  return copy;
}
