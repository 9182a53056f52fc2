import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { spelledOut } from './spelled-out.js';

const escaped = (json: string) =>
  json.replace(/[^\0-~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('JSON with escapes', () => {
  it('is unescaped and remains the same JSON', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        const spelled = spelledOut(escaped(json), 'result');
        expect(JSON.parse(spelled)).toEqual(JSON.parse(json));
        expect(spelled).not.toMatch(/(?<!\\)(?:\\\\)*\\u00[a-f]/);
      }),
    );
  });

  it('keeps required escapes and texts that only look like escapes', () => {
    expect(spelledOut(String.raw`["\u0022", "\u005c", "\u000a", "\\u0041"]`, 'arguments')).toBe(
      String.raw`["\"", "\\", "\n", "\\u0041"]`,
    );
  });
});

it('a text that is not JSON stays unchanged, unless it is arguments', () => {
  const text = String.raw`{"name": "Z\u006fe`;
  expect(spelledOut(text, 'error')).toBe(text);
  expect(spelledOut(text, 'arguments')).toBe('{"name": "Zoe');
});
