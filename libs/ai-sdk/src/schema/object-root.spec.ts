import { describe, expect, it } from '@jest/globals';
import { toObjectRoot } from './object-root.js';

const circle = { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } } };
const square = { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'number' } } };

describe('a root that is one object', () => {
  it('stays the same schema if it is one already', () => {
    const schema = { type: 'object', properties: { a: { oneOf: [{ type: 'string' }] } } };
    expect(toObjectRoot(schema)).toBe(schema);
  });

  it.each(['anyOf', 'oneOf'])('has the properties of all branches of %s, and says which belong together', (keyword) => {
    const schema = {
      [keyword]: [
        { ...circle, required: ['kind', 'radius'], additionalProperties: false },
        { ...square, required: ['kind'], additionalProperties: false },
      ],
    };
    expect(toObjectRoot(schema)).toEqual({
      type: 'object',
      description: 'Use one of these forms: { kind: "circle", radius } or { kind: "square", side? }.',
      properties: {
        kind: { type: 'string', enum: ['circle', 'square'] },
        radius: { type: 'number' },
        side: { type: 'number' },
      },
      required: ['kind'],
      additionalProperties: false,
    });
  });

  it('keeps its own properties beside branches that only require some of them', () => {
    const schema = {
      type: 'object',
      description: 'Changes a task.',
      properties: { id: { type: 'string' }, title: { type: 'string' }, owner: { type: 'string' } },
      required: ['id'],
      anyOf: [{ required: ['title'] }, { required: ['owner'] }],
    };
    expect(toObjectRoot(schema)).toEqual({
      type: 'object',
      description: 'Changes a task.\nUse one of these forms: { title, owner? } or { title?, owner }.',
      properties: schema.properties,
      required: ['id'],
    });
  });

  it('allows for each property what any branch allows', () => {
    const schema = {
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { a: { type: 'number' } } },
      ],
    };
    expect(toObjectRoot(schema).properties).toEqual({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } });
  });

  it('joins the members of allOf', () => {
    const schema = { allOf: [{ ...circle, required: ['radius'] }, { properties: { label: { type: 'string' } } }] };
    expect(toObjectRoot(schema)).toEqual({
      type: 'object',
      properties: { ...circle.properties, label: { type: 'string' } },
      required: ['radius'],
    });
  });

  it('is found in time, however often a union refers to itself', () => {
    const schema = { anyOf: [...Array.from({ length: 20 }, () => ({ $ref: '#' })), circle] };
    expect(toObjectRoot(schema)).toMatchObject({ type: 'object', properties: circle.properties });
  });

  it('follows a reference, and keeps the definitions', () => {
    const $defs = { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } };
    expect(toObjectRoot({ $ref: '#/$defs/Node', $defs })).toEqual({ ...$defs.Node, $defs });
  });

  it('still has the place that other references lead to', () => {
    const schema = { oneOf: [{ type: 'object', properties: { left: { $ref: '#' } } }, square] };
    const root = toObjectRoot(schema);
    expect(root).toMatchObject({ properties: { left: { $ref: '#/$defs/root' } } });
    expect(root.$defs).toMatchObject({ root: { oneOf: [{ properties: { left: { $ref: '#/$defs/root' } } }, square] } });
  });

  it.each([[{ not: { required: ['a'] } }], [{ type: 'object', enum: [{ a: 1 }] }], [{ oneOf: [circle] }]])(
    'has none of the refused keywords: %j',
    (schema) => {
      const root = toObjectRoot(schema);
      expect(root).toMatchObject({ type: 'object' });
      expect(Object.keys(root)).not.toEqual(expect.arrayContaining([expect.stringMatching(/not|enum|oneOf/)]));
    },
  );

  it.each([[{ type: 'string' }], [{ anyOf: [{ type: 'string' }, { type: 'null' }] }]])(
    'stays as it is if no object fits: %j',
    (schema) => {
      expect(toObjectRoot(schema)).toBe(schema);
    },
  );
});
