import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../json/json-schema.js';
import { selfContained } from './self-contained.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('selfContained', () => {
  const LIMIT = { type: 'integer', maximum: 10 };
  const REFERENCES: [what: string, given: JsonSchema, contained: JsonSchema][] = [
    ['an id of the root', { $id: 'https://a.io/s', properties: {} }, { properties: {} }],
    [
      'a whole id',
      { $id: 'https://a.io/s', $defs: { l: LIMIT }, properties: { a: { $ref: 'https://a.io/s#/$defs/l' } } },
      { $defs: { l: LIMIT }, properties: { a: { $ref: '#/$defs/l' } } },
    ],
    [
      'the id of a part, and what is relative to it',
      {
        $id: 'https://a.io/s',
        $defs: { part: { $id: 'part', $defs: { l: LIMIT }, items: { $ref: '#/$defs/l' } } },
        properties: { a: { $ref: 'part' }, b: { $ref: 'part#/$defs/l' } },
      },
      {
        $defs: { part: { $defs: { l: LIMIT }, items: { $ref: '#/$defs/part/$defs/l' } } },
        properties: { a: { $ref: '#/$defs/part' }, b: { $ref: '#/$defs/part/$defs/l' } },
      },
    ],
    [
      'an anchor',
      { $defs: { 'l/%': { $anchor: 'limit', ...LIMIT } }, properties: { a: { $ref: '#limit' } } },
      { $defs: { 'l/%': LIMIT }, properties: { a: { $ref: '#/$defs/l~1%25' } } },
    ],
    [
      'an anchor of draft 07',
      { $schema: DRAFT_07, definitions: { l: { $id: '#limit', ...LIMIT } }, items: [{ $ref: '#limit' }] },
      { $schema: DRAFT_07, definitions: { l: LIMIT }, items: [{ $ref: '#/definitions/l' }] },
    ],
    [
      'a property that is called $id',
      { $id: 'https://a.io/s', properties: { $id: { $ref: '#' }, default: { $ref: '#' } } },
      { properties: { $id: { $ref: '#' }, default: { $ref: '#' } } },
    ],
  ];

  it.each(REFERENCES)('writes references as JSON pointers: %s', (_what, given, contained) => {
    const { schema, unresolved } = selfContained(given);
    expect(schema).toEqual(contained);
    expect(unresolved).toEqual([]);
  });

  it('does not change a schema without ids', () => {
    const schema = { components: { x: LIMIT }, properties: { a: { $ref: '#/components/x' }, next: { $ref: '#' } } };
    expect(selfContained(schema).schema).toBe(schema);
    expect(selfContained(schema).unresolved).toEqual([]);
  });

  it('keeps ids that dynamic references depend on', () => {
    const schema = { $id: 'https://a.io/tree', $dynamicAnchor: 'node', items: { $dynamicRef: '#node' } };
    expect(selfContained(schema).schema).toBe(schema);
  });

  it('names references that cannot be resolved, except in unused definitions', () => {
    const schema = {
      $defs: { unused: { $ref: '#/nowhere' }, used: { $ref: 'other.json' } },
      properties: { a: { $ref: '#/$defs/used' }, b: { $ref: '#anchor' }, c: { $ref: '#/$defs/none' } },
    };
    expect(selfContained(schema).unresolved).toEqual(['other.json', '#anchor', '#/$defs/none']);
  });
});
