import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { narrowed } from './narrow-schema.js';

const CLASS = { $ref: 'class:0' };

describe('narrowed()', () => {
  it.each<[JsonSchema, JsonSchema, JsonSchema | undefined]>([
    [{ type: 'string', pattern: 'a' }, { minLength: 1 }, { type: 'string', pattern: 'a', minLength: 1 }],
    [{}, { type: 'string' }, { type: 'string' }],
    [{ type: 'number' }, { type: 'integer' }, { type: 'integer' }],
    [{ type: 'integer' }, { type: ['number', 'string'] }, { type: 'integer' }],
    [{ type: ['string', 'number'] }, { type: 'string' }, { type: 'string' }],
    [{ type: 'number' }, { type: 'string' }, undefined],
    [{ enum: ['a', 1] }, { type: 'string' }, { type: 'string', enum: ['a'] }],
    [{ type: 'string', enum: ['a', 'b'] }, { enum: ['b', 'c'] }, { type: 'string', enum: ['b'] }],
    [{ type: 'string', const: 'a' }, { const: 'b' }, undefined],
    [{ type: 'string', description: 'x' }, { enum: ['a', null] }, { type: 'string', enum: ['a'], description: 'x' }],
    [{ anyOf: [CLASS, { type: 'string' }] }, { type: 'string' }, { type: 'string' }],
    [
      { anyOf: [CLASS, { type: 'array' }, { type: 'null' }] },
      { type: ['object', 'array'] },
      { anyOf: [CLASS, { type: 'array' }] },
    ],
    [CLASS, { type: 'array' }, undefined],
    [{ $ref: '#/$defs/List' }, { type: 'array', maxItems: 1 }, { $ref: '#/$defs/List', maxItems: 1 }],
    [
      { type: 'array', items: { enum: ['a', 'b'] } },
      { type: 'array', items: { enum: ['b'] } },
      { type: 'array', items: { type: 'string', enum: ['b'] } },
    ],
    [{ type: 'array', items: { type: 'number' } }, { type: 'array', items: { type: 'string' } }, undefined],
    [{ type: 'object' }, { type: 'object', properties: { a: {} } }, undefined],
  ])('of %j and %j', (schema, said, expected) => {
    expect(narrowed(schema, said)).toEqual(expected);
  });
});
