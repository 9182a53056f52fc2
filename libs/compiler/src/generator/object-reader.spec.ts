import { describe, expect, it } from '@jest/globals';
import { generate, readFinder, readType } from './read-source.fixture.js';

const TYPES = `
  interface Geo { lat: number; lon?: number }
  interface Named extends Geo { readonly name: string }
  interface Page<T> { items: T[]; next?: Page<T> }
  interface Category { name: string; parent?: Category; since: Date }
  type Deep = { [K in 'a' | 'b']?: Geo };
  interface Self { part?: Partial<Self> }
  interface Endless<T> { next?: Endless<Endless<T>> }
  export class Money {
    private cached?: string;
    static zero = new Money();
    amount!: number;
    currency: 'EUR' | 'USD' = 'EUR';
    get label() { return this.currency; }
    format(): string { return ''; }
  }
  class Hidden { x!: number; move(): void {} }
  class Plain { x!: number }
  export class Box<T> { content!: T; since!: Date }`;

const geo = {
  type: 'object',
  properties: { lat: { type: 'number' }, lon: { type: 'number' } },
  required: ['lat'],
  additionalProperties: false,
};
const object = (properties: object, required: string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

describe('ObjectReader', () => {
  it.each<[string, object]>([
    ['Geo', geo],
    ['{ lat: number; lon?: number }', geo],
    ['Named', object({ name: { type: 'string' }, lat: { type: 'number' }, lon: { type: 'number' } }, ['name', 'lat'])],
    ['Partial<Geo>', { ...geo, required: [] }],
    ["Pick<Geo, 'lat'>", object({ lat: { type: 'number' } }, ['lat'])],
    ["Omit<Geo, 'lat'>", object({ lon: { type: 'number' } })],
    ['Required<Geo>', { ...geo, required: ['lat', 'lon'] }],
    [
      'Geo & { name: string }',
      { ...geo, properties: { ...geo.properties, name: { type: 'string' } }, required: ['lat', 'name'] },
    ],
    ['Deep', { ...object({ a: { $ref: '#/$defs/Geo' }, b: { $ref: '#/$defs/Geo' } }), $defs: { Geo: geo } }],
    ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
    ['Record<string, never>', object({})],
    ["Record<'a' | 'b', boolean>", object({ a: { type: 'boolean' }, b: { type: 'boolean' } }, ['a', 'b'])],
    ['{}', { type: 'object' }],
    [
      '{ a: 1; [key: string]: number }',
      { ...object({ a: { type: 'number', const: 1 } }, ['a']), additionalProperties: { type: 'number' } },
    ],
    ['Plain', object({ x: { type: 'number' } }, ['x'])],
  ])('reads %s', (type, schema) => {
    expect(readType(type, TYPES)).toEqual({ schema });
  });

  it('writes a type that is used twice once', () => {
    expect(readType('{ from: Geo; to: Geo }', TYPES).schema).toEqual({
      ...object({ from: { $ref: '#/$defs/Geo' }, to: { $ref: '#/$defs/Geo' } }, ['from', 'to']),
      $defs: { Geo: geo },
    });
  });

  it('writes a recursive type as a definition, with its conversion', () => {
    const category = object(
      {
        name: { type: 'string' },
        parent: { $ref: '#/$defs/Category' },
        since: { type: 'string', format: 'date-time' },
      },
      ['name', 'since'],
    );
    expect(readType('Category', TYPES)).toEqual({
      schema: { $ref: '#/$defs/Category', $defs: { Category: category } },
      revive: { ref: 'Category' },
      revives: { Category: { object: { parent: { ref: 'Category' }, since: 'date' } } },
    });
  });

  it('reads recursive types without a name and generic types', () => {
    expect(readType('Self', TYPES).schema).toMatchObject({ $defs: { Partial_Self: { type: 'object' } } });
    expect(readType('Page<Geo>', TYPES).schema).toMatchObject({ $ref: '#/$defs/Page_Geo' });
    expect(readType('Endless<string>', TYPES).error).toContain("contains 'Endless' without end");
  });

  it('creates instances of a class without decorators, with its default values', () => {
    const { types, classes } = readFinder(
      'constructor() {} /* */ @Tool() pay(money: Money, box: Box<Date>) {}',
      TYPES.replace(/import/g, ''),
    );
    const [money, box] = types.methods!['pay']!.parameters;
    expect(money!.schema).toEqual(
      object({ amount: { type: 'number' }, currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR' } }, [
        'amount',
      ]),
    );
    expect(money!.revive).toEqual({ object: {}, instance: 0 });
    expect(box!.revive).toEqual({ object: { content: 'date', since: 'date' }, instance: 1 });
    expect(classes.map(({ exportName }) => exportName)).toEqual(['Money', 'Box']);
  });

  it('refuses a class with methods that cannot be imported', () => {
    expect(readType('Hidden', TYPES).error).toContain(
      'is the class Hidden, whose method move() an object of JSON lacks. Export the class from its file',
    );
  });

  it('requires nothing that an instance sets by itself', () => {
    const point = `export class Point {
      constructor(readonly x: number, readonly y: number = 0, readonly since = new Date()) {}
      unit = 'm';
      accessor z = 1;
      get label() { return ''; } set label(text: string) {}
    }`;
    const properties = {
      unit: { type: 'string', default: 'm' },
      z: { type: 'number', default: 1 },
      label: { type: 'string' },
      x: { type: 'number' },
      y: { type: 'number', default: 0 },
      since: { type: 'string', format: 'date-time' },
    };
    expect(readType('Point', point).schema).toEqual(object(properties, ['x']));
  });

  it.each(["Pick<Point, 'x'>", 'Point'])('requires what an object that is no instance lacks: %s', (type) => {
    expect(readType(type, 'class Point { x = 1 }').schema).toEqual(object({ x: { type: 'number' } }, ['x']));
  });

  it.each([
    ['export abstract class Given { id!: string }', 'is the abstract class Given, which has no instances'],
    ['export class Given { constructor(private readonly to: string) {} send() {} }', 'is the class Given, which is a'],
    [
      "import { Injectable } from '@nestjs/common'; @Injectable() export class Given { id!: string }",
      'is the class Given, which is a service and no data. Inject it into the class of the tool',
    ],
    ['class Given { get x() { return 1; } }', 'is the class Given, whose accessor x an object of JSON lacks'],
  ])('refuses %s', (declarations, text) => {
    expect(readType('Given', declarations).error).toContain(text);
  });

  it('refers to a class with decorators', () => {
    const dto = 'export class Dto { @IsString() name!: string }';
    expect(readType('Dto[]', dto)).toEqual({
      schema: { type: 'array', items: { $ref: 'class:0' } },
      revive: { array: { class: 0 } },
    });
    expect(readType('Dto', dto.replace('export ', '')).error).toContain(
      'is the class Dto, which its file does not export. Export the class, so that its decorators can validate the value.',
    );
  });

  it.each([
    ['{ [Symbol.iterator]: 1 }', 'has a symbol as its name'],
    ['{ [a: number]: Date; [b: `x${string}`]: Date }', 'has several kinds of keys with values that are converted'],
  ])('refuses %s', (type, text) => {
    expect(readType(type, TYPES).error).toContain(text);
  });

  it('reads what a type takes over from a class without its methods, which an object may lack', () => {
    const user = `export class User { id!: number; at?: Date; rename(to: string) { return to; } }
      export class Order { user!: User; clear() {} }`;
    const { schema } = readType('Partial<User>', user);
    expect(schema).toEqual(object({ id: { type: 'number' }, at: { type: 'string', format: 'date-time' } }, []));
    expect(readType("Omit<User, 'id'>", user).error).toContain(
      "has a property 'rename' that is a method. Leave it out with Omit<T, 'rename'>.",
    );
    expect(readType('{ [K in keyof Date]?: Date[K] }').error).toContain('has only methods');
  });

  it.each([
    ["Pick<User, 'email' | 'role'>", ['email', 'role']],
    ["Omit<User, 'id'>", ['email', 'role']],
    ["Record<'email' | 'role' | 'age', string>", ['age', 'email', 'role']],
    ["{ id: string } & Pick<User, 'email' | 'role'>", ['id', 'email', 'role']],
  ])('keeps the order of %s, whatever other files name before', (type, names) => {
    const tools = generate({
      'a.ts': `import { Tool } from '@nestor-ai/core';
        export class A { @Tool() a(order: 'role' | 'age' | 'email') {} }`,
      'b.ts': `import { Tool } from '@nestor-ai/core';
        interface User { id: string; email: string; role: string }
        export class B { @Tool() b(user: ${type}) {} }`,
    });
    const schema = tools[1]!.types.methods!['b']!.parameters[0]!.schema;
    expect(Object.keys(schema?.['properties'] ?? {})).toEqual(names);
  });

  it('reads a copy of a Date as before in a project that does not choose its libraries', () => {
    const [finder] = generate({
      'finder.ts': `/// <reference lib="scripthost" />
        import { Tool } from '@nestor-ai/core';
        type DeepPartial<T> = T | (T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T);
        export class Finder { @Tool() find(since: DeepPartial<Date>) {} }`,
    });
    const [since] = finder!.types.methods!['find']!.parameters;
    expect(since).toMatchObject({ schema: { type: 'string', format: 'date-time' }, revive: 'date' });
  });

  it.each([
    ['Decimal', 'is a Decimal, which JSON writes as a string. Declare a string, and make the Decimal in the method.'],
    ['Decimal | null', 'is a Decimal, which JSON writes as a string.'],
    ['{ price: Decimal }', "has a property 'price' that is a Decimal, which JSON writes as a string."],
    [
      '{ books: Collection }',
      "'books' that is the class Collection of a package, whose decorators its types do not show.",
    ],
  ])('says what to write for %s of a package', (type, text) => {
    const [finder] = generate({
      'node_modules/values/index.d.ts': `export declare class Decimal { plus(n: number): Decimal; toJSON(): string }
        export declare class Collection { add(): void }`,
      'finder.ts': `import { Tool } from '@nestor-ai/core'; import { Collection, Decimal } from 'values';
        export class Finder { @Tool() find(value: ${type}) {} @Tool() prices(): { price: Decimal } { return null as never; } }`,
    });
    const { find, prices } = finder!.types.methods!;
    expect(find!.parameters[0]!.error).toContain(text);
    expect(prices!.output).toMatchObject({ properties: { price: { type: 'string' } } });
  });

  it('keeps properties with names of prototypes', () => {
    const { schema } = readType('{ "__proto__": string; constructor: number }');
    expect(Object.keys(schema!['properties'] as object)).toEqual(['__proto__', 'constructor']);
  });
});
