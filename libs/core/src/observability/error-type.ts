/** What may stand in telemetry as the name of something: whatever else it is, it is no text that somebody has written. */
const NAME = /^[\w.$:-]{1,64}$/;

/** How Node.js names what went wrong with a file, a process or a connection. */
const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Stands for names that may not be shown. */
export const OTHER = '_OTHER';

/** A name as telemetry may have it, of something that a model or an application has named. */
export function nameOrOther(name: unknown): string {
  return typeof name === 'string' && NAME.test(name) ? name : OTHER;
}

/**
 * The class of an error, as `error.type` has it: the HTTP status that a provider of models has answered with, else the code or
 * the name of the error. Never its message, which may contain what was said.
 */
export function errorTypeOf(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null) return OTHER;
    const { statusCode, code, name, constructor } = error as Readonly<Record<string, unknown>>;
    if (Number.isInteger(statusCode)) return String(statusCode);
    // Such as ECONNREFUSED, which says more than that it is an Error.
    if (typeof code === 'string' && CODE.test(code)) return code;
    const ofClass = typeof constructor === 'function' ? constructor.name : undefined;
    return nameOrOther(typeof name === 'string' && name !== 'Error' ? name : ofClass || name);
  } catch {
    // What was thrown may throw when it is looked at.
    return OTHER;
  }
}

/** The first place that an error comes from, for one line of a log: `at WeatherTools.find (/app/weather.ts:12:5)`. */
export function placeOf(error: unknown): string | undefined {
  return framesOf(error)?.split('\n')[0]!.trim();
}

/** Where an error comes from: its stack without its message. */
export function framesOf(error: unknown): string | undefined {
  try {
    const { stack } = error as { stack?: unknown };
    if (typeof stack !== 'string') return undefined;
    const frames = stack.split('\n').filter((line) => FRAME.test(line));
    return frames.length > 0 ? frames.join('\n') : undefined;
  } catch {
    return undefined;
  }
}

/** `at Class.method (file:line:column)`, or without the name. A line of a message that looks like one has no place in a file. */
const FRAME = /^\s+at (?:.+ \()?(?:[\w:]+\/|node:|file:|\/).+:\d+:\d+\)?$/;
