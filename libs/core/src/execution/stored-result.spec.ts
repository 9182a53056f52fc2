import { describe, expect, it } from '@jest/globals';
import { ToolResult } from '../model/tool-result.js';
import { fromStoredResult, toStoredResult } from './stored-result.js';

describe('a stored result', () => {
  it.each([
    ['text', ''],
    ['null', null],
    ['a number', 1.5],
    ['false', false],
    ['hostile texts', ['\0', '\ud800', '\u2028', '"']],
    ['nested data', { a: [{ b: [] }], 'c d': { e: null } }],
    ['the same object twice', ((part) => [part, part])({ a: 1 })],
    ['a key of a prototype', JSON.parse('{"__proto__":{"x":1}}')],
  ])('is the same when it is read: %s', (_, result) => {
    expect(fromStoredResult(toStoredResult(result)!)).toStrictEqual(result);
  });

  it('is a ToolResult if it was one', () => {
    const result = new ToolResult({
      text: 'A chart',
      content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
      value: { sales: [1] },
      untrusted: true,
    });
    const read = fromStoredResult(toStoredResult(result)!);
    expect(read).toBeInstanceOf(ToolResult);
    expect(read).toStrictEqual(result);
  });

  it('has no properties that are undefined', () => {
    expect(fromStoredResult(toStoredResult({ a: 1, b: undefined })!)).toStrictEqual({ a: 1 });
  });

  class Money {
    amount = 1;
  }
  const circle: unknown[] = [];
  circle.push(circle);

  it.each([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['minus zero', -0],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['an instance of a class', { price: new Money() }],
    ['an object that says what it is as JSON', { toJSON: () => 1 }],
    ['a symbol as a key', { [Symbol('a')]: 1 }],
    ['a list with a gap', Array.from({ length: 1 }).concat(1)],
    // eslint-disable-next-line no-sparse-arrays
    ['a list with a hole', [, 1]],
    ['a cycle', circle],
    ['an instance in a ToolResult', new ToolResult({ text: 'a', value: new Money() })],
  ])('does not exist if JSON would change it: %s', (_, result) => {
    expect(toStoredResult(result)).toBeUndefined();
  });
});
