import type { ToolRateLimit } from '../../model/tool-policies.js';
import { MAX_TIMEOUT } from '../../tool/check-timeout.js';
import type { PropertyType } from './property-types.js';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The milliseconds of a duration. Undefined for anything else, and for longer ones than a timer can wait. */
function millisecondsOf(value: unknown): number | undefined {
  const [, amount, unit = 'ms'] =
    /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  const milliseconds = typeof value === 'number' ? value : Number(amount) * UNITS[unit]!;
  return milliseconds >= 0 && milliseconds <= MAX_TIMEOUT ? milliseconds : undefined;
}

/** A duration in milliseconds. Text may have a unit: `500ms`, `2s`, `30m`, `1h`. */
export function durationProperty(): PropertyType<number | undefined>;
export function durationProperty(defaultValue: number): PropertyType<number>;
export function durationProperty(defaultValue?: number): PropertyType<number | undefined> {
  return {
    allowed: 'a duration such as 500ms, 2s, 30m or 1h, or a number of milliseconds greater than 0, of at most 24 days',
    defaultValue,
    read: (value) => millisecondsOf(value) || undefined,
  };
}

/** How long to wait for something: a duration, or `none` for no limit. */
export function waitProperty(defaultValue: number): PropertyType<number> {
  const duration = durationProperty(defaultValue);
  return {
    ...duration,
    allowed: `${duration.allowed}, or none for no limit`,
    read: (value) => {
      const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
      const isUnlimited = text === 'none' || text === Number.POSITIVE_INFINITY;
      return isUnlimited ? Number.POSITIVE_INFINITY : duration.read(value);
    },
  };
}

/** A duration like in {@link durationProperty}, or 0. */
export function durationOrNoneProperty(defaultValue: number): PropertyType<number> {
  return {
    allowed: 'a duration such as 500ms, 2s, 30m or 1h, or a number of milliseconds, 0 or more, of at most 24 days',
    defaultValue,
    read: millisecondsOf,
  };
}

/** A number of calls per duration, such as `10/1m`, or an object with `calls` and `interval`. */
export function rateProperty(): PropertyType<ToolRateLimit | undefined> {
  const duration = durationProperty();
  return {
    allowed: 'a number of calls and a duration, such as 10/1m',
    defaultValue: undefined,
    read: (value) => {
      const [, text, time] = /^\s*(\d+)\s*\/\s*(.+)$/.exec(typeof value === 'string' ? value : '') ?? [];
      const given: Partial<ToolRateLimit> = typeof value === 'object' && value !== null ? value : {};
      const calls = given.calls ?? Number(text);
      const interval = duration.read(typeof given.interval === 'number' ? given.interval : time);
      return interval && Number.isInteger(calls) && calls >= 1 ? { ...given, calls, interval } : undefined;
    },
  };
}
