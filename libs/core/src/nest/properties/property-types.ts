import { MAX_TIMEOUT } from '../../tool/check-timeout.js';

/** How the value of a property is read. */
export interface PropertyType<T> {
  /** What is allowed, for the error message: `true or false`. */
  readonly allowed: string;
  readonly defaultValue: T;
  /** The value, or undefined when the given one is not allowed. */
  read(value: unknown): T | undefined;
  /** The values of the configuration join those of the options, name by name. */
  readonly isMap?: boolean;
}

/** The values of a tree of {@link PropertyType}s. */
export type ResolvedProperties<Tree> =
  Tree extends PropertyType<infer Value> ? Value : { readonly [Key in keyof Tree]: ResolvedProperties<Tree[Key]> };

/** Part of a tree of values. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/** Some text. */
export function textProperty(): PropertyType<string | undefined> {
  return {
    allowed: 'a text that is not empty',
    defaultValue: undefined,
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined),
  };
}

/** `true` or `false`, also as text, as environment variables have it. */
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

/** A whole number, also as text. */
export function integerProperty<D extends number | undefined>(
  defaultValue: D,
  rule: { allowed: string; accepts: (value: number) => boolean },
): PropertyType<number | D> {
  return {
    allowed: rule.allowed,
    defaultValue,
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isInteger(number) && rule.accepts(number) ? number : undefined;
    },
  };
}

/** A whole number greater than 0, or -1 for no limit. */
export function limitProperty(defaultValue: number): PropertyType<number> {
  return integerProperty(defaultValue, LIMIT);
}

const LIMIT = {
  allowed: 'a whole number greater than 0, or -1 for no limit',
  accepts: (n: number) => n > 0 || n === -1,
};

/** One of a few words. */
export function choiceProperty<T extends string, D extends T | undefined>(
  defaultValue: D,
  choices: readonly T[],
): PropertyType<T | D> {
  return {
    allowed: choices.join(' or '),
    defaultValue,
    read: (value) => choices.find((choice) => choice.toLowerCase() === String(value).trim().toLowerCase()),
  };
}

/** A list of words; as text, separated by commas. */
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

/** A limit for each of the names that follow the key. */
export function limitMapProperty(): PropertyType<Readonly<Record<string, number>>> {
  const limit = limitProperty(-1);
  return {
    allowed: `${LIMIT.allowed}, for each name`,
    defaultValue: {},
    isMap: true,
    read: (value) => {
      if (typeof value !== 'object' || value === null) return undefined;
      const entries = Object.entries(value).map(([name, item]) => [name, limit.read(item)] as const);
      return entries.some(([, item]) => item === undefined)
        ? undefined
        : (Object.fromEntries(entries) as Record<string, number>);
    },
  };
}

function isDuration(milliseconds: number): boolean {
  return milliseconds > 0 && milliseconds <= MAX_TIMEOUT;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration in milliseconds; as text with a unit: `500ms`, `2s`, `30m`, `1h`. */
export function durationProperty(): PropertyType<number | undefined> {
  return {
    allowed: 'a duration such as 500ms, 2s, 30m or 1h, or a number of milliseconds greater than 0, of at most 24 days',
    defaultValue: undefined,
    read: (value) => {
      if (typeof value === 'number') return isDuration(value) ? value : undefined;
      const [, amount, unit = 'ms'] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(String(value)) ?? [];
      const milliseconds = amount === undefined ? 0 : Number(amount) * UNITS[unit]!;
      return isDuration(milliseconds) ? milliseconds : undefined;
    },
  };
}

/** How many calls in how much time: `10/1m`. */
export function rateProperty(): PropertyType<{ readonly calls: number; readonly interval: number } | undefined> {
  const duration = durationProperty();
  return {
    allowed: 'a number of calls and a duration, such as 10/1m',
    defaultValue: undefined,
    read: (value) => {
      const [, calls, time] = /^\s*(\d+)\s*\/\s*(.+)$/.exec(String(value)) ?? [];
      const interval = time === undefined ? undefined : duration.read(time);
      return interval === undefined || Number(calls) < 1 ? undefined : { calls: Number(calls), interval };
    },
  };
}

/** The same properties for each of the names that follow the key. */
export function groupMapProperty<Tree extends Readonly<Record<string, PropertyType<unknown>>>>(
  tree: Tree,
): PropertyType<Readonly<Record<string, Partial<ResolvedProperties<Tree>>>>> {
  return {
    allowed: `for each name a group of ${Object.keys(tree).join(', ')}, with values that these allow`,
    defaultValue: {},
    isMap: true,
    read: (value) => {
      if (typeof value !== 'object' || value === null) return undefined;
      const groups = Object.entries(value as Record<string, unknown>).map(([name, group]) => [
        name,
        readGroup(tree, group),
      ]);
      if (groups.some(([, group]) => group === undefined)) return undefined;
      return Object.fromEntries(groups) as Record<string, Partial<ResolvedProperties<Tree>>>;
    },
  };
}

function readGroup(tree: Readonly<Record<string, PropertyType<unknown>>>, group: unknown): object | undefined {
  if (typeof group !== 'object' || group === null) return undefined;
  const read: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(group)) {
    const name = key.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const value = Object.hasOwn(tree, name) ? tree[name]!.read(given) : undefined;
    if (value === undefined) return undefined;
    read[name] = value;
  }
  return read;
}
