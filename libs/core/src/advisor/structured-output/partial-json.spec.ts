import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { partialJson } from './partial-json.js';

/** The values that are read from each prefix of a text. */
function readings(text: string, size = 1): unknown[] {
  const found: unknown[] = [];
  for (let end = size; end < text.length + size; end += size) found.push(partialJson(text.slice(0, end)));
  return found;
}

/** Whether one value can grow into another. */
function mayBecome(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (Array.isArray(part) !== Array.isArray(whole)) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole as object, key) && mayBecome(value, (whole as Record<string, unknown>)[key]),
  );
}

describe('JSON that is still being written', () => {
  it('only has values of the complete JSON, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.jsonValue(), { maxLength: 5 }),
          fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }),
        ),
        fc.constantFrom(undefined, 1),
        (value, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const whole: unknown = JSON.parse(text);
          const found = readings(text);
          expect(found.at(-1)).toEqual(whole);
          expect(found.filter((part) => !mayBecome(part, whole))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['{"a":1', {}],
    ['{"a":1 ', { a: 1 }],
    ['{"a":"x', { a: 'x' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\u00e9', { a: 'xé' }],
    ['{"a":"\\\\', { a: '\\' }],
    ['{"a":"😀'.slice(0, -1), { a: '' }],
    ['{"a":[{"b"', { a: [{}] }],
    ['[true, fal', [true]],
    ['Here it is: ```json\n{"a":"x"}\n``` as you like', { a: 'x' }],
    ['<think>{"no":1}</think>{"a":"x', { a: 'x' }],
    ['<think>{"no":1}', undefined],
    ["{'a': 'x', b: 1, ", { a: 'x', b: 1 }],
    ['{a: 1, "be', { a: 1 }],
    ['no JSON', undefined],
  ])('reads %s', (text, expected) => {
    expect(partialJson(text)).toEqual(expected);
    expect(readings(text).at(-1)).toEqual(expected);
  });

  it.each([
    ['quotes within a string', `{"text":"${'\\"'.repeat(100_000)}`, 1],
    ['quotes that end strings', `{"text":"${'"'.repeat(200_000)}`, 0],
    ['brackets', '['.repeat(200_000), 0],
    ['list of strings', `{"quotes":[${'"q",'.repeat(100_000)}`, 1],
  ])('is read in linear time, even with 200,000 characters: %s', (_what, text, values) => {
    const found = readings(text, 10_000).slice(2);
    expect(found.filter((value) => value !== undefined).length > 0).toBe(values > 0);
  });
});
