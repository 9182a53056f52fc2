import { describe, expect, it } from '@jest/globals';
import { readUserInput } from './user-input.js';

const form = {
  type: 'object',
  properties: { name: { type: 'string', pattern: '^(a+)+$' }, count: { type: 'integer', maximum: 3 } },
  required: ['name'],
};

describe('readUserInput', () => {
  it('returns a copy of input that fits the form', () => {
    const input = { name: 'aa', count: 3 };
    const read = readUserInput(input, form);
    expect(read).toEqual({ content: input });
    expect('content' in read && read.content).not.toBe(input);
  });

  it('lists every violation, and converts nothing', () => {
    const { problems } = readUserInput({ name: 'b', count: '3' }, form) as { problems: string[] };
    expect(problems).toEqual(['\'name\' must match pattern "^(a+)+$"', "'count' must be integer"]);
  });

  it('checks patterns in linear time', () => {
    expect(readUserInput({ name: `${'a'.repeat(50_000)}b` }, form)).toHaveProperty('problems');
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('refuses the field %s', (name) => {
    const read = readUserInput(JSON.parse(`{"name":"a","${name}":1}`), form);
    expect(read).toEqual({ problems: [`'${name}' is not a field of the form`] });
  });

  it('reports only some of many unknown fields, and shortens their names', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'x'.repeat(10)}${at}`, 1]));
    const { problems } = readUserInput(many, form) as { problems: string[] };
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('and 4980 more');
    const { problems: long } = readUserInput({ ['y'.repeat(5000)]: 1 }, form) as { problems: string[] };
    expect(long[0]!.length).toBeLessThan(100);
  });

  it('accepts only an empty object without a form', () => {
    expect(readUserInput({}, undefined)).toEqual({ content: {} });
    expect(readUserInput({ a: 1 }, undefined)).toEqual({ problems: ["'a' is not a field of the form"] });
  });

  it('survives input that contains itself', () => {
    const input: Record<string, unknown> = {};
    input['name'] = input;
    expect(readUserInput(input, form)).toEqual({ problems: ['the input must be an object of plain JSON'] });
  });
});
