import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@nestor-ai/schema/format';
import { misfitsOf } from './keyword-fit.js';

describe('misfitsOf', () => {
  it.each<[JsonSchema, JsonSchema, string]>([
    [{ minLength: 2 }, { type: ['number', 'null'] }, '@minLength is for texts, but the type is number or null.'],
    [{ pattern: 'a' }, { type: 'array' }, '@pattern is for texts, but the type is array.'],
    [{ minimum: 10, maximum: 1 }, { type: 'number' }, '@minimum 10 is above @maximum 1.'],
    [{ default: 'abc' }, { type: 'number' }, '@default "abc" is no value of the type.'],
    [{ default: 5 }, { enum: ['a', 'b'] }, '@default 5 is no value of the type.'],
    [{ default: 5 }, { anyOf: [{ type: 'string' }, { const: 4 }] }, '@default 5 is no value of the type.'],
  ])('finds what is wrong with %j for %j', (keywords, schema, problem) => {
    expect(misfitsOf(keywords, { schema }).map((misfit) => misfit.problem)).toEqual([problem]);
  });

  it.each<[JsonSchema, JsonSchema]>([
    [{ minimum: 1, maximum: 1 }, { type: ['integer', 'string'] }],
    [{ minimum: 1 }, { anyOf: [] }],
    [{ title: 'Name', default: 'x' }, { type: 'string' }],
    [{ default: null }, { type: ['string', 'null'] }],
    [{ default: 3 }, { type: 'integer' }],
    [{ default: { a: 1 } }, { $ref: '#/$defs/A' }],
    [{ default: undefined }, { type: 'string' }],
  ])('accepts %j for %j', (keywords, schema) => {
    expect(misfitsOf(keywords, { schema })).toEqual([]);
  });

  it('finds a format of a value that is converted', () => {
    const date = { schema: { type: 'string', format: 'date-time' }, revive: 'date' } as const;
    expect(misfitsOf({ format: 'email' }, date)).toEqual([
      { keywords: ['format'], problem: '@format is for texts, but the value is converted.' },
    ]);
  });
});
