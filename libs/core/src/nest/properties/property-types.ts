import { Ordered } from '../../advisor/ordered.js';
import type { KeyPart } from './property-spelling.js';

/** Reads the value of a property. */
export interface PropertyType<T> {
  /** The allowed values, for the error message: `true or false`. */
  readonly allowed: string;
  readonly defaultValue: T;
  /** Whether error messages leave out the value that was given. Default: false. */
  readonly isSecret?: boolean;
  /** The value, or undefined if it is not allowed. */
  read(value: unknown): T | undefined;
}

/** A group with the same properties for each name. */
export interface NamedGroup<Tree> {
  readonly ofEachName: Tree;
}

/** A group of keys that another package reads. */
export interface Elsewhere {
  readonly isReadElsewhere: true;
  /** The module that reads it, and its package. Undefined for options of AiModule itself. */
  readonly module?: string;
  readonly package?: string;
}

/** The values of a tree of {@link PropertyType}s. */
export type ResolvedProperties<Tree> =
  Tree extends PropertyType<infer Value>
    ? Value
    : Tree extends NamedGroup<infer Child>
      ? Readonly<Record<string, ResolvedProperties<Child>>>
      : { readonly [Key in keyof Tree as Tree[Key] extends Elsewhere ? never : Key]: ResolvedProperties<Tree[Key]> };

/** A tree of values, each of them optional. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/** The rule of whole numbers that are greater than 0, for {@link integerProperty}. */
export const positive = { allowed: 'a whole number greater than 0', accepts: (value: number) => value > 0 };

/** A text that is not empty. */
export function textProperty(): PropertyType<string | undefined> {
  return {
    allowed: 'a text that is not empty',
    defaultValue: undefined,
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined),
  };
}

/** `true` or `false`. Text is allowed, as in environment variables. */
export function booleanProperty<D extends boolean | undefined>(defaultValue: D): PropertyType<boolean | D> {
  return {
    allowed: 'true or false',
    defaultValue,
    read: (value) => {
      const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (text === true || text === 'true') return true;
      return text === false || text === 'false' ? false : undefined;
    },
  };
}

/** A whole number. Text is allowed. */
export function integerProperty<D extends number | undefined>(
  defaultValue: D,
  rule: { allowed: string; accepts: (value: number) => boolean },
): PropertyType<number | D> {
  return numberProperty(defaultValue, {
    ...rule,
    accepts: (value) => Number.isInteger(value) && rule.accepts(value),
  });
}

/** A number. Text is allowed. */
export function numberProperty<D extends number | undefined>(
  defaultValue: D,
  rule: { allowed: string; accepts: (value: number) => boolean },
): PropertyType<number | D> {
  return {
    allowed: rule.allowed,
    defaultValue,
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) && rule.accepts(number) ? number : undefined;
    },
  };
}

/** The position of an advisor in the chain: a whole number within the bounds. */
export function orderProperty<D extends number | undefined>(defaultValue: D): PropertyType<number | D> {
  return integerProperty(defaultValue, {
    allowed: 'a whole number between HIGHEST_PRECEDENCE (-2147483648) and LOWEST_PRECEDENCE (2147483647), exclusive',
    accepts: (value) => value > Ordered.HIGHEST_PRECEDENCE && value < Ordered.LOWEST_PRECEDENCE,
  });
}

/** A whole number greater than 0, or -1 for no limit. */
export function limitProperty<D extends number | undefined>(defaultValue: D): PropertyType<number | D> {
  return integerProperty(defaultValue, {
    allowed: 'a whole number greater than 0, or -1 for no limit',
    accepts: (value) => value > 0 || value === -1,
  });
}

/** One of several words. */
export function choiceProperty<T extends string, D extends T | undefined>(
  defaultValue: D,
  choices: readonly T[],
): PropertyType<T | D> {
  return {
    allowed: choices.join(' or '),
    defaultValue,
    read: (value) =>
      typeof value === 'string'
        ? choices.find((choice) => choice.toLowerCase() === value.trim().toLowerCase())
        : undefined,
  };
}

