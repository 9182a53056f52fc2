import { expect, it } from '@jest/globals';
import { SharedDefinitions } from './shared-definitions.js';

const same = <T>(definition: T): T => definition;

it('keeps equal definitions once, and renames all of a schema with a different one', () => {
  const shared = new SharedDefinitions(() => false);
  const A = { type: 'object', properties: { b: { $ref: '#/$defs/B' } } };
  const first = { $ref: '#/$defs/A', $defs: { A, B: { type: 'string' } } };
  expect(shared.adopt(first, 'one', same)).toEqual({ $ref: '#/$defs/A' });
  expect(shared.adopt(structuredClone(first), 'two', same)).toEqual({ $ref: '#/$defs/A' });
  const other = { $ref: '#/$defs/A', $defs: { A, B: { type: 'number' } } };
  expect(shared.adopt(other, 'three', same)).toEqual({ $ref: '#/$defs/three.A' });
  expect(shared.$defs).toEqual({
    A,
    B: { type: 'string' },
    'three.A': { type: 'object', properties: { b: { $ref: '#/$defs/three.B' } } },
    'three.B': { type: 'number' },
  });
});

it('keeps definitions with odd names', () => {
  const shared = new SharedDefinitions(() => false);
  const schema = JSON.parse('{"$defs":{"__proto__":{"type":"string"},"toString":{}}}') as object;
  shared.adopt({ ...schema }, 'one', same);
  expect(Object.keys({ ...shared.$defs })).toEqual(['__proto__', 'toString']);
});

it('avoids names that are taken', () => {
  const shared = new SharedDefinitions((name) => name === 'A');
  expect(shared.adopt({ $ref: '#/$defs/A', $defs: { A: {} } }, 'one', same)).toEqual({ $ref: '#/$defs/one.A' });
  expect(shared.has('one.A')).toBe(true);
});
