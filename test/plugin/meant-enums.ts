import type { JsonSchema } from '@nestor-ai/schema';

/** Where our schema of a type differs from the one of ts-json-schema-generator. */
export interface MeantDifference {
  readonly reason: string;
  readonly ours: JsonSchema;
}

/** A numeric enum. */
const named = (values: Readonly<Record<string, number>>) => ({
  type: 'number',
  enum: Object.values(values),
  description: Object.entries(values)
    .map(([name, value]) => `- ${value}: ${name}`)
    .join('\n'),
});
const NAMED = 'The names of a numeric enum say what its numbers mean.';
const DIRECTION = named({ North: 0, South: 1, West: 10 });

/** Enums whose schemas have their names. */
export const MEANT_ENUMS: Readonly<Record<string, MeantDifference>> = {
  Direction: { reason: NAMED, ours: DIRECTION },
  Level: { reason: NAMED, ours: named({ Low: 1, High: 4 }) },
  Mixed: {
    reason: NAMED,
    ours: {
      anyOf: [
        { type: 'string', const: 'text' },
        { type: 'number', const: 0 },
      ],
      description: '- 0: Zero',
    },
  },
  Weekday: { reason: NAMED, ours: named({ Monday: 1, Tuesday: 2, Wednesday: 3 }) },
  Painting: {
    reason: NAMED,
    ours: closed(
      {
        color: { type: 'string', enum: ['red', 'green'] },
        background: { enum: ['red', 'green', null] },
        frames: { type: 'array', items: DIRECTION },
      },
      ['color', 'frames'],
    ),
  },
};

export function closed(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function closedTuple(...prefixItems: readonly JsonSchema[]): JsonSchema {
  const { length } = prefixItems;
  return { type: 'array', prefixItems, items: false, maxItems: length, minItems: length };
}