/** A list of words. Text is split at commas. */
export function listProperty(): PropertyType<readonly string[]> {
  return {
    allowed: 'a list of names, or names separated by commas',
    defaultValue: [],
    read: (value) => {
      const items: unknown = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
      if (!Array.isArray(items) || items.some((item) => typeof item !== 'string')) return undefined;
      return (items as string[]).filter((item) => item !== '');
    },
  };
}

/** A list of words that match a rule. Text is split at commas. */
export function listOfProperty(
  defaultValue: readonly string[],
  rule: { allowed: string; accepts: (item: string) => boolean },
): PropertyType<readonly string[]> {
  const list = listProperty();
  return {
    allowed: rule.allowed,
    defaultValue,
    read: (value) => {
      const items = list.read(value);
      return items?.every(rule.accepts) ? items : undefined;
    },
  };
}

/** A list of some of several words. Text is split at commas. */
export function choicesProperty<T extends string>(choices: readonly T[]): PropertyType<readonly T[] | undefined> {
  const choice = choiceProperty(undefined, choices);
  const list = listProperty();
  return {
    allowed: `a list of ${choices.join(', ')}, separated by commas`,
    defaultValue: undefined,
    read: (value) => {
      const read = list.read(value)?.map((item) => choice.read(item));
      return read?.every((item) => item !== undefined) ? [...new Set(read)] : undefined;
    },
  };
}

/** Declares a group with the same properties for each name. */
export function forEachName<Tree extends object>(tree: Tree): NamedGroup<Tree> {
  return { ofEachName: tree };
}

/** A tree of properties without defaults: each is undefined if it is not set. */
export type WithoutDefaults<Tree> =
  Tree extends PropertyType<infer Value>
    ? PropertyType<Value | undefined>
    : Tree extends Elsewhere
      ? Tree
      : { readonly [Key in keyof Tree]: WithoutDefaults<Tree[Key]> };

/** The same properties without defaults, to override other values. */
export function withoutDefaults<Tree extends object>(tree: Tree): WithoutDefaults<Tree> {
  const made = isPropertyType(tree)
    ? { ...tree, defaultValue: undefined }
    : isElsewhere(tree)
      ? tree
      : Object.fromEntries(Object.entries(tree).map(([key, child]: [string, object]) => [key, withoutDefaults(child)]));
  return made as WithoutDefaults<Tree>;
}

/** Marks a group that AiModule does not read. */
export const ELSEWHERE: Elsewhere = { isReadElsewhere: true };

/** Marks a group that a module of another package reads. */
export function readBy(module: string, packageName: string): Elsewhere {
  return { isReadElsewhere: true, module, package: packageName };
}

const SHARED: unique symbol = Symbol('nestor.SharedGroup');

/**
 * A group that may also contain keys of others. An unknown key that resembles none of these
 * belongs to others.
 */
export function sharedGroup<Tree extends object>(tree: Tree): Tree {
  return { ...tree, [SHARED]: true };
}

/** A node of a tree of properties, and its key. */
export interface PropertyNode {
  readonly node: object;
  readonly path: readonly KeyPart[];
}

/**
 * The nodes of a tree that have a key, as a list.
 *
 * @param namesAt the names in a group with the same properties for each name
 */
export function nodesOf(
  node: object,
  path: readonly KeyPart[],
  namesAt: (path: readonly KeyPart[]) => readonly KeyPart[],
): PropertyNode[] {
  if (isPropertyType(node) || isElsewhere(node)) return [{ node, path }];
  if (isNamedGroup(node)) return namesAt(path).flatMap((name) => nodesOf(node.ofEachName, [...path, name], namesAt));
  return Object.entries(node).flatMap(([key, child]: [string, object]) => {
    const nodes = nodesOf(child, [...path, key], namesAt);
    return isPropertyType(child) || isElsewhere(child) ? nodes : [{ node: child, path: [...path, key] }, ...nodes];
  });
}

export function isSharedGroup(node: object): boolean {
  return SHARED in node;
}

export function isPropertyType(node: object): node is PropertyType<unknown> {
  return typeof (node as Partial<PropertyType<unknown>>).read === 'function';
}

export function isNamedGroup(node: object): node is NamedGroup<object> {
  return 'ofEachName' in node;
}

export function isElsewhere(node: object): node is Elsewhere {
  return 'isReadElsewhere' in node;
}
