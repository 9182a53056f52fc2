import type { ContentPlace } from '../model/content-redactor.js';
import { isJson } from '../model/is-json.js';

const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/gis;

/**
 * Unescapes a text for a redactor. JSON may escape any character, and some model servers escape
 * everything that is not ASCII. The result is the same JSON with the characters that tools and
 * browsers see.
 *
 * @param kind `arguments` are always treated as JSON, even if broken; other texts only if they are
 * valid JSON
 */
export function spelledOut(text: string, kind: ContentPlace['kind']): string {
  if (!text.includes('\\u') && !text.includes('\\/')) return text;
  return kind === 'arguments' || isJson(text) ? text.replace(ESCAPE, toCharacter) : text;
}

/** The character of an escape sequence, unless JSON requires the escape. */
function toCharacter(escape: string, code: string | undefined): string {
  if (code === undefined) return escape === '\\/' ? '/' : escape;
  const character = String.fromCharCode(Number.parseInt(code, 16));
  return character < ' ' || character === '"' || character === '\\'
    ? JSON.stringify(character).slice(1, -1)
    : character;
}
