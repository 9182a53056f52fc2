import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from './estimate-tokens.js';

describe('estimateTokens', () => {
  it('counts four characters as one token, rounded up', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('city')).toBe(1);
    expect(estimateTokens('cities')).toBe(2);
  });

  it('counts a value as compact JSON', () => {
    expect(estimateTokens({ type: 'string' })).toBe(5);
    expect(estimateTokens(undefined)).toBe(0);
  });
});
