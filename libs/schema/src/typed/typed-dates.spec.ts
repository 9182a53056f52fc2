import { expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { DATE_FORMAT } from '../schema/dates.js';
import type { TypedRevive } from './class-types.js';
import { withTypedDates } from './typed-dates.js';

const text = { type: 'string', format: 'date-time' };
const date = { type: 'string', format: DATE_FORMAT };
/** Objects from JSON have no parts in common. */
const fromJson = (schema: JsonSchema) => JSON.parse(JSON.stringify(schema)) as JsonSchema;
const object = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties });

it.each<[string, JsonSchema, TypedRevive, JsonSchema]>([
  ['a date', text, 'date', date],
  [
    'a date or null',
    { type: ['string', 'null'], format: 'date-time' },
    'date',
    { type: ['string', 'null'], format: DATE_FORMAT },
  ],
  ['a text', text, 'url', text],
  ['items', { items: text }, { array: 'date' }, { items: date }],
  ['a Set', { items: text }, { set: 'date' }, { items: date }],
  ['a Map', { additionalProperties: text }, { map: 'date' }, { additionalProperties: date }],
  ['values', { additionalProperties: text }, { object: {}, values: 'date' }, { additionalProperties: date }],
  [
    'values by pattern',
    { patternProperties: { '^x': text } },
    { object: {}, values: 'date' },
    { patternProperties: { '^x': date } },
  ],
  [
    'a tuple',
    { prefixItems: [text, text], items: text },
    { tuple: [null, 'date'], rest: 'date' },
    { prefixItems: [text, date], items: date },
  ],
  ['one of two properties', object({ a: text, b: text }), { object: { b: 'date' } }, object({ a: text, b: date })],
  [
    'a kind',
    { anyOf: [{ type: 'number' }, text] },
    { kinds: { string: 'date' } },
    { anyOf: [{ type: 'number' }, date] },
  ],
  [
    'an alternative by its mark',
    { oneOf: [object({ k: { const: 'a' }, at: text }), object({ k: { const: 'b' }, at: text })] },
    { by: 'k', cases: { b: { object: { at: 'date' } } } },
    { oneOf: [object({ k: { const: 'a' }, at: text }), object({ k: { const: 'b' }, at: date })] },
  ],
  ['a schema that lacks the property', object({}), { object: { at: 'date' }, values: 'date' }, object({})],
])('finds the texts that become dates: %s', (_what, schema, revive, expected) => {
  expect(withTypedDates(fromJson(schema), { revive })).toEqual(expected);
});

it('follows references, also circular ones', () => {
  const $defs = { T: object({ at: text, sub: { $ref: '#/$defs/T' }, note: text }) };
  const revives: Record<string, TypedRevive> = { T: { object: { at: 'date', sub: { ref: 'T' } } } };
  const schema = fromJson({ $ref: '#/$defs/T', $defs });
  expect(withTypedDates(schema, { revive: { ref: 'T' }, revives })).toEqual({
    $ref: '#/$defs/T',
    $defs: { T: object({ at: date, sub: { $ref: '#/$defs/T' }, note: text }) },
  });
  expect(withTypedDates({ $ref: '#' }, { revive: { ref: 'T' }, revives: { T: { ref: 'T' } } })).toEqual({ $ref: '#' });
});

it('returns the schema itself if it has no dates', () => {
  const schema = object({ a: text });
  expect(withTypedDates(schema, {})).toBe(schema);
  expect(withTypedDates(schema, { revive: { object: {} } })).toBe(schema);
});
