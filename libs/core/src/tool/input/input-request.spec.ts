import { describe, expect, it } from '@jest/globals';
import { checkInputRequest, InvalidInputRequestException, shownRequest } from './input-request.js';

const formOf = (properties: object, rest: object = {}) => ({
  message: 'Please',
  schema: { type: 'object', properties, ...rest },
});

describe('checkInputRequest', () => {
  it('returns a copy that is plain JSON', () => {
    const state = { at: new Date(0), left: undefined };
    const request = checkInputRequest({ message: 'Sure?', state, other: 1 });
    expect(request).toEqual({ message: 'Sure?', state: { at: '1970-01-01T00:00:00.000Z' } });
    expect(shownRequest(request)).toEqual({ message: 'Sure?' });
  });

  it.each([
    [{ name: { type: 'string', format: 'email' }, age: { type: 'integer' }, isSure: { type: 'boolean' } }],
    [{ colour: { type: 'string', enum: ['red'], enumNames: ['Red'] } }],
    [{ colours: { type: 'array', items: { type: 'string', enum: ['red'] } } }],
    [{ colours: { type: 'array', items: { anyOf: [{ const: 'red', title: 'Red' }] } } }],
    [{}],
  ])('accepts the form %j', (properties) => {
    expect(checkInputRequest(formOf(properties))).toEqual(formOf(properties));
  });

  it.each([
    ['nothing', undefined, 'not an object'],
    ['a text', 'Sure?', 'not an object'],
    ['no message', {}, 'no message'],
    ['a blank message', { message: ' ' }, 'no message'],
    ['a message that is no text', { message: 5 }, 'no message'],
    ['a long message', { message: 'x'.repeat(4001) }, 'more than 4000 characters'],
    ['a form and a page', { ...formOf({}), url: 'https://example.com' }, 'leave out one'],
    ['a script', { message: 'Go', url: 'javascript:alert(1)' }, 'has to start with https'],
    ['a file', { message: 'Go', url: 'file:///etc/passwd' }, 'has to start with https'],
    ['a path', { message: 'Go', url: '/pay' }, 'not a valid address'],
    ['a disguised host', { message: 'Go', url: 'https://bank.com@example.com' }, 'a user name'],
    ['a long url', { message: 'Go', url: `https://a.b/${'x'.repeat(2000)}` }, 'not a valid address'],
    ['a state that is a function', { message: 'Go', state: () => 1 }, 'the state is not JSON'],
    ['a state with bigints', { message: 'Go', state: { a: 1n } }, 'the state is not JSON'],
    ['a large state', { message: 'Go', state: 'x'.repeat(100_000) }, 'the state has more than'],
    ['a large schema', formOf({ a: { type: 'string', title: 'x'.repeat(20_000) } }), 'the schema has more than'],
    ['a schema of a text', { message: 'Go', schema: { type: 'string' } }, 'type "object"'],
    ['a schema without fields', { message: 'Go', schema: { type: 'object' } }, 'type "object"'],
    ['nested fields', formOf({ a: { type: 'object', properties: {} } }), 'a field of the schema'],
    ['a field of any type', formOf({ a: {} }), 'a field of the schema'],
    ['a list of objects', formOf({ a: { type: 'array', items: { type: 'object' } } }), 'a field of the schema'],
    ['a prototype', formOf(JSON.parse('{"__proto__":{"type":"string"}}')), '__proto__'],
    ['a slow pattern', formOf({ a: { type: 'string', pattern: '(a)\\1' } }), 'cannot be enforced'],
    ['a keyword of the wrong type', formOf({ a: { type: 'string', minLength: '1' } }), 'cannot be enforced'],
    ['a missing reference', formOf({}, { $ref: 'https://example.com/x' }), 'cannot be enforced'],
    ['an endless reference', formOf({}, { $ref: '#' }), 'cannot be enforced'],
  ])('refuses %s', (_what, request, problem) => {
    expect(() => checkInputRequest(request)).toThrow(InvalidInputRequestException);
    expect(() => checkInputRequest(request)).toThrow(problem);
  });
});
