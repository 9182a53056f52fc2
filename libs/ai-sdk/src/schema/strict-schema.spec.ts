import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@nestor-ai/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { CLAUDE_STRICT, DEEPSEEK_STRICT, OPENAI_STRICT } from './strict-rules.js';
import { toStrictSchema } from './strict-schema.js';

const text = { type: 'string' };
const strict = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema =>
  toStrictSchema({ type: 'object', properties, ...more }, OPENAI_STRICT).schema;
const valueOf = (schema: JsonSchema): unknown =>
  (strict({ a: schema }, { required: ['a'] }).properties as JsonSchema).a;

describe('a schema for strict mode', () => {
  it('has closed objects with only required properties, at all depths', () => {
    const schema = strict({ a: { type: 'object', properties: { b: text } } }, { required: ['a'] });
    const closed = { additionalProperties: false };
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: ['string', 'null'] } }, required: ['b'], ...closed },
      },
      required: ['a'],
      ...closed,
    });
  });

  it.each<[JsonSchema, JsonSchema]>([
    [text, { type: ['string', 'null'] }],
    [{ enum: ['x', 'y'] }, { type: ['string', 'null'], enum: ['x', 'y', null] }],
    [{ const: 'x' }, { anyOf: [{ type: 'string', const: 'x' }, { type: 'null' }] }],
    [{ anyOf: [text, { type: 'number' }] }, { anyOf: [text, { type: 'number' }, { type: 'null' }] }],
    [{ type: 'array', items: text }, { anyOf: [{ type: 'array', items: text }, { type: 'null' }] }],
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ])('may have null for an optional property: %j', (property, written) => {
    expect(strict({ a: property }).properties).toEqual({ a: written });
  });

  it.each<[JsonSchema, JsonSchema]>([
    [
      { type: 'string', minLength: 1, pattern: '^a', default: 'a', title: 'A' },
      { type: 'string', pattern: '^a' },
    ],
    [{ type: 'string', pattern: '^(?!a)' }, text],
    [
      { type: 'string', format: 'email' },
      { type: 'string', format: 'email' },
    ],
    [{ type: 'string', format: 'uri' }, text],
    [
      { type: 'array', items: text, minItems: 1, uniqueItems: true },
      { type: 'array', items: text, minItems: 1 },
    ],
    [
      { oneOf: [text, { type: 'null' }], description: 'A' },
      { anyOf: [text, { type: 'null' }], description: 'A' },
    ],
    [{ allOf: [{ type: 'string' }, { pattern: 'a' }] }, { type: 'string', pattern: 'a' }],
  ])('only has keywords that OpenAI accepts: %j', (property, written) => {
    expect(valueOf(property)).toEqual(written);
  });

  it('keeps references in definitions of its own, and writes those with a description in place', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/definitions/Node' }, name: { $ref: '#/properties/name', description: 'Name' } },
      required: ['next', 'name'],
    };
    const schema = strict({ root: { $ref: '#/definitions/Node' }, name: text }, { definitions: { Node: node } });
    const closed = { additionalProperties: false };
    expect(schema).toEqual({
      type: 'object',
      properties: {
        root: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
        name: { type: ['string', 'null'] },
      },
      required: ['root', 'name'],
      ...closed,
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' }, name: { type: 'string', description: 'Name' } },
          required: ['next', 'name'],
          ...closed,
        },
      },
    });
  });

  it.each<[JsonSchema, RegExp]>([
    [{ type: 'object', additionalProperties: { type: 'number' } }, /'a' allows properties of any name/],
    [{ type: 'object', properties: {}, patternProperties: { '^x': text } }, /'a' allows properties of any name/],
    [{ type: 'object' }, /'a' allows properties of any name/],
    [{ type: 'object', properties: { b: text }, additionalProperties: true }, /'a' allows properties of any name/],
    [{ type: 'array', prefixItems: [text] }, /'a' is a tuple/],
    [{ type: 'array', items: [text] }, /'a' is a tuple/],
    [{ type: 'array' }, /'a\[\]' allows any value/],
    [{}, /'a' allows any value/],
    [{ type: 'object', properties: { b: true } }, /'a.b' allows any value/],
    [{ enum: [{ x: 1 }] }, /'a'/],
    [{ $ref: '#/$defs/Missing' }, /'a' has the unknown reference/],
  ])('cannot express %j', (property, message) => {
    expect(() => valueOf(property)).toThrow(message);
  });

  it('follows the rules of other providers', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: text, minItems: 1 } } };
    expect(toStrictSchema(schema, DEEPSEEK_STRICT).schema).toMatchObject({ required: ['a'] });
    expect(JSON.stringify(toStrictSchema(schema, DEEPSEEK_STRICT).schema)).not.toContain('minItems');
    expect(toStrictSchema(schema, CLAUDE_STRICT)).toEqual({
      schema: {
        type: 'object',
        properties: { a: { type: 'array', items: text } },
        required: [],
        additionalProperties: false,
      },
    });
    const recursive = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    };
    expect(() => toStrictSchema(recursive, CLAUDE_STRICT)).toThrow(/contains itself/);
  });
});

