import { rejectInput } from './tool-input.js';

/**
 * Parses the arguments of a tool call. An empty text means no arguments.
 *
 * @throws ToolInputException when the text is not JSON
 */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return parse(text);
  } catch (error) {
    return rejectInput(`the arguments are not valid JSON (${jsonProblemOf(error)})`, true);
  }
}

/** Parses JSON text. Returns undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text may have numbers with more digits than parsing keeps. */
export function losesDigits(text: string): boolean {
  return /\d{16}/.test(text);
}

/**
 * The JSON text of what a text is parsed as: of a key that it has twice, only the last value counts.
 * Texts that are no JSON are returned unchanged.
 *
 * @throws ToolInputException when the value is nested too deeply
 */
export function asParsed(text: string): string {
  const value = parseJson(text);
  if (value === undefined) return text;
  try {
    return JSON.stringify(value);
  } catch {
    return rejectInput('the arguments are nested too deeply');
  }
}

/** The message of `JSON.parse`, without the quoted part of the text. */
export function jsonProblemOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
}

function parse(text: string): unknown {
  // `__proto__` may also be written with escapes, so both cases use the slow path.
  return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, withoutPrototypeKeys) : JSON.parse(text);
}

/**
 * Removes keys that would set a prototype when they are copied to another object. The reviver sees
 * every object after its children.
 */
function withoutPrototypeKeys(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    // `delete` only removes the own property, not the prototype.
    delete (value as Record<string, unknown>)['__proto__'];
  }
  return value;
}
