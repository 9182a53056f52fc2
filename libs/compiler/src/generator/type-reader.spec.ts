import { describe, expect, it } from '@jest/globals';
import { readType } from './read-source.fixture.js';

const TYPES = `
  enum Color { Red = 'red', Blue = 'blue' }
  enum Level { Low, High = 5 }
  enum Rank { /** The first. */ One = 1 }
  interface Named {
    /** From its own line. */
    name: string;
  }
  interface Titled { /** From a shared line. */ name: string }
  const UNITS = ['kg', 'g'] as const;
  type UserId = string & { readonly __brand: 'UserId' };
  type Flag = 'on' | 'off';`;

describe('TypeReader', () => {
  it.each<[string, object]>([
    ['string', { type: 'string' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['true', { type: 'boolean', const: true }],
    ["'a'", { type: 'string', const: 'a' }],
    ['7', { type: 'number', const: 7 }],
    ['null', { type: 'null' }],
    ['unknown', {}],
    ['any', {}],
    ['object', { type: 'object' }],
    ['Color', { type: 'string', enum: ['red', 'blue'] }],
    ['Rank', { type: 'number', const: 1, description: '- 1: One: The first.' }],
    [
      'Named & Titled',
      {
        type: 'object',
        properties: { name: { type: 'string', description: 'From its own line.' } },
        required: ['name'],
        additionalProperties: false,
      },
    ],
    ['Color.Blue', { type: 'string', const: 'blue' }],
    ['Level', { type: 'number', enum: [0, 5], description: '- 0: Low\n- 5: High' }],
    ['(typeof UNITS)[number]', { type: 'string', enum: ['g', 'kg'] }],
    ['keyof typeof Color', { type: 'string', enum: ['Blue', 'Red'] }],
    ['UserId', { type: 'string' }],
    [
      '{ /** The unit. */ unit?: string; /** @minimum 1 */ days?: number }',
      {
        type: 'object',
        properties: { unit: { type: 'string', description: 'The unit.' }, days: { type: 'number', minimum: 1 } },
        required: [],
        additionalProperties: false,
      },
    ],
    ['UserId | null', { type: ['string', 'null'] }],
    ["Exclude<Flag, 'on'>", { type: 'string', const: 'off' }],
    ['`order-${number}`', { type: 'string', pattern: '^order--?\\d+(\\.\\d+)?([eE][+-]?\\d+)?$' }],
    [
      "`${'a' | 'b'}.${string}`",
      {
        anyOf: [
          { type: 'string', pattern: '^a\\.[\\s\\S]*$' },
          { type: 'string', pattern: '^b\\.[\\s\\S]*$' },
        ],
      },
    ],
    ['Uppercase<string>', { type: 'string', pattern: '^\\P{Ll}*$' }],
  ])('reads %s', (type, schema) => {
    expect(readType(type, TYPES)).toEqual({ schema });
  });

  it.each([
    ['bigint', 'is a bigint, which JSON does not have. Declare a string, which keeps all digits'],
    ['symbol', 'is a symbol, which JSON does not have. Declare a string.'],
    ['never', "is of type 'never', which no value of JSON has."],
    ['undefined', "is of type 'undefined', which no value of JSON has."],
    ['() => void', 'is a function, which JSON does not have.'],
    ['new () => Date', 'is a function, which JSON does not have.'],
    ['RegExp', 'is a RegExp, which JSON does not have. Declare a string, and create the RegExp in the method.'],
    ['Promise<string>', 'is a Promise, which JSON does not have. Declare the value itself.'],
    ['Missing', 'has a type that TypeScript does not find. Check its import.'],
  ])('refuses %s', (type, text) => {
    const { error, schema } = readType(type, TYPES);
    expect(schema).toBeUndefined();
    expect(error).toContain(`Parameter 'value' of Finder.find() ${text}`);
  });

  it('names file and line of what it refuses, and the property', () => {
    const { error } = readType('Query', 'interface Query {\n  filter: {\n    run(): void;\n  };\n}');
    expect(error).toBe(
      "finder.ts:6: Parameter 'value' of Finder.find() has a property 'filter.run' that is a function, which JSON does " +
        'not have. A model cannot pass code. Remove it.',
    );
  });
});
