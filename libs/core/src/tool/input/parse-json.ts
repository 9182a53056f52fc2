import { rejectInput } from './tool-input.js';

/**
 * Parses the arguments of a tool call. Nothing at all means no arguments.
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

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What `JSON.parse` found wrong, without the part of the text that it quotes. */
export function jsonProblemOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
}

function parse(text: string): unknown {
  // `__proto__` may also be written with escapes; the slow way is taken for either.
  return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, withoutPrototypeKeys) : JSON.parse(text);
}

/**
 * Drops keys that would set a prototype once they are copied to another object. The reviver sees
 * every object after its children.
 */
function withoutPrototypeKeys(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    // `delete` reaches the own property only; the prototype stays.
    delete (value as Record<string, unknown>)['__proto__'];
  }
  return value;
}
