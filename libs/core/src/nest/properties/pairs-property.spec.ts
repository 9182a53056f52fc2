import { describe, expect, it } from '@jest/globals';
import { pairsProperty } from './pairs-property.js';

const { read, isSecret } = pairsProperty('headers', (name, value) => name !== '' && value !== 'forbidden');

describe('pairsProperty', () => {
  it.each([
    ['a=1, b = two ', { a: '1', b: 'two' }],
    ['a=x=y,', { a: 'x=y' }],
    [{ a: '1' }, { a: '1' }],
    ['', {}],
  ])('reads %j', (value, pairs) => {
    expect(read(value)).toEqual(pairs);
  });

  it.each([['no-value'], ['=1'], ['a=forbidden'], [{ a: 1 }], [['a=1']], [7], [true]])('refuses %j', (value) => {
    expect(read(value)).toBeUndefined();
  });

  it('is a secret', () => expect(isSecret).toBe(true));
});
