import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { JsonSchema } from '../json/json-schema.js';
import { type Dialect, judgeSchema } from './json-schema-keywords.js';

const KEYWORDS = `
  type enum const title description pattern format default examples unknown minimum maximum exclusiveMinimum
  multipleOf minLength maxItems minProperties uniqueItems required properties patternProperties
  additionalProperties propertyNames dependencies items additionalItems prefixItems contains minContains
  unevaluatedItems allOf anyOf not if then definitions dependentSchemas dependentRequired contentSchema
  readOnly deprecated $id $ref $anchor $comment
`
  .trim()
  .split(/\s+/);

const LEAVES: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('string', 'integer', 'float', 'a b', 'a#b', '', 'name'),
  fc.constantFrom(-1, 0, 0.5, 3),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom('string', 'null', 'a', 'a b'), { maxLength: 3 }),
);

const { schema: SCHEMAS } = fc.letrec<{ schema: JsonSchema; value: unknown; list: unknown[]; map: JsonSchema }>(
  (tie) => ({
    schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    list: fc.array(tie('schema'), { maxLength: 2 }),
    map: fc.dictionary(fc.constantFrom('a', 'b/c'), fc.oneof(tie('schema'), LEAVES), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    value: fc.oneof({ depthSize: 'small' }, LEAVES, tie('schema'), tie('list'), tie('map')),
  }),
);

describe('judgeSchema', () => {
  const METASCHEMAS: [Dialect, Ajv][] = [
    ['draft-07', new Ajv({ logger: false })],
    ['2019-09', new Ajv2019({ logger: false })],
    ['2020-12', new Ajv2020({ logger: false })],
  ];

  it.each(METASCHEMAS)('refuses exactly the schemas that the metaschema of %s refuses', (dialect, ajv) => {
    fc.assert(
      fc.property(SCHEMAS, (schema) => {
        expect(judgeSchema(schema, dialect).violations.length === 0).toBe(ajv.validateSchema(schema));
      }),
      { numRuns: 3000 },
    );
  });

  it('names the place of each violation', () => {
    const schema = { properties: { a: { type: 'float' }, b: { items: { required: true } } } };
    expect(judgeSchema(schema, '2020-12').violations).toEqual([
      '/properties/a/type must be one of array, boolean, integer, null, number, object, string, or an array of different ones',
      '/properties/b/items/required must be an array of different strings',
    ]);
  });
});
