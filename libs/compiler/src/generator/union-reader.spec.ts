import { describe, expect, it } from '@jest/globals';
import { generate, readType } from './read-source.fixture.js';

const TYPES = `
  type Unit = 'kg' | 'g';
  interface Circle { kind: 'circle'; at: Date }
  interface Square { kind: 'square'; size: number }
  interface Point { x: number }
  interface Moment { at: Date }
  interface Text { at: string }
  interface Tree { kind: 'tree'; children: (Tree | Leaf)[] }
  interface Leaf { kind: 'leaf' }
  export class Row { id!: number; at!: Date }`;

const row = {
  type: 'object',
  properties: { id: { type: 'number' }, at: { type: 'string', format: 'date-time' } },
  required: ['id', 'at'],
  additionalProperties: false,
};
const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false };

describe('UnionReader', () => {
  it.each<[string, object]>([
    ["'b' | 'a'", { type: 'string', enum: ['b', 'a'] }],
    ['Unit', { type: 'string', enum: ['kg', 'g'] }],
    ["Unit | 'mg'", { type: 'string', enum: ['kg', 'g', 'mg'] }],
    ["('b' | 'a')[]", { type: 'array', items: { type: 'string', enum: ['b', 'a'] } }],
    ["'b' | 'a' | null", { enum: ['b', 'a', null] }],
    ['string | null', { type: ['string', 'null'] }],
    ['string | undefined', { type: 'string' }],
    ['boolean | null', { type: ['boolean', 'null'] }],
    [
      "'on' | true",
      {
        anyOf: [
          { type: 'string', const: 'on' },
          { type: 'boolean', const: true },
        ],
      },
    ],
    [
      "'a' | 1 | 2",
      {
        anyOf: [
          { type: 'string', const: 'a' },
          { type: 'number', enum: [1, 2] },
        ],
      },
    ],
    ['string | number', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['number | string', { anyOf: [{ type: 'number' }, { type: 'string' }] }],
    ['Point | string | null', { anyOf: [{ anyOf: [point, { type: 'string' }] }, { type: 'null' }] }],
  ])('reads %s', (type, schema) => {
    expect(readType(type, TYPES)).toEqual({ schema });
  });

  it.each<[string, object]>([
    ['Date | string', { type: 'string' }],
    ['Date | string | null', { type: ['string', 'null'] }],
    ['Date[] | string[]', { type: 'array', items: { type: 'string' } }],
    ['Set<string> | string[]', { type: 'array', items: { type: 'string' } }],
    ['string | Uint8Array', { type: 'string' }],
    ['string | (() => string)', { type: 'string' }],
    ['number | bigint', { type: 'number' }],
    ['string | PromiseLike<string>', { type: 'string' }],
    ['string | string[] | RegExp[]', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
    ['Point | { cut(): void; parts: Point[] }', point],
    ['Row | { [K in keyof Row]?: Row[K] }', { ...row, required: [] }],
    ['Row[] | (Row | { [K in keyof Row]?: Row[K] })[]', { type: 'array', items: { ...row, required: [] } }],
    ['Row[] | { [K in keyof Row]?: Row[K] }[]', { type: 'array', items: { ...row, required: [] } }],
  ])('keeps of %s what JSON has as it is', (type, schema) => {
    expect(readType(type, TYPES)).toMatchObject({ schema });
  });

  it('forgets what it read of a type that it leaves out', () => {
    const types = `interface Node { next?: Point; loop?: Node }
      interface Broken { node: Node; point: Point; back: Inner; run: () => void }
      interface Inner { up?: Broken; x: number }`;
    expect(readType('{ a: string | Broken; node?: Node; point?: Point }', TYPES + types).schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, node: { $ref: '#/$defs/Node' }, point: { $ref: '#/$defs/Point' } },
      required: ['a'],
      additionalProperties: false,
      $defs: { Node: expect.anything(), Point: point },
    });
    expect(readType('{ a: string | Broken; inner?: Inner }', TYPES + types).error).toContain(
      "has a property 'inner.up.run' that is a function",
    );
    const order = 'interface Order { id: number; of: string | { order: Order; run: () => void } }';
    expect(readType('Order', order).schema).toMatchObject({
      type: 'object',
      properties: { id: { type: 'number' }, of: { type: 'string' } },
    });
  });

  it('names a property that an object may lack, instead of leaving the object out', () => {
    expect(readType('string | { a: string; run?: () => void }').error).toContain(
      "has a property 'run' that is a function",
    );
    expect(readType('Uint8Array | null').error).toContain('is a Uint8Array, which JSON does not have');
  });

  it('keeps the order in which literals are written, whatever other files do', () => {
    const source = (unit: string): string =>
      `import { Tool } from '@nestor-ai/core';\nexport class Finder { @Tool() find(unit: ${unit}) {} }`;
    const [other, finder] = generate({
      'a.ts': source("'x' | 'y'").replace('Finder', 'A'),
      'b.ts': source("'y' | 'x'"),
    });
    expect(other!.types.methods!['find']!.parameters[0]!.schema).toEqual({ type: 'string', enum: ['x', 'y'] });
    expect(finder!.types.methods!['find']!.parameters[0]!.schema).toEqual({ type: 'string', enum: ['y', 'x'] });
  });

  it.each<[string, object]>([
    ['Date | null', { revive: 'date' }],
    ['Date | number', { revive: { kinds: { string: 'date' } } }],
    ['Date | Date[]', { revive: { kinds: { string: 'date', array: { array: 'date' } } } }],
    [
      'Circle | Square',
      { revive: { kinds: { object: { by: 'kind', cases: { circle: { object: { at: 'date' } } } } } } },
    ],
    ['Moment | Point', { revive: { kinds: { object: { object: { at: 'date' } } } } }],
    ['Tree', {}],
  ])('converts the alternative that a value of %s belongs to', (type, expected) => {
    const { schema, error, ...revive } = readType(type, TYPES);
    expect(error).toBeUndefined();
    expect(schema).toBeDefined();
    expect(revive).toEqual(expected);
  });

  it.each([
    ["Date | 'now'", 'Declare one of them, and convert it in the method.'],
    ['Moment | Text', "Give each a property with a different literal, such as kind: 'a'."],
    ['Set<Date> | number[]', 'Declare one of them, and convert it in the method.'],
  ])('refuses %s, whose values JSON writes alike', (type, remedy) => {
    expect(readType(type, TYPES).error).toMatch(/is one of several types, which JSON writes alike/);
    expect(readType(type, TYPES).error).toContain(remedy);
  });
});
