import { describe, expect, it } from '@jest/globals';
import { accepts, closed, methodOf, readTool, schemaOf } from './read-tool.js';
import { readTypes } from './read-types.js';

describe('Comments', () => {
  it('keeps HTML, marks and signs of a comment', () => {
    const comment = '/** <b>Bold</b> & <script>alert("x")</script> `code` *\\/ {@link https://x.y|text} */';
    const schema = schemaOf('A', `${comment}\ninterface A { a: string }`);

    expect(schema['description']).toBe('<b>Bold</b> & <script>alert("x")</script> `code` */ text');
  });

  it.each([
    '/***/',
    '/** */',
    '/** @ */',
    '/** @@minimum 5 */',
    '/** {@minimum 5} */',
    '/* @minimum 5 */',
    '// @minimum 5',
  ])('reads no keyword in %s', (comment) => {
    expect(schemaOf('A', `interface A {\n${comment}\na: number }`)).toMatchObject(closed({ a: { type: 'number' } }));
  });

  it('reads @param tags by their names', () => {
    const comment = `/**
      * Does it.
      * @param nope not there
      * @param value first
      * @minimum 1
      * @param value second
      * @param {string} typed the typed one
      * @pattern ^a
      * @param [opt=5] - the optional one
      * @param opt.x inner
      * @returns nothing
      * @maximum 3
      */`;
    const { description, parameters } = methodOf(
      readTool(`${comment}\n@Tool() m(value: number, typed: string, opt?: 1) {}`),
    );

    expect(description).toBe('Does it.');
    expect(parameters.map((parameter) => parameter.schema)).toEqual([
      { type: 'number', description: 'first', minimum: 1 },
      { type: 'string', description: 'the typed one', pattern: '^a' },
      { type: 'number', description: 'the optional one', const: 1 },
    ]);
  });

  it.each([
    ['@minimum abc', 'number', "@minimum needs a number, but has 'abc'."],
    ['@minimum', 'number', '@minimum needs a number, but has no value.'],
    ['@minimum 1e999', 'number', "@minimum needs a number, but has '1e999'."],
    ['@multipleOf 0', 'number', "@multipleOf needs a number greater than 0, but has '0'."],
    ['@maxLength -1', 'string', "@maxLength needs a whole number that is not negative, but has '-1'."],
    ['@maxLength 1.5', 'string', "@maxLength needs a whole number that is not negative, but has '1.5'."],
    ['@pattern (', 'string', "@pattern needs a regular expression, without slashes, but has '('."],
    ['@format nope', 'string', "@format needs a format of JSON Schema, such as 'email' or 'date', but has 'nope'."],
    ['@asType float', 'number', "@asType needs the value 'integer', but has 'float'."],
    ['@default', 'string', '@default needs a value, but has no value.'],
  ])('refuses %s on the line of the property', (tag, type, problem) => {
    const declaration = `interface A {\n/** ${tag} */\nvalue: ${type};\nother: string }`;

    expect(readTool('@Tool() m(value: A): void {}', declaration).diagnostics).toEqual([`tools.ts:4: ${problem}`]);
  });
});

