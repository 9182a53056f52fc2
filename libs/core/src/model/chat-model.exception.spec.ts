import { describe, expect, it } from '@jest/globals';
import { ChatModelException, toModelFailure } from './chat-model.exception.js';

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function unreadable(): object {
  const fail = (): never => {
    throw new Error('not readable');
  };
  return Object.defineProperties(
    {},
    {
      message: { get: fail },
      stack: { get: fail },
      getStatus: { get: fail },
    },
  );
}

describe('toModelFailure()', () => {
  it.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'The model failed.'],
    ['a text', () => 'down', 'down'],
    ['plain data', () => ({ message: 'overloaded', key: 'secret' }), 'overloaded'],
    ['a value that cannot be read', revoked, 'The model failed.'],
    ['a frozen error', () => Object.freeze(new RangeError('too long')), 'too long'],
    ['an object whose fields cannot be read', unreadable, 'The model failed.'],
  ])('makes an exception of %s', (_what, make, message) => {
    const thrown = make();
    const failure = toModelFailure(thrown, undefined) as ChatModelException;
    expect(failure).toBeInstanceOf(ChatModelException);
    expect(failure.message).toBe(message);
    expect(Object.is(failure.providerError, thrown)).toBe(true);
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('has the stack of the error', () => {
    const thrown = new TypeError('no');
    expect((toModelFailure(thrown, undefined) as Error).stack).toBe(thrown.stack);
  });
});
