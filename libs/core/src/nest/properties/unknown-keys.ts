import { closestMatch } from 'leven';
import { camel, kebab, kebabKey, type KeyPart } from './property-spelling.js';
import { isElsewhere, isNamedGroup, isPropertyType, isSharedGroup } from './property-types.js';

/** How different a key may be from the one that was meant, as a part of the length of its last part. */
const SIMILARITY = 0.5;

/** A key that no property has. */
export interface UnknownKey {
  /** What to say of it. */
  readonly text: string;
  /** Whether it may be none of ours: directly under the root, and like nothing there is. */
  readonly isForeign: boolean;
}

export function describeUnknownKey(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): UnknownKey {
  const nearest = nearestKey(tree, root, path);
  const siblings = branchAt(tree, path.slice(root.length, -1)) ?? {};
  const hint = nearest === undefined ? `Known here: ${ownKeys(siblings).join(', ')}.` : `Did you mean ${nearest}?`;
  return {
    text: `The property ${kebabKey(path)} is not known. ${hint}`,
    isForeign: nearest === undefined && path.length === root.length + 1,
  };
}

/** How many letters of a key in a shared group may be wrong: what is less like ours is somebody else's. */
const MAX_TYPOS = 2;

/** Whether a key that no property has is in a group that others share, and theirs. */
export function isLeftToOthers(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): boolean {
  const below = path.slice(root.length);
  const at = below.findIndex((_part, end) => isSharedGroup(branchAt(tree, below.slice(0, end)) ?? {}));
  const key = below[at];
  if (typeof key !== 'string') return false;
  const ours = Object.keys(branchAt(tree, below.slice(0, at))!).map(kebab);
  return closestMatch(kebab(key), ours, { maxDistance: MAX_TYPOS }) === undefined;
}

/** Whether a flat key is one of a property. */
export function isKnownKey(tree: object, parts: readonly string[]): boolean {
  const [first, ...rest] = parts;
  if (isElsewhere(tree)) return true;
  if (isPropertyType(tree)) return first === undefined;
  if (first === undefined) return false;
  if (isNamedGroup(tree)) {
    // A name may have dots of its own.
    return parts.some((_part, index) => isKnownKey(tree.ofEachName, parts.slice(index + 1)));
  }
  const child = (tree as Record<string, object>)[camel(first)];
  return Object.hasOwn(tree, camel(first)) && child !== undefined && isKnownKey(child, rest);
}

/** The known key that a wrong one is most like: of the same last part, or of nearly the same letters. */
function nearestKey(tree: object, root: readonly KeyPart[], path: readonly KeyPart[]): string | undefined {
  const key = kebabKey(path);
  const known = keysOf(tree, root, path);
  const last = (other: string): string => other.slice(other.lastIndexOf('.') + 1);
  const alike = known.filter((candidate) => last(candidate) === last(key));
  if (alike.length === 1) return alike[0];
  return closestMatch(key, known, { maxDistance: Math.max(2, Math.floor(last(key).length * SIMILARITY)) });
}

/** Every known key, with the names that a path has. */
function keysOf(tree: object, at: readonly KeyPart[], path: readonly KeyPart[]): string[] {
  if (isElsewhere(tree)) return [];
  if (isPropertyType(tree)) return [kebabKey(at)];
  if (isNamedGroup(tree)) {
    const isOnTheWay = kebabKey(at) === kebabKey(path.slice(0, at.length));
    return keysOf(tree.ofEachName, [...at, (isOnTheWay && path[at.length]) || '<name>'], path);
  }
  return Object.entries(tree).flatMap(([name, child]: [string, object]) => [
    ...(isPropertyType(child) || isElsewhere(child) ? [] : [kebabKey([...at, name])]),
    ...keysOf(child, [...at, name], path),
  ]);
}

function ownKeys(branch: object): string[] {
  return Object.entries(branch)
    .filter(([, child]: [string, object]) => !isElsewhere(child) && !isSharedGroup(child))
    .map(([name]) => kebab(name));
}

function branchAt(tree: object, path: readonly KeyPart[]): object | undefined {
  return path.reduce<object | undefined>((branch, part) => {
    if (!branch || isPropertyType(branch)) return undefined;
    if (isNamedGroup(branch)) return branch.ofEachName;
    return (branch as Record<string, object>)[typeof part === 'string' ? camel(part) : part.name];
  }, tree);
}