describe('Comments of members', () => {
  it('of an enum follow each description', () => {
    const color =
      "/** A color. */\nenum Color {\n/** Of\n * blood. */\nRed = 'red', Blue = 'blue',\n/** Of grass. */\nGreen = 'green' }";
    const values = '- red: Of blood.\n- green: Of grass.';
    const schema = schemaOf(
      'A',
      `${color}\ninterface A { a: Color; b?: Color | null; c: Color[];\n/** Mine. */\nd: Color }`,
    );

    expect(schema['properties']).toMatchObject({
      a: { enum: ['red', 'blue', 'green'], description: `A color.\n\n${values}` },
      b: { enum: ['red', 'blue', 'green', null], description: `A color.\n\n${values}` },
      c: { items: { description: `A color.\n\n${values}` } },
      d: { description: `Mine.\n\n${values}` },
    });
  });

  it('of a parameter are written with its name', () => {
    const comment = `/**
      * Finds.
      * @param options The options
      * @param options.city - The city
      * @minLength 2
      * @param options.geo.lat North
      * @param options.nowhere Nothing
      * @param tree.next The next
      */`;
    const { parameters } = methodOf(
      readTool(
        `${comment}\n@Tool() m(options: { city: string; geo: Geo }, tree: Tree) {}`,
        'interface Geo { lat: number }\ninterface Tree { next?: Tree }',
      ),
    );

    expect(parameters[0]?.schema).toEqual({
      ...closed({
        city: { type: 'string', description: 'The city', minLength: 2 },
        geo: closed({ lat: { type: 'number', description: 'North' } }),
      }),
      description: 'The options',
    });
    expect(JSON.stringify(parameters[1])).not.toContain('The next');
  });

  it('of the constructor describe its properties', () => {
    const comment = '/**\n* @param x The x\n* @minimum 5\n* @param y The y\n*/';
    const schema = schemaOf(
      'A',
      `export class A {\n${comment}\nconstructor(readonly x: number, readonly y: number) {} }`,
    );

    expect(schema['properties']).toEqual({
      x: { type: 'number', description: 'The x', minimum: 5 },
      y: { type: 'number', description: 'The y' },
    });
  });
});

describe('Comments that do not fit the type', () => {
  it.each([
    ['number | null', [1, null], [1.5, 'a']],
    ['number[]', [[1], []], [1, [1.5]]],
  ])('@asType integer makes the numbers of %s whole', (type, right, wrong) => {
    const schema = schemaOf('A', `interface A {\n/** @asType integer */\nvalue: ${type} }`);

    expect(right.map((value) => accepts(schema, { value }))).toEqual(right.map(() => true));
    expect(wrong.map((value) => accepts(schema, { value }))).toEqual(wrong.map(() => false));
  });

  it('refuses @asType integer for a string', () => {
    const { diagnostics } = readTool(
      '@Tool() m(value: A): void {}',
      'interface A {\n/** @asType integer */\nvalue: string }',
    );

    expect(diagnostics).toEqual(['tools.ts:4: @asType integer is for numbers, and arrays of numbers.']);
  });

  it.each([
    ['@minLength 3', 'number', '@minLength is for texts, but the type is number.'],
    ['@minimum 3', 'string | null', '@minimum is for numbers, but the type is string or null.'],
    ['@pattern ^a', 'string[]', '@pattern is for texts, but the type is array.'],
    ['@maxItems 2', 'string', '@maxItems is for lists, but the type is string.'],
    ['@minimum 3', 'string | number', undefined],
    ['@minimum 3', 'any', undefined],
  ])('reports %s for %s', (tag, type, problem) => {
    const declaration = `interface A {\n/** ${tag} */\nvalue: ${type} }`;

    expect(readTool('@Tool() m(value: A): void {}', declaration).diagnostics).toEqual(
      problem === undefined ? [] : [`tools.ts:4: ${problem}`],
    );
  });

  it.each([
    ['@format email', 'Date'],
    ['@minimum 10\n@maximum 1', 'number'],
    ['@default abc', 'number'],
    ['@default 5', "'a' | 'b'"],
    ['@pattern /^a$/', 'string'],
    ['@examples [1,', 'number[]'],
  ])('refuses %s for %s', (tag, type) => {
    const declaration = `interface A {\n/** ${tag} */\nvalue: ${type} }`;

    expect(readTool('@Tool() m(value: A): void {}', declaration).diagnostics).toHaveLength(1);
  });
});

