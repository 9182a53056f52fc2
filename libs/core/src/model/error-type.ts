/** Allowed characters of names in telemetry, so that free text is never recorded. */
const NAME = /^[\w.:-]{1,64}$/;
const CLASS_NAME = /^[A-Za-z_$][\w$.]{0,63}$/;
const ID = /^[\w.:|/+=-]{1,128}$/;

/** Error codes of Node.js and its HTTP client for files, processes and connections. */
const CODE = /^(?:E[A-Z0-9]{2,24}|(?:ERR|UND_ERR)_[A-Z0-9_]{1,48})$/;

/** Replaces names that must not be shown. */
export const OTHER = '_OTHER';

/** Returns a name from a model or provider, or {@link OTHER} if it could be free text. */
export function nameOrOther(name: unknown): string {
  return typeof name === 'string' && NAME.test(name) ? name : OTHER;
}

/** Like {@link nameOrOther}, for ids. */
export function idOrOther(id: unknown): string {
  return typeof id === 'string' && ID.test(id) ? id : OTHER;
}

/**
 * The type of an error for the attribute `error.type`: the HTTP status of a model provider, or
 * else the code or name of the error, or of the one that the model threw. Never its message, which may contain parts of the conversation.
 */
export function errorTypeOf(error: unknown): string {
  try {
    // `throw 'text'`: the kind of the value, never the text.
    if (error === undefined || error === null) return OTHER;
    if (typeof error !== 'object') return typeof error;
    const {
      statusCode,
      httpStatus = statusCode,
      code,
      name,
      constructor,
      providerError,
    } = error as Readonly<Record<string, unknown>>;
    if (Number.isInteger(httpStatus)) return String(httpStatus);
    // A code such as ECONNREFUSED is more specific than the name Error.
    if (typeof code === 'string' && CODE.test(code)) return code;
    if (providerError instanceof Error) return errorTypeOf(providerError);
    const ofClass = typeof constructor === 'function' ? constructor.name : undefined;
    const shown = typeof name === 'string' && name !== 'Error' ? name : ofClass || name;
    return typeof shown === 'string' && CLASS_NAME.test(shown) ? shown : OTHER;
  } catch {
    // Reading a thrown value may throw.
    return OTHER;
  }
}

/**
 * The first stack frame of an error, for one log line:
 * `at WeatherTools.find (/app/weather.ts:12:5)`.
 */
export function placeOf(error: unknown): string | undefined {
  return framesOf(error)?.split('\n')[0]!.trim();
}

/** The stack of an error without its message. */
export function framesOf(error: unknown): string | undefined {
  try {
    const { stack, message } = error as { stack?: unknown; message?: unknown };
    if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
    // The message may contain lines that look like frames. If it was changed later, the stack does
    // not contain it.
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
