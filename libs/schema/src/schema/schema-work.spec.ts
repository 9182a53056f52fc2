import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { checkSchemaWork } from './schema-work.js';

const root = { $ref: '#' };
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, at === 59 ? {} : { allOf: [next, next] }];
  }),
);

describe('a schema whose checks multiply is refused', () => {
  it.each<[string, JsonSchema]>([
    ['with each reference', { $ref: '#/$defs/d0', $defs: doubling }],
    ['with each level of the value', { properties: { n: { allOf: [root, root] } } }],
    [
      'with each level, by two schemas for the same property',
      { properties: { n: root }, allOf: [{ properties: { n: root } }] },
    ],
    [
      'with each level, by properties and additionalProperties',
      { properties: { n: root }, additionalProperties: root },
    ],
    [
      'with every second level, over two other schemas',
      {
        properties: { n: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } },
        $defs: { a: { properties: { m: root } }, b: { properties: { m: root } } },
      },
    ],
    ['with each item', { items: { oneOf: [root, { not: root }] } }],
    ['endlessly', { allOf: [root] }],
    ['through dynamic references', { $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x' } } }],
  ])('%s', (_what, schema) => {
    expect(() => checkSchemaWork(schema)).toThrow();
  });
});

describe('a schema that checks each part once is accepted', () => {
  it.each<[string, JsonSchema]>([
    ['a tree', { properties: { left: root, right: root, value: { type: 'number' } } }],
    ['a list of itself', { properties: { children: { type: 'array', items: root } } }],
    ['one of several, of which one leads back', { properties: { n: { anyOf: [root, { type: 'null' }] } } }],
    [
      'the same definition in many places',
      {
        properties: { a: { $ref: '#/$defs/d' }, b: { allOf: [{ $ref: '#/$defs/d' }, { $ref: '#/$defs/d' }] } },
        $defs: { d: { properties: { x: { type: 'string' } } } },
      },
    ],
    [
      'with ids and anchors',
      {
        $id: 'https://example.com/node',
        properties: { next: { $ref: 'node' }, other: { $ref: '#leaf' } },
        $defs: { leaf: { $anchor: 'leaf', type: 'string' } },
      },
    ],
    ['a hundred alternatives', { anyOf: Array.from({ length: 100 }, (_, at) => ({ const: at })) }],
    ['nothing', {}],
  ])('%s', (_what, schema) => {
    expect(() => checkSchemaWork(schema)).not.toThrow();
  });

  it('even if it has the maximum size of a foreign schema', () => {
    const wide = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`p${at}`, { $ref: '#/$defs/d' }]));
    expect(() => checkSchemaWork({ properties: wide, $defs: { d: { properties: { next: root } } } })).not.toThrow();
    let deep: JsonSchema = {};
    for (let at = 0; at < 2000; at++) deep = { properties: { a: deep } };
    expect(() => checkSchemaWork(deep)).not.toThrow();
  });
});
