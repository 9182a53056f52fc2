import { describe, expect, it } from '@jest/globals';
import { clausesOf } from './clauses.js';

describe('the clauses of a request', () => {
  it('are those of its beginning if it is endless', () => {
    expect(clausesOf(`read my mail${' '.repeat(1900)}and then do that now`)).toEqual(['read my mail', 'do that now']);
    expect(clausesOf(`read my mail${' '.repeat(200_000)}and then do that now`)).toEqual(['read my mail']);
  });
});
