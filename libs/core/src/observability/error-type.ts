/** What may stand in telemetry as the name of something: whatever else it is, it is no text that somebody has written. */
const NAME = /^[\w.:-]{1,64}$/;
const CLASS_NAME = /^[A-Za-z_$][\w$.]{0,63}$/;
const ID = /^[\w.:|/+=-]{1,128}$/;

/** How Node.js and its HTTP client name what went wrong with a file, a process or a connection. */
const CODE = /^(?:E[A-Z0-9]{2,24}|(?:ERR|UND_ERR)_[A-Z0-9_]{1,48})$/;

/** Stands for names that may not be shown. */
export const OTHER = '_OTHER';

/** A name as telemetry may have it, of something that a model or a provider has named. */
export function nameOrOther(name: unknown): string {
  return typeof name === 'string' && NAME.test(name) ? name : OTHER;
}

/** As {@link nameOrOther}, of what ties things together. */
export function idOrOther(id: unknown): string {
  return typeof id === 'string' && ID.test(id) ? id : OTHER;
}

/**
 * The class of an error, as `error.type` has it: the HTTP status that a provider of models has answered with, else the code or
 * the name of the error. Never its message, which may contain what was said.
 */
export function errorTypeOf(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null) return OTHER;
    const { statusCode, httpStatus = statusCode, code, name, constructor } = error as Readonly<Record<string, unknown>>;
    if (Number.isInteger(httpStatus)) return String(httpStatus);
    // Such as ECONNREFUSED, which says more than that it is an Error.
    if (typeof code === 'string' && CODE.test(code)) return code;
    const ofClass = typeof constructor === 'function' ? constructor.name : undefined;
    const shown = typeof name === 'string' && name !== 'Error' ? name : ofClass || name;
    return typeof shown === 'string' && CLASS_NAME.test(shown) ? shown : OTHER;
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
    const { stack, message } = error as { stack?: unknown; message?: unknown };
    if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
    // A message may have lines that look like frames. One that was changed since is somewhere in between.
    const at = stack.indexOf(message);
    if (at < 0) return undefined;
    const frames = stack
      .slice(at + message.length)
      .split('\n')
      .filter((line) => FRAME.test(line));
    return frames.length > 0 ? frames.join('\n') : undefined;
  } catch {
    return undefined;
  }
}

/** `at Class.method (file:line:column)`, or without the name. */
const FRAME = /^\s+at (?:.+ \()?(?:[A-Za-z]:\\|node:|file:|\/).+:\d+:\d+\)?$/;
