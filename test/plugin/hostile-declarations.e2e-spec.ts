import { describe, expect, it } from '@jest/globals';
import { accepts, closed, methodOf, readTool, schemaOf } from './read-tool.js';
import { readTypes } from './read-types.js';

describe('Names', () => {
  it('reads keys that are special to JavaScript or to JSON Schema', () => {
    // '__proto__' is left out: ajv refuses every value that has it.
    const keys = ['constructor', 'toString', '', 'a.b', 'a/b~c', '$ref', '$defs', 'class:0'];
    const schema = schemaOf(`{ ${keys.map((key) => `${JSON.stringify(key)}: 1`).join('; ')} }`);

    expect(Object.keys(schema['properties'] as object)).toEqual(keys);
    expect(accepts(schema, Object.fromEntries(keys.map((key) => [key, 1])))).toBe(true);
    expect(accepts(schema, {})).toBe(false);
  });

  it('reads computed, numeric and unicode keys', () => {
    const declarations = "const KEY = 'dyn' as const;\ninterface A { [KEY]: 1; ['lit']: 1; [1]: 1; 1e3: 1; 0x10: 1 }";

    expect(Object.keys(schemaOf('A', declarations)['properties'] as object).sort()).toEqual(
      ['dyn', 'lit', '1', '1000', '16'].sort(),
    );
    expect(schemaOf('{ größe: 1; "🦊": 1; "\\u0000": 1 }')['required']).toEqual(['größe', '🦊', '\u0000']);
  });

  it('tells types of the same name apart', () => {
    const declarations =
      'interface Box<T> { v: T }\ninterface Box_string { w: number }\ninterface constructor { c: 1 }';
    const type = '{ a: Box<string>; b: Box<string>; c: Box_string; d: Box_string; e: constructor; f: constructor }';
    const box = { v: 'x' };
    const schema = schemaOf(type, declarations);

    expect(accepts(schema, { a: box, b: box, c: { w: 1 }, d: { w: 1 }, e: { c: 1 }, f: { c: 1 } })).toBe(true);
    expect(accepts(schema, { a: box, b: box, c: box, d: { w: 1 }, e: { c: 1 }, f: { c: 1 } })).toBe(false);
  });

  it('reads parameters with any letters', () => {
    const { parameters } = methodOf(readTool('@Tool() m(größe: number, 名前: string, $x: string, \\u0061bc: 1) {}'));

    expect(parameters.map(({ name }) => name)).toEqual(['größe', '名前', '$x', 'abc']);
  });

  it('reads methods whose names every object has', () => {
    const { classes, diagnostics } = readTool(
      "@Tool() '__proto__'(a: 1) {}\n@Tool() toString(b: 2): string { return '' }",
    );
    const methods = classes.get('Tools')!.types.methods!;

    expect(diagnostics).toEqual([]);
    expect(Object.entries(methods).map(([name, { parameters }]) => [name, parameters[0]!.name])).toEqual([
      ['__proto__', 'a'],
      ['toString', 'b'],
    ]);
  });
});

