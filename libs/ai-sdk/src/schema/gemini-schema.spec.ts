import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@nestor-ai/core';
import { toGeminiSchema } from './gemini-schema.js';

const text = { type: 'string' };
const valueOf = (a: JsonSchema, more: JsonSchema = {}): unknown =>
  (toGeminiSchema({ type: 'object', properties: { a }, ...more }).schema.properties as JsonSchema).a;

describe('a schema for Gemini', () => {
  it.each<[JsonSchema, unknown]>([
    [text, text],
    [{ type: 'string', format: 'email' }, text],
    [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [{ type: 'integer', nullable: true }, { type: ['integer', 'null'] }],
    [{ oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }],
    [
      { type: 'string', oneOf: [{ minLength: 1 }, { pattern: 'a' }] },
      {
        anyOf: [
          { ...text, minLength: 1 },
          { ...text, pattern: 'a' },
        ],
      },
    ],
    [{ allOf: [text, { description: 'A' }] }, { ...text, description: 'A' }],
    [{ enum: ['x', 'y'] }, { type: 'string', enum: ['x', 'y'] }],
    [{ enum: ['x', null] }, { type: ['string', 'null'], enum: ['x', null] }],
    [
      { type: ['string', 'array'], items: text },
      {
        anyOf: [
          { type: 'string', items: text },
          { type: 'array', items: text },
        ],
      },
    ],
    [{ type: 'array' }, { type: 'array', items: { anyOf: [text, { type: 'number' }, { type: 'boolean' }] } }],
    [
      { type: 'object', properties: { b: text }, required: ['b', 'c'] },
      { type: 'object', properties: { b: text }, required: ['b'] },
    ],
  ])('converts %j', (property, written) => {
    expect(valueOf(property)).toEqual(written);
  });

  it('describes the values of a map in words', () => {
    expect(valueOf({ type: 'object', description: 'Prices', additionalProperties: { type: 'number' } })).toEqual({
      type: 'object',
      description: 'Prices An object with keys of your choice. Each value fits {"type":"number"}.',
    });
  });

  it('has no references', () => {
    const $defs = { City: { type: 'object', properties: { name: { $ref: '#/properties/b' } } } };
    expect(
      valueOf(
        { $ref: '#/$defs/City', description: 'The city' },
        { properties: { a: { $ref: '#/$defs/City', description: 'The city' }, b: text }, $defs },
      ),
    ).toEqual({
      type: 'object',
      description: 'The city',
      properties: { name: text },
      required: [],
    });
  });

  it('stays a JSON Schema if a definition contains itself, which the package sends as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    };
    expect(toGeminiSchema(schema)).toEqual({ schema, isRecursive: true });
  });

  it('stays a JSON Schema in time, however many definitions contain each other', () => {
    const names = Array.from({ length: 12 }, (_, number) => `n${number}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const node = { type: 'object', properties };
    const schema = { ...node, $defs: Object.fromEntries(names.map((name) => [name, node])) };
    expect(toGeminiSchema(schema)).toEqual({ schema, isRecursive: true });
  });

  it('is refused if its references multiply its parts endlessly', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, number) => {
        const next = { $ref: `#/$defs/n${number + 1}` };
        return [`n${number}`, { type: 'object', properties: { a: next, b: next } }];
      }),
    );
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/n0' } }, $defs: { ...$defs, n40: text } };
    expect(() => toGeminiSchema(schema)).toThrow('has too many references');
  });

  it.each<[JsonSchema, RegExp]>([
    [{ type: 'array', prefixItems: [text, { type: 'number' }] }, /'a' is a tuple/],
    [{ type: 'array', items: { type: 'array', items: [text] } }, /'a\[\]' is a tuple/],
    [{ enum: ['x', 1] }, /'a' has an enum with values of several types/],
    [{ type: 'string', enum: [1] }, /'a' has an enum/],
    [{ type: 'array', items: { $ref: '#' } }, /'a\[\]' contains itself through '#'/],
    [{ type: 'object', properties: { b: { $ref: '#/properties/a' } } }, /'a.b.b' contains itself through/],
    [{ $ref: '#/$defs/Missing' }, /'a' has the unknown reference/],
  ])('cannot express %j', (property, message) => {
    expect(() => valueOf(property)).toThrow(message);
  });
});
