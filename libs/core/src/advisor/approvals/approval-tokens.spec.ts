import { describe, expect, it } from '@jest/globals';
import { ApprovalTokens } from './approval-tokens.js';

const SECRET = 'a secret of thirty-two characters';
const call = { id: 'call_1', name: 'pay', arguments: '{"amount":100}' };

describe('ApprovalTokens', () => {
  it('verifies its own tokens, only for one call of one turn', () => {
    const tokens = new ApprovalTokens({ secret: SECRET });
    const token = tokens.sign('turn-1', call);
    expect(tokens.verify(token, 'turn-1', call)).toBe('valid');
    expect(tokens.verify(token, 'turn-2', call)).toBe('invalid');
    for (const other of [{ id: 'call_2' }, { name: 'pay2' }, { arguments: '{"amount":1}' }]) {
      expect(tokens.verify(token, 'turn-1', { ...call, ...other })).toBe('invalid');
    }
  });

  it.each([undefined, null, 7, '', '.', ':', 'a.b.c', {}, 'x'.repeat(100_000)])('refuses the token %p', (token) => {
    const tokens = new ApprovalTokens({ secret: SECRET });
    expect(tokens.verify(token, 'turn-1', call)).toBe('invalid');
    expect(ApprovalTokens.read(token)).toBeUndefined();
  });

  it('signs with the first secret and accepts all', () => {
    const before = new ApprovalTokens({ secret: SECRET });
    const both = new ApprovalTokens({ secret: ['the newer secret, of which there are two', SECRET] });
    expect(both.verify(before.sign('turn-1', call), 'turn-1', call)).toBe('valid');
    expect(before.verify(both.sign('turn-1', call), 'turn-1', call)).toBe('invalid');
  });

  it.each([['short'], [''], [[]], [[SECRET, 'short']], [undefined]])('refuses the secret %p', (secret) => {
    expect(() => new ApprovalTokens({ secret: secret as string })).toThrow(/at least 32 characters/);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15])(
    'refuses tokens that are valid for %p ms',
    (expiresIn) => {
      expect(() => new ApprovalTokens({ secret: SECRET, expiresIn })).toThrow(/expiresIn/);
    },
  );
});