describe('Declarations', () => {
  it('reads interfaces and enums that are declared twice', () => {
    expect(
      schemaOf('A', 'interface A { a: string }\ninterface A { b?: number }\nnamespace A { export const x = 1 }'),
    ).toEqual(closed({ a: { type: 'string' }, b: { type: 'number' } }, ['a']));
    expect(schemaOf('E', "enum E { A = 'a' }\nenum E { B = 'b' }")).toEqual({ type: 'string', enum: ['a', 'b'] });
  });

  it('reads types of namespaces, and of import()', () => {
    const a = closed({ a: { type: 'string' } });

    expect(schemaOf('N.A', 'namespace N { export interface A { a: string } }')).toEqual(a);
    expect(schemaOf("import('../corpus/generics.js').BoxOfText")).toEqual(closed({ value: { type: 'string' } }));
  });

  it('reads properties that can be written, and no others, of a class with accessors', () => {
    const accessors = 'get x(): number { return 1 } set x(v: number) {} get y(): string { return "" } set z(v: 1) {}';

    const schema = schemaOf('A', `export class A { ${accessors} }`);
    expect(schema).toMatchObject({ properties: { x: { type: 'number' }, z: { const: 1 } }, required: [] });
    expect(Object.keys(schema['properties'] as object)).toEqual(['x', 'z']);
  });

  it('reads the object types that JavaScript has for primitives', () => {
    const type = '{ a: object; b: Object; c: {}; e: String; f: Number; g: Boolean }';
    const kinds = ['object', 'object', 'object', 'string', 'number', 'boolean'];

    expect(Object.values(schemaOf(type)['properties'] as object)).toEqual(kinds.map((kind) => ({ type: kind })));
  });

  it('refuses type parameters, unless they have a bound', () => {
    const unbound = readTool('@Tool() m<T>(value: T): void {}');
    const bound = readTool('@Tool() m<T extends string>(value: T[]): void {}');

    expect(unbound.diagnostics[0]).toMatch(/has the type 'T', which is not known before the call/);
    expect(methodOf(bound).parameters[0]!.schema).toEqual({ type: 'array', items: { type: 'string' } });
  });

  it.each([
    ["import * as ai from '@nestor-ai/core';", '@ai.Tool()'],
    ["import { Tool as AiTool } from '@nestor-ai/core';", '@AiTool()'],
    ["import { Instrument } from './again.js';", '@Instrument()'],
  ])('finds the decorator of %s', (statement, decorator) => {
    const read = readTypes({
      'again.ts': "export { Tool as Instrument } from '@nestor-ai/core';",
      'tools.ts': `${statement}\nexport class Tools { ${decorator} m(value: string): void {} }`,
    });

    expect(methodOf(read).parameters).toHaveLength(1);
  });

  it('leaves out decorators of the same name', () => {
    const { classes } = readTypes(
      'function Tool(): MethodDecorator { return () => {} }\nexport class Tools { @Tool() m(value: Date): void {} }',
    );

    expect(classes.size).toBe(0);
  });
});

describe('Parameters', () => {
  it.each([
    ['@Tool()\nm(a: string,\n...rest: string[]): void {}', 6, "Parameter 'rest' of Tools.m() is a rest parameter."],
    ['@Tool()\nm(a: string,\n{ x }: { x: 1 }): void {}', 6, 'Parameter number 2 of Tools.m() is destructured'],
    ['@Tool()\nm(\n[a]: [string] = [""]): void {}', 6, 'Parameter number 1 of Tools.m() is destructured'],
    ['@Tool()\nm(\ncallback = () => 1): void {}', 6, "Parameter 'callback' of Tools.m() is a function"],
  ])('refuses %s on its line', (members, line, problem) => {
    const { diagnostics } = readTool(members);

    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatch(`tools.ts:${line}: ${problem}`);
  });

  it('reads the implementation of overloads, and leaves out `this`', () => {
    const overloads = 'm(value: string): void;\nm(value: number): void;';
    const { parameters } = methodOf(readTool(`${overloads}\n@Tool() m(this: Tools, value: string | number): void {}`));

    expect(parameters).toMatchObject([{ name: 'value', schema: { anyOf: [{ type: 'string' }, { type: 'number' }] } }]);
  });

  it('requires what TypeScript requires, in any order', () => {
    const { parameters } = methodOf(
      readTool('@Tool() m(a: string | undefined, b = 5, c: string, d?: number): void {}'),
    );

    expect(parameters.map(({ required }) => required)).toEqual([false, false, true, false]);
  });

  it('reads the types of default values that are expressions, and the values that TypeScript knows', () => {
    const { parameters } = methodOf(
      readTool('@Tool() m(a = Date.now(), b = new Date(0), c = K + 1, d = `a${K}`) {}', 'const K = 3;'),
    );

    expect(parameters.map(({ schema }) => schema)).toEqual([
      { type: 'number' },
      { type: 'string', format: 'date-time' },
      { type: 'number' },
      { type: 'string', default: 'a3' },
    ]);
  });

  it('reads default values that are literals', () => {
    const { parameters } = methodOf(readTool('@Tool() m(a = -5, b = `text`, c = true, d = 1_000, e = 0x10) {}'));

    expect(parameters.map(({ schema }) => schema!['default'])).toEqual([-5, 'text', true, 1000, 16]);
  });
});
