import { describe, expect, it } from '@jest/globals';
import { hoistDefinitions, rebaseReferences, rewriteReferences } from './references.js';

const TREE = {
  $defs: { leaf: { type: 'integer' } },
  definitions: { leaf: { type: 'string' } },
  type: 'object',
  properties: {
    n: { $ref: '#/$defs/leaf' },
    text: { $ref: '#/definitions/leaf' },
    default: { $ref: '#' },
    elsewhere: { $ref: 'https://a.io/s.json#/$defs/x' },
  },
  examples: [{ $ref: '#' }],
};

describe('rewriteReferences', () => {
  it('passes the schema that contains the reference, and returns the same schema if nothing changes', () => {
    const holders: unknown[] = [];
    const same = rewriteReferences(TREE, (reference, holder) => {
      holders.push(holder);
      return reference;
    });
    expect(same).toBe(TREE);
    expect(holders).toEqual(Object.values(TREE.properties));
  });
});

describe('rebaseReferences', () => {
  it('adjusts references to the new location, but not in examples and other data', () => {
    expect(rebaseReferences(TREE, '#/$defs/tree')).toEqual({
      ...TREE,
      properties: {
        n: { $ref: '#/$defs/tree/$defs/leaf' },
        text: { $ref: '#/$defs/tree/definitions/leaf' },
        default: { $ref: '#/$defs/tree' },
        elsewhere: { $ref: 'https://a.io/s.json#/$defs/x' },
      },
    });
  });
});

describe('hoistDefinitions', () => {
  it('moves the definitions of both keywords to the root of the object', () => {
    const { schema, $defs } = hoistDefinitions(TREE, 'a/b');
    expect($defs).toEqual({ 'a/b.leaf': { type: 'integer' }, 'a/b.definitions.leaf': { type: 'string' } });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        n: { $ref: '#/$defs/a~1b.leaf' },
        text: { $ref: '#/$defs/a~1b.definitions.leaf' },
        default: { $ref: '#/properties/a~1b' },
        elsewhere: { $ref: 'https://a.io/s.json#/$defs/x' },
      },
      examples: [{ $ref: '#' }],
    });
  });
});
