import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { compileCoercion } from './coerce.js';

const NUMBER: JsonSchema = { type: 'number' };
const INTEGER: JsonSchema = { type: 'integer' };
const BOOLEAN: JsonSchema = { type: 'boolean' };
const LIST: JsonSchema = { type: 'array', items: INTEGER };
const POINT: JsonSchema = { type: 'object', properties: { x: INTEGER, note: { type: 'string' } }, required: ['x'] };

describe('compileCoercion', () => {
  const COERCED: [schema: JsonSchema, given: unknown, coerced: unknown][] = [
    [NUMBER, '1.5', 1.5],
    [NUMBER, ' -2e3 ', -2000],
    [INTEGER, '5', 5],
    [BOOLEAN, 'true', true],
    [BOOLEAN, 'false', false],
    [{ type: ['integer', 'null'] }, '5', 5],
    [{ anyOf: [INTEGER, { type: 'null' }] }, '5', 5],
    [LIST, '[1, "2"]', [1, 2]],
    [POINT, '{"x":"1"}', { x: 1 }],
    [POINT, { x: 1, note: null }, { x: 1 }],
    [
      { type: 'object', additionalProperties: INTEGER },
      { a: '1', b: 2 },
      { a: 1, b: 2 },
    ],
    [{ $defs: { n: INTEGER }, type: 'object', properties: { a: { $ref: '#/$defs/n' } } }, { a: '1' }, { a: 1 }],
    [{ type: 'object', properties: { n: INTEGER, next: { $ref: '#' } } }, { next: { n: '1' } }, { next: { n: 1 } }],
    [{ type: 'array', prefixItems: [NUMBER, { type: 'string' }], items: BOOLEAN }, '["5","6","true"]', [5, '6', true]],
    [{ type: 'array', prefixItems: [NUMBER, true], items: false }, ['5', '6'], [5, '6']],
    [{ type: 'object', properties: { a: INTEGER, b: { $ref: '#/properties/a' } } }, { b: '1' }, { b: 1 }],
  ];

  it.each(COERCED)('by %j, converts %j to the type of the schema', (schema, given, coerced) => {
    expect(compileCoercion(schema)(given)).toEqual(coerced);
  });

  const LEFT: [schema: JsonSchema, given: unknown][] = [
    [NUMBER, 'five'],
    [NUMBER, ''],
    [NUMBER, '0x10'],
    [NUMBER, true],
    [INTEGER, '9007199254740993'],
    [BOOLEAN, 'yes'],
    [BOOLEAN, 1],
    [{ type: 'string' }, 5],
    [{ type: ['integer', 'string'] }, '5'],
    [{ anyOf: [INTEGER, { type: 'string' }] }, '5'],
    [{ anyOf: [INTEGER, { type: 'null' }] }, null],
    [LIST, '[1'],
    [LIST, '1, 2'],
    [POINT, { x: null }],
    [{ type: 'object', properties: { a: { type: ['string', 'null'] } } }, { a: null }],
    [{ type: 'object', properties: { a: { enum: ['x', null] } } }, { a: null }],
    [{ type: 'array', prefixItems: {}, items: true }, ['5']],
    [{}, '5'],
  ];

  it.each(LEFT)('by %j, leaves %j to validation', (schema, given) => {
    expect(compileCoercion(schema)(given)).toEqual(given);
  });

  it('leaves a number whose digits were lost as text, which validation refuses', () => {
    expect(compileCoercion(INTEGER)(JSON.parse('9007199254740993'))).toBe('9007199254740992');
    expect(compileCoercion(INTEGER)(9007199254740991)).toBe(9007199254740991);
  });

  it('uses the alternative that a constant identifies', () => {
    const kind = (name: string, value: JsonSchema): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: name }, value },
    });
    const coerce = compileCoercion({ oneOf: [kind('number', INTEGER), kind('text', { type: 'string' })] });
    expect(coerce({ kind: 'number', value: '5' })).toEqual({ kind: 'number', value: 5 });
    expect(coerce({ kind: 'text', value: '5' })).toEqual({ kind: 'text', value: '5' });
    expect(coerce({ kind: 'other', value: '5' })).toEqual({ kind: 'other', value: '5' });
  });

  it('removes unknown properties on request, if the schema allows none', () => {
    const inner = { type: 'object', properties: { a: INTEGER } };
    const schema = { ...inner, properties: { ...inner.properties, open: inner }, additionalProperties: false };
    const given = { a: '1', more: 2, open: { a: '1', more: 2 } };
    expect(compileCoercion(schema, { stripUnknown: true })(given)).toEqual({ a: 1, open: { a: 1, more: 2 } });
    expect(compileCoercion(schema)(given)).toEqual({ a: 1, more: 2, open: { a: 1, more: 2 } });
  });

  it('never changes the input, and only copies changed parts', () => {
    const given = { a: '1', list: [{ x: 1 }] };
    const schema = { type: 'object', properties: { a: INTEGER, list: { type: 'array', items: POINT } } };
    const coerced = compileCoercion(schema)(given) as typeof given;
    expect(given).toEqual({ a: '1', list: [{ x: 1 }] });
    expect(coerced.list[0]).toBe(given.list[0]);
    const fitting = { a: 1 };
    expect(compileCoercion({ type: 'object', properties: { a: INTEGER } })(fitting)).toBe(fitting);
  });
});

describe('a coercion of nulls only', () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'number' },
      kept: { type: ['string', 'null'] },
      mark: { const: 'x' },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
    },
  };
  const coerce = compileCoercion(schema, { onlyNulls: true });

  it('removes null where an optional property does not allow it', () => {
    expect(coerce({ n: null, kept: null, mark: null, list: [{ n: null }] })).toEqual({ kept: null, list: [{}] });
  });

  it('corrects nothing else', () => {
    const value = { n: '5', list: '[{"n":1}]' };
    expect(coerce(value)).toBe(value);
  });

  it('returns the same value if there are none', () => {
    const value = { n: 1, list: [{ n: 2 }] };
    expect(coerce(value)).toBe(value);
  });
});
