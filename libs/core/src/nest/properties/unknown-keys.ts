import { closestMatch } from 'leven';
import { camel, camelKey, kebab, kebabKey, type KeyPart } from './property-spelling.js';
import { isElsewhere, isNamedGroup, isPropertyType, isSharedGroup, nodesOf } from './property-types.js';

/** How much a key may differ from the suggested key, relative to the length of its last part. */
const SIMILARITY = 0.5;

/** An unknown key. */
export interface UnknownKey {
  readonly path: readonly KeyPart[];
  /** The error message. */
  readonly text: string;
  /**
   * Whether the key may belong to others: it is directly under the root and resembles no known
   * key.
   */
  readonly isForeign: boolean;
}

export function describeUnknownKey(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): UnknownKey {
  const nearest = nearestKey(tree, root, path);
  const siblings = branchAt(tree, path.slice(root.length, -1)) ?? {};
  const isFlat = path.slice(root.length).some((part) => typeof part === 'string' && `${part}.`.startsWith('ai.'));
  const key = kebabKey(isFlat ? path.slice(root.length) : path);
  const hint = isFlat
    ? "Properties in code are nested, and leave out 'ai': { tools: { timeout: 5000 } }."
    : nearest === undefined
      ? `Known here: ${ownKeys(siblings).join(', ')}.`
      : nearest === camelKey(path)
        ? 'Write it nested, or as one key that begins with ai.'
        : `Did you mean ${nearest}?`;
  return {
    path,
    text: `The property ${nearest === kebabKey(path) ? camelKey(path) : key} is not known. ${hint}`,
    isForeign: nearest === undefined && path.length === root.length + 1,
  };
}

/** How many letters of a key in a shared group may differ. A key that differs more belongs to others. */
const MAX_TYPOS = 2;

/** Whether an unknown key is in a shared group and belongs to others. */
export function isLeftToOthers(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): boolean {
  const below = path.slice(root.length);
  const at = below.findIndex((_part, end) => isSharedGroup(branchAt(tree, below.slice(0, end)) ?? {}));
  const key = below[at];
  if (typeof key !== 'string') return false;
  const ours = Object.keys(branchAt(tree, below.slice(0, at))!).map(kebab);
  return closestMatch(kebab(key), ours, { maxDistance: MAX_TYPOS }) === undefined;
}

/** Whether a flat key belongs to a property. @param spell how all its parts are spelled, apart from names */
export function isKnownKey(tree: object, parts: readonly string[], spell: (name: string) => string): boolean {
  const [first, ...rest] = parts;
  if (isElsewhere(tree)) return true;
  if (isPropertyType(tree)) return first === undefined;
  if (first === undefined) return false;
  if (isNamedGroup(tree)) {
    // A name may contain dots.
    return parts.some((_part, index) => isKnownKey(tree.ofEachName, parts.slice(index + 1), spell));
  }
  const child = (tree as Record<string, object>)[camel(first)];
  const isThere = first === spell(camel(first)) && Object.hasOwn(tree, camel(first));
  return isThere && child !== undefined && isKnownKey(child, rest, spell);
}

/** The known key that is most similar to an unknown one: it has the same last part or nearly the same letters. */
function nearestKey(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): string | undefined {
  const key = kebabKey(path);
  const known = keysOf(tree, root, path);
  const last = (other: string): string => other.slice(other.lastIndexOf('.') + 1);
  const alike = known.filter((candidate) => last(candidate) === last(key));
  if (alike.length === 1) return alike[0];
  return closestMatch(key, known, { maxDistance: Math.max(2, Math.floor(last(key).length * SIMILARITY)) });
}

/** All known keys. Names in them are taken from `path`. */
function keysOf(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): string[] {
  const namesAt = (at: readonly KeyPart[]): readonly KeyPart[] => {
    const isOnTheWay = kebabKey(at) === kebabKey(path.slice(0, at.length));
    return [(isOnTheWay && path[at.length]) || '<name>'];
  };
  const nodes = nodesOf(tree, root, namesAt);
  return nodes.filter(({ node }) => !isElsewhere(node)).map(({ path: key }) => kebabKey(key));
}

function ownKeys(branch: object): string[] {
  return Object.entries(branch)
    .filter(([, child]: [string, object]) => !isSharedGroup(child) && !(isElsewhere(child) && !child.module))
    .map(([name]) => kebab(name));
}

function branchAt(tree: object, path: readonly KeyPart[]): object | undefined {
  return path.reduce<object | undefined>((branch, part) => {
    if (!branch || isPropertyType(branch)) return undefined;
    if (isNamedGroup(branch)) return branch.ofEachName;
    return (branch as Record<string, object>)[typeof part === 'string' ? camel(part) : part.name];
  }, tree);
}
