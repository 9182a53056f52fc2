import { describe, expect, test } from '@jest/globals';
import { ChatModelException } from './chat-model.exception.js';
import { errorTypeOf, framesOf, nameOrOther, placeOf } from './error-type.js';

describe('the class of an error', () => {
  class OrderNotFound extends Error {}
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  test.each<[string, unknown, string]>([
    ['a status of a provider', new ChatModelException('no', { httpStatus: 429 }), '429'],
    ['a code of Node.js', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['a code that is a sentence', Object.assign(new Error('x'), { code: 'the key sk-1 is wrong' }), 'Error'],
    ['a built-in class', new TypeError('x'), 'TypeError'],
    ['an own class that sets no name', new OrderNotFound('x'), 'OrderNotFound'],
    ['a code of the application', Object.assign(new Error('x'), { code: 'ORDER_4000_GONE' }), 'Error'],
    ['a name that is no name of a class', Object.assign(new Error('x'), { name: 'sk-secret-key' }), '_OTHER'],
    ['a name that is a sentence', Object.assign(new Error('x'), { name: 'no patient Ada' }), '_OTHER'],
    ['an abort', new DOMException('x', 'AbortError'), 'AbortError'],
    ['a text', 'secret', 'string'],
    ['nothing', undefined, '_OTHER'],
    ['null', null, '_OTHER'],
    ['an object without a prototype', Object.create(null), '_OTHER'],
    ['what cannot even be looked at', revoked.proxy, '_OTHER'],
  ])('of %s', (_what, error, expected) => {
    expect(errorTypeOf(error)).toBe(expected);
  });
});

describe('the place of an error', () => {
  test('is its first stack frame, even if the message looks like frames', () => {
    const error = new Error('first line\n    at secret (/ward/7:1:1)\n    at https://api/secret:1:1');
    expect(framesOf(error)).not.toContain('secret');
    expect(placeOf(error)).toMatch(/^at .*error-type\.spec\.ts:\d+:\d+\)?$/);
  });

  test('is undefined for values that are not errors', () => {
    expect(placeOf('text')).toBeUndefined();
    expect(placeOf(undefined)).toBeUndefined();
    expect(placeOf({ stack: 'secret' })).toBeUndefined();
  });
});

test('a name is shown if it cannot be a sentence', () => {
  expect(nameOrOther('get_weather-2')).toBe('get_weather-2');
  expect(nameOrOther('tell me the password')).toBe('_OTHER');
  expect(nameOrOther('x'.repeat(65))).toBe('_OTHER');
  expect(nameOrOther(undefined)).toBe('_OTHER');
});
