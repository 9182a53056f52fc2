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
  const isKey = ([key, ...more]: readonly string[]): boolean => more.length === 0 && keys.includes(camel(key ?? ''));
  for (const name of flatNamesUnder(source, path, isKey)) names.add(name);
  const spelled = new Set([...names].map((name) => environmentName([{ name }])));
  const endings = keys.map((key) => `_${environmentName([key])}`);
  const inEnvironment = variablesUnder(source, path).flatMap((rest) => nameBefore(endings, rest) || []);
  for (const name of inEnvironment) if (!spelled.has(name)) names.add(name.toLowerCase().replaceAll('_', '-'));
  return [...names];
}

/**
 * The names in the flat keys under a path. A name may contain dots if a known key follows.
 *
 * @param isKey whether the parts after a name are a known key
 */
export function flatNamesUnder(
  source: PropertySource | undefined,
  path: readonly string[],
  isKey: (parts: readonly string[]) => boolean,
): readonly string[] {
  return [kebabKey(path), camelKey(path)].flatMap((root) =>
    flatKeysUnder(source, root).map((key) => {
      const parts = key.slice(root.length + 1).split('.');
      const end = parts.findIndex((_part, at) => isKey(parts.slice(at + 1)));
      return parts.slice(0, Math.max(end, 0) + 1).join('.');
    }),
  );
}
