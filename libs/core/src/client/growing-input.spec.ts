import { describe, expect, it } from '@jest/globals';
import { GrowingInput } from './growing-input.js';

/** The texts of all events while a model writes these arguments. */
function write(input: GrowingInput, json: string, length: number): string[] {
  return Array.from({ length: Math.ceil(json.length / length) }, (_, at) => {
    input.add(json.slice(at * length, (at + 1) * length));
    return input.text;
  });
}

describe('the arguments that a model is writing', () => {
  it('are a value as if everything open were closed', () => {
    const input = new GrowingInput();
    const values = write(input, '{"city":"Paris","days":3}', 5).map((text) => input.valueOf(text));
    expect(values).toEqual([{}, { city: 'P' }, { city: 'Paris' }, { city: 'Paris' }, { city: 'Paris', days: 3 }]);
  });

  it('are undefined before an object has begun', () => {
    const input = new GrowingInput();
    input.add('');
    expect(input.valueOf(input.text)).toBeUndefined();
  });

  it('can be read later, and in any order', () => {
    const input = new GrowingInput();
    const texts = write(input, '{"a":1,"b":2,"c":3}', 6);
    expect(input.valueOf(texts.at(-1)!)).toEqual({ a: 1, b: 2, c: 3 });
    expect(input.valueOf(texts[1]!)).toEqual({ a: 1 });
    expect(input.valueOf(texts.at(-1)!)).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('are not parsed again for every piece of a long text', () => {
    const input = new GrowingInput();
    const json = JSON.stringify({ text: 'x'.repeat(100_000) });
    const seen = new Set(write(input, json, 10).map((text) => input.valueOf(text)));
    expect(seen.size).toBeGreaterThan(100);
    // 10,000 pieces, and a new value for each 2 % more.
    expect(seen.size).toBeLessThan(700);
    const { text } = input.valueOf(json) as { text: string };
    expect(text.length).toBeGreaterThan(97_000);
  });
});
