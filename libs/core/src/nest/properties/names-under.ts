import { nameBefore, variablesUnder } from './environment-variables.js';
import { flatKeysUnder, nestedAt, type PropertySource } from './property-source.js';
import { camel, camelKey, environmentName, kebabKey } from './property-spelling.js';

/**
 * The names that the configuration gives to members of a group, such as the models under
 * `ai.models`: from nested objects, from flat keys and from environment variables. A variable
 * such as `AI_MODELS_MY_FAST_PROVIDER` is for the name `my-fast`, unless another spelling of it is
 * known.
 *
 * @param path the key before the name, in camelCase
 * @param keys the keys after the name, in camelCase
 * @param given names that are known already
 */
export function namesUnder(
  source: PropertySource | undefined,
  path: readonly string[],
  keys: readonly string[],
  given: readonly string[] = [],
): readonly string[] {
  const nested = nestedAt(source, path);
  const names = new Set([...given, ...(typeof nested === 'object' && nested !== null ? Object.keys(nested) : [])]);
  for (const root of [kebabKey(path), camelKey(path)]) {
    for (const key of flatKeysUnder(source, root)) names.add(nameIn(key.slice(root.length + 1), keys));
  }
  const spelled = new Set([...names].map((name) => environmentName([{ name }])));
  const endings = keys.map((key) => `_${environmentName([key])}`);
  const inEnvironment = variablesUnder(source, path).flatMap((rest) => nameBefore(endings, rest) || []);
  for (const name of inEnvironment) if (!spelled.has(name)) names.add(name.toLowerCase().replaceAll('_', '-'));
  return [...names];
}

/** The name before a key. It may contain dots, if a known key follows. */
function nameIn(rest: string, keys: readonly string[]): string {
  const end = rest.lastIndexOf('.');
  return end > 0 && keys.includes(camel(rest.slice(end + 1))) ? rest.slice(0, end) : rest.split('.')[0]!;
}