const ajv = new Ajv2020({ strict: false });

/** Schemas of the part of JSON Schema that strict mode can express. */
const { schemas } = fc.letrec<{ schemas: JsonSchema; objects: JsonSchema }>((tie) => ({
  objects: fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'kind'), fc.tuple(tie('schemas'), fc.boolean()), { maxKeys: 3 })
    .map((entries) => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(entries).map(([name, [schema]]) => [name, schema])),
      required: Object.entries(entries).flatMap(([name, [, isRequired]]) => (isRequired ? [name] : [])),
    })),
  schemas: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>(
      { type: 'string', minLength: 1 },
      { type: 'integer' },
      { type: ['boolean', 'null'] },
      { enum: ['x', 'y'] },
      { const: 1 },
    ),
    tie('objects'),
    tie('schemas').map((items) => ({ type: 'array', items })),
    fc.array(tie('schemas'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));

/** Values that fit a strict schema. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as JsonSchema[]).map(valuesOf));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ('const' in schema) return fc.constant(schema.const);
  const ofType: Record<string, () => fc.Arbitrary<unknown>> = {
    string: () => fc.string({ minLength: 1, maxLength: 3 }),
    integer: () => fc.integer(),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: () => fc.array(valuesOf(schema.items as JsonSchema), { maxLength: 2 }),
    object: () =>
      fc.record(
        Object.fromEntries(
          Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, one]) => [name, valuesOf(one)]),
        ),
      ),
  };
  return fc.oneof(...[schema.type as string].flat().map((type) => ofType[type]!()));
}

describe('what a model writes for a strict schema', () => {
  const cases = fc
    .dictionary(fc.constantFrom('p', 'q', 'r'), fc.tuple(schemas, fc.boolean()), { minKeys: 1, maxKeys: 3 })
    .map((entries): JsonSchema => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(entries).map(([name, [schema]]) => [name, schema])),
      required: Object.entries(entries).flatMap(([name, [, isRequired]]) => (isRequired ? [name] : [])),
    }))
    .chain((schema) => {
      const { schema: sent, absentNulls } = toStrictSchema(schema, OPENAI_STRICT);
      return valuesOf(sent).map((value) => ({ own: schema, sent, absentNulls, value }));
    });

  it('fits the original schema once the nulls that mean absent are dropped', () => {
    fc.assert(
      fc.property(cases, ({ own, sent, absentNulls, value }) => {
        expect(ajv.validate(sent, value)).toBe(true);
        const read = JSON.parse(absentNulls?.readText(JSON.stringify(value)) ?? JSON.stringify(value)) as unknown;
        expect([ajv.validate(own, read), read]).toEqual([true, read]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('nulls that mean absent', () => {
  const reader = (schema: JsonSchema) => toStrictSchema(schema, OPENAI_STRICT).absentNulls!;

  it('are dropped, and nulls that the schema allows are kept', () => {
    const properties = { a: text, b: { type: ['string', 'null'] }, c: { type: 'object', properties: { d: text } } };
    const { absentNulls } = toStrictSchema({ type: 'object', properties }, OPENAI_STRICT);
    expect(absentNulls?.readText('{"a":null,"b":null,"c":{"d":null}}')).toBe('{"b":null,"c":{}}');
  });

  it('are found in the branch of a union that fits', () => {
    const branch = (kind: string, own: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, [own]: { type: ['string', 'null'] }, other: text },
      required: ['kind', own],
    });
    const schema = {
      type: 'object',
      properties: { shape: { oneOf: [branch('a', 'x'), branch('b', 'y')] } },
      required: ['shape'],
    };
    expect(reader(schema).read({ shape: { kind: 'b', y: null, other: null } })).toEqual({
      shape: { kind: 'b', y: null },
    });
  });

  it('are found in a schema that contains itself', () => {
    const schema = {
      type: 'object',
      properties: { label: text, children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
    };
    const tree = { label: null, children: [{ label: null, children: [] }] };
    expect(reader(schema).read(tree)).toEqual({ children: [{ children: [] }] });
  });

  it('need no other schema if no property is optional', () => {
    expect(
      toStrictSchema({ type: 'object', properties: { a: text }, required: ['a'] }, OPENAI_STRICT).absentNulls,
    ).toBe(undefined);
  });

  it.each(['{"a": null', 'null', '[null]', '{"a":1,"b":"null"}'])('leave text unchanged that has none: %s', (json) => {
    expect(reader({ type: 'object', properties: { a: text } }).readText(json)).toBe(json);
  });
});
