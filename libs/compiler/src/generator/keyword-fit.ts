import type { JsonSchema } from '@nestor-ai/schema/format';
import { NUMBERS } from './comment-keywords.js';
import type { ReadValue } from './read-value.js';

/** The kinds of values that a keyword limits, and their name. Other keywords are for all. */
const LIMITED: Readonly<Record<string, readonly [type: string, name: string]>> = {
  ...Object.fromEntries([...NUMBERS].map((tag) => [tag, ['number', 'numbers']])),
  minLength: ['string', 'texts'],
  maxLength: ['string', 'texts'],
  pattern: ['string', 'texts'],
  format: ['string', 'texts'],
  minItems: ['array', 'lists'],
  maxItems: ['array', 'lists'],
  uniqueItems: ['array', 'lists'],
  minProperties: ['object', 'objects'],
  maxProperties: ['object', 'objects'],
};

/** Pairs of keywords, where the first must not be above the second. */
const ORDERED = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Keywords that do not fit a type, and why. */
export interface Misfit {
  readonly keywords: readonly string[];
  readonly problem: string;
}

/** What is wrong with the keywords of a comment for a type. */
export function misfitsOf(keywords: JsonSchema, { schema, revive }: ReadValue): readonly Misfit[] {
  const { default: fallback } = keywords;
  return [
    ...Object.keys(keywords).flatMap((keyword) => misfitOf(keyword, schema) ?? []),
    ...ORDERED.filter(([low, high]) => Number(keywords[low]) > Number(keywords[high])).map((pair): Misfit => {
      const [low, high] = pair;
      const problem = `@${low} ${String(keywords[low])} is above @${high} ${String(keywords[high])}.`;
      return { keywords: pair, problem };
    }),
    ...(typeof revive === 'string' && 'format' in keywords
      ? [{ keywords: ['format'], problem: '@format is for texts, but the value is converted.' }]
      : []),
    ...(fallback !== undefined && !mayBe(fallback, schema)
      ? [{ keywords: ['default'], problem: `@default ${JSON.stringify(fallback)} is no value of the type.` }]
      : []),
  ];
}

/** A keyword that limits no value of the type. */
function misfitOf(keyword: string, { type }: JsonSchema): Misfit | undefined {
  const limited = LIMITED[keyword];
  const types = [type].flat().map((one) => (one === 'integer' ? 'number' : one));
  if (!limited || type === undefined || types.includes(limited[0])) return undefined;
  return { keywords: [keyword], problem: `@${keyword} is for ${limited[1]}, but the type is ${types.join(' or ')}.` };
}

/** Whether a schema may allow a value, by its enum, constant and type. */
function mayBe(value: unknown, schema: JsonSchema): boolean {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(values)) return values.includes(value);
  if ('const' in schema) return schema['const'] === value;
  if (Array.isArray(anyOf)) return anyOf.some((one) => mayBe(value, one as JsonSchema));
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return type === undefined || [type].flat().some((one) => (one === 'integer' ? 'number' : one) === kind);
}