describe('Tags of a property whose type is another one elsewhere', () => {
  const ITEM = `
    /** @minimum 1 */
    type Weight = number;
    interface Item {
      /** The price. @minimum 0 */
      price: number;
      /** @pattern ^a$ */
      name: string;
      weight: Weight;
    }`;
  const propertiesOf = (type: string, declarations: string): unknown =>
    schemaOf(type, `${ITEM}\n${declarations}`)['properties'];

  it.each([
    ["'asc' | 'desc'", { type: 'string', enum: ['asc', 'desc'] }],
    ['string', { type: 'string' }],
  ])('say nothing of { [K in keyof Item]?: %s }', (type, schema) => {
    expect(propertiesOf('Mapped<Item>', `type Mapped<T> = { [K in keyof T]?: ${type} };`)).toEqual({
      price: { ...schema, description: 'The price.' },
      name: schema,
      weight: schema,
    });
  });

  it.each([
    'Partial<Item>',
    'Readonly<Item>',
    "Pick<Item, 'price' | 'name' | 'weight'>",
    'Own<Item> & { price: number }',
  ])('count in %s', (type) => {
    expect(propertiesOf(type, 'type Own<T> = { [K in keyof T]: T[K] };')).toEqual({
      price: { type: 'number', minimum: 0, description: 'The price.' },
      name: { type: 'string', pattern: '^a$' },
      weight: { type: 'number', minimum: 1 },
    });
  });

  it('limit the values that a mapped type keeps beside others', () => {
    const schema = schemaOf(
      'Filter<Item>',
      `${ITEM}\ntype Filter<T> = { [K in keyof T]?: T[K] | null | { not: T[K] } };`,
    );

    expect([{ name: 'a' }, { name: null }, { name: { not: 'b' } }].map((value) => accepts(schema, value))).toEqual([
      true,
      true,
      true,
    ]);
    expect(accepts(schema, { name: 'b' })).toBe(false);
    expect(accepts(schema, { price: -1 })).toBe(false);
  });

  it('count for the type arguments that they fit', () => {
    const box = 'interface Box<T> {\n/** @minimum 0 */\nvalue: T }';

    expect(schemaOf('Box<number>', box)).toEqual(closed({ value: { type: 'number', minimum: 0 } }));
    expect(schemaOf('Box<string>', box)).toEqual(closed({ value: { type: 'string' } }));
  });
});

describe('Tags in the declarations of a package', () => {
  const PACKAGE = {
    'node_modules/pkg/package.json': '{ "name": "pkg", "version": "1.0.0", "types": "./index.d.ts" }',
    'node_modules/pkg/index.d.ts': `
      /** @format css-color */
      export type Color = string;
      export interface Options {
        /** How often. @default 2 retries */
        retries?: number;
        /** @format css-color */
        color?: Color;
        /** @minLength 3 */
        size?: number;
        /** @minimum 0 */
        count?: number;
      }`,
  };
  const properties = {
    retries: { type: 'number', description: 'How often.' },
    color: { type: 'string' },
    size: { type: 'number' },
    count: { type: 'number', minimum: 0 },
  };

  it('are left out where they do not fit', () => {
    const read = readTypes({
      ...PACKAGE,
      'tools.ts': `import { Tool } from '@nestor-ai/core';\nimport type { Options } from 'pkg';
        interface Own extends Options { own?: true }
        export class Tools { @Tool() m(options: Options, own: Own): void {} }`,
    });

    expect(read.diagnostics).toEqual([]);
    const [options, own] = methodOf(read).parameters;
    expect(options?.schema).toEqual(closed(properties, []));
    expect(own?.schema).toEqual(closed({ own: { type: 'boolean', const: true }, ...properties }, []));
  });
});

it('leaves out what a package says of its generic helpers', () => {
  const read = readTypes({
    'node_modules/fest/package.json': '{ "name": "fest", "version": "1.0.0", "types": "./index.d.ts" }',
    'node_modules/fest/index.d.ts': `
      /** Creates a type with some keys. */
      export type Only<T, K extends keyof T> = { [P in K]: T[P] };
      /** Attaches a tag. */
      export type Tagged<T, Tag> = T & { readonly tag?: Tag };
      /** A way to pay. */
      export interface Payment { amount: number }`,
    'tools.ts': `import { Tool } from '@nestor-ai/core';\nimport type { Only, Payment, Tagged } from 'fest';
      /** A name. */
      type Name = Tagged<string, 'name'>;
      export class Tools { @Tool() m(only: Only<Payment, 'amount'>, id: Tagged<string, 'id'>, name: Name, payment: Payment): void {} }`,
  });

  expect(methodOf(read).parameters.map(({ schema }) => schema?.['description'])).toEqual([
    undefined,
    undefined,
    'A name.',
    'A way to pay.',
  ]);
});
