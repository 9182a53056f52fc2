import { fullFormats } from 'ajv-formats/dist/formats.js';

/** A tag of a comment as a keyword of JSON Schema, or what is wrong with it. */
export interface Keyword {
  readonly name: string;
  readonly value?: unknown;
  readonly problem?: string;
}

/** The tags with a number for numbers. */
export const NUMBERS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);
const COUNTS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']);
const FLAGS = new Set(['uniqueItems', 'deprecated']);

/** Formats that describe a value without being checked. */
const UNCHECKED_FORMATS = new Set(['idn-email', 'idn-hostname', 'iri', 'iri-reference']);

/** Reads a default value that is no JSON. Undefined if it is only known at run time. */
export type ReadDefault = (text: string) => { readonly value: unknown } | undefined;

/**
 * @param written the text of the tag
 * @returns undefined if the tag is no keyword
 */
export function keywordOf(
  tag: string,
  written: string,
  readDefault: ReadDefault = (value) => ({ value }),
): Keyword | undefined {
  const text = withoutMarks(written);
  const [first = ''] = text.split(/\s/, 1);
  const wrong = (expected: string): Keyword => ({
    name: tag,
    problem: `@${tag} needs ${expected}, but has ${first ? `'${first}'` : 'no value'}.`,
  });
  if (NUMBERS.has(tag) || COUNTS.has(tag)) {
    const value = Number(first);
    if (first === '' || !Number.isFinite(value)) return wrong('a number');
    if (COUNTS.has(tag) && (!Number.isInteger(value) || value < 0)) return wrong('a whole number that is not negative');
    if (tag === 'multipleOf' && value <= 0) return wrong('a number greater than 0');
    return { name: tag, value };
  }
  if (FLAGS.has(tag)) return first === 'false' ? undefined : { name: tag, value: true };
  switch (tag) {
    case 'title':
      return text ? { name: tag, value: text } : wrong('a text');
    case 'format':
      if (first in fullFormats || UNCHECKED_FORMATS.has(first)) return { name: tag, value: first };
      return wrong(`a format of JSON Schema, such as 'email' or 'date'`);
    case 'pattern': {
      // What is below it is prose.
      const [pattern = ''] = text.split(/\s*\n/, 1);
      return isPattern(pattern) && !/^\/.*\/[a-z]*$/.test(pattern)
        ? { name: tag, value: pattern }
        : wrong('a regular expression, without slashes');
    }
    case 'asType':
      return first === 'integer' ? { name: 'type', value: 'integer' } : wrong("the value 'integer'");
    case 'default':
    case 'defaultValue':
      return text === '' ? wrong('a value') : defaultOf(text, readDefault);
    case 'example':
      return text === '' || written.includes('\n') ? undefined : { name: 'examples', value: [valueOf(text)] };
    case 'examples': {
      const value = valueOf(text);
      if (text === '') return wrong('a value');
      if (typeof value === 'string' && /^[[{]/.test(value)) return wrong('values in JSON');
      return { name: tag, value: Array.isArray(value) ? value : [value] };
    }
    default:
      return undefined;
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '(?:)';
  } catch {
    return false;
  }
}

/** TSDoc has values in marks of code. What is after them is prose. */
function withoutMarks(text: string): string {
  return /^`([^`\n]+)`(?!`)/.exec(text)?.[1]?.trim() ?? text;
}

function defaultOf(text: string, readDefault: ReadDefault): Keyword | undefined {
  const json = jsonOf(text);
  // JSON may have several lines. What is below another value is prose.
  const read = json ?? readDefault(text.split(/\s*\n/, 1)[0]!);
  return read && { name: 'default', value: read.value };
}

/** A value in JSON, else a text. A text may be in quotes. */
function valueOf(text: string): unknown {
  const json = jsonOf(text);
  if (json) return json.value;
  return /^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
