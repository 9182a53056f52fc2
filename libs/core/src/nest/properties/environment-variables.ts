import { closestMatch } from 'leven';
import { keysUnder, type PropertySource } from './property-source.js';
import { environmentName, type KeyPart } from './property-spelling.js';
import { isPropertyType, nodesOf } from './property-types.js';

/** The names of environment variables: one, or with any name between two parts. */
interface VariableName {
  readonly prefix: string;
  /** Undefined without a name. Empty if the name comes last. */
  readonly suffix?: string;
}

/** The trees of properties that were read, of this package and of others, by their roots. */
const trees = new Map<string, { readonly root: readonly KeyPart[]; readonly trees: Set<object> }>();

/** Remembers the properties of a tree, so that a misspelled variable can be told from one of others. */
export function rememberTree(root: readonly KeyPart[], tree: object): void {
  const key = root.map((part) => (typeof part === 'string' ? part : '*')).join('.');
  const known = trees.get(key);
  if (known) known.trees.add(tree);
  else trees.set(key, { root, trees: new Set([tree]) });
}

/** Checks the names of environment variables against the properties that were read. */
export class KnownVariables {
  readonly #names = [...trees.values()].flatMap(({ root, trees: read }) =>
    [...read].flatMap((tree) => leavesOf(tree, root).map(nameOf)),
  );

  isKnown(variable: string): boolean {
    return this.#names.some(({ prefix, suffix }) =>
      suffix === undefined
        ? variable === prefix
        : variable.startsWith(prefix) && variable.endsWith(suffix) && variable.length > prefix.length + suffix.length,
    );
  }

  /** The known variable that an unknown one resembles. */
  nearest(variable: string): string | undefined {
    const candidates = this.#names.flatMap(({ prefix, suffix }) =>
      suffix === undefined ? prefix : namedLike(variable, prefix, suffix),
    );
    // A short word becomes another one with two letters: ID, API, URL.
    const maxDistance = variable.slice(variable.lastIndexOf('_') + 1).length > 4 ? 2 : 1;
    return closestMatch(variable, candidates, { maxDistance });
  }
}

/** The variables with the suffix for each name that a variable may contain. */
function namedLike(variable: string, prefix: string, suffix: string): string[] {
  if (suffix === '' || !variable.startsWith(prefix)) return [];
  const words = variable.slice(prefix.length).split('_');
  return words.slice(1).map((_word, at) => prefix + words.slice(0, at + 1).join('_') + suffix);
}

/** The environment variables under a path that are not empty, without the prefix that they share. */
export function variablesUnder(source: PropertySource | undefined, path: readonly string[]): readonly string[] {
  const prefix = `${environmentName(path)}_`;
  const keys = (source && keysUnder(source, path)) ?? [];
  return keys.filter((key) => key.startsWith(prefix) && source!.get(key) !== '').map((key) => key.slice(prefix.length));
}

/** What follows a name in the variables of a tree, such as `_NEEDS_APPROVAL`. */
export function endingsOf(tree: object): readonly string[] {
  return leavesOf(tree, []).map(suffixOf);
}

/** The name before the longest ending: `FAST_CHUNK_TIMEOUT` does not belong to `fast-chunk`. */
export function nameBefore(endings: readonly string[], rest: string): string | undefined {
  const [ending] = endings.filter((one) => rest.endsWith(one)).sort((a, b) => b.length - a.length);
  return ending === undefined ? undefined : rest.slice(0, rest.length - ending.length);
}

function nameOf(root: readonly KeyPart[]): VariableName {
  const at = root.findIndex((part) => typeof part !== 'string');
  if (at < 0) return { prefix: environmentName(root) };
  return { prefix: `${environmentName(root.slice(0, at))}_`, suffix: suffixOf(root.slice(at + 1)) };
}

function suffixOf(parts: readonly KeyPart[]): string {
  return parts.length === 0 ? '' : `_${environmentName(parts)}`;
}

/** The keys of the properties in a tree, with any name. */
function leavesOf(tree: object, root: readonly KeyPart[]): (readonly KeyPart[])[] {
  const nodes = nodesOf(tree, root, () => [{ name: '' }]);
  return nodes.filter(({ node }) => isPropertyType(node)).map(({ path }) => path);
}
