import { describe, expect, it } from '@jest/globals';
import type ts from 'typescript';
import { accepts, closed, methodOf, problemOf, readTool, schemaOf } from './read-tool.js';

const DOM: ts.CompilerOptions = { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] };
const NODE: ts.CompilerOptions = { types: ['node'] };

describe('Types that are missing', () => {
  it.each([
    ['Nope', ''],
    ['Missing', "import type { Missing } from './missing.js';"],
    ['Missing[]', "import type { Missing } from 'nowhere';"],
    ['Nope | string', ''],
    ['Record<string, Nope>', ''],
    ['Partial<Nope>', ''],
    ['Nope & { a: string }', ''],
    ['Alias', 'type Alias = Nope;'],
  ])('refuses %s', (type, declarations) => {
    expect(problemOf(type, declarations)).toBe('has a type that TypeScript does not find. Check its import.');
  });

  it('names the property and its line', () => {
    const { diagnostics } = readTool('@Tool() m(value: A): void {}', 'interface A {\n  fine: string;\n  bad: Nope;\n}');

    expect(diagnostics).toEqual([
      "tools.ts:4: Parameter 'value' of Tools.m() has a property 'bad' that has a type that TypeScript does not find. " +
        'Check its import.',
    ]);
  });

  it('takes `any` and `unknown` that are written for any value', () => {
    expect(schemaOf('{ a: any; b: unknown }')).toEqual(closed({ a: {}, b: {} }));
    expect(schemaOf('any')).toEqual({});
  });

  it.each(['@Tool() m(value: { a: string ', '@Tool() m(value: , b: string) {}', '@Tool() m(', '@Tool( m() {}'])(
    'survives the syntax error in %s',
    (members) => {
      expect(() => readTool(members)).not.toThrow();
    },
  );
});

describe('Types that JSON does not have', () => {
  it.each([
    ['HTMLElement', DOM, 'HTMLElement'],
    ['Response', DOM, 'Response'],
    ['File', DOM, 'File'],
    ['Buffer', NODE, 'Buffer'],
    ['NodeJS.ReadableStream', NODE, 'ReadableStream'],
    ['Uint8Array', {}, 'Uint8Array'],
    ['RegExp', {}, 'RegExp'],
    ['Promise<string>', {}, 'Promise'],
    ['WeakMap<object, string>', {}, 'WeakMap'],
    ['() => void', {}, 'function'],
    ['RegExp | (() => string)', {}, '(RegExp|function)'],
    ['new () => object', {}, 'function'],
    ['Function', {}, 'Function'],
    ['symbol', {}, 'symbol'],
    ['bigint', {}, 'bigint'],
    ['10n', {}, 'bigint'],
  ])('refuses %s', (type, options, name) => {
    expect(problemOf(type, '', options)).toMatch(new RegExp(`^is an? ${name}, which JSON does not have\\. [A-Z]`));
  });

  it.each(['never', 'void', 'undefined'])('refuses %s', (type) => {
    expect(problemOf(type)).toMatch(`is of type '${type}', which no value of JSON has.`);
  });

  it.each([
    ['cb: (x: number) => void', 'cb'],
    ['cb?: (x: number) => void', 'cb'],
    ['run(): void', 'run'],
  ])('names the property in { %s }', (property, name) => {
    expect(problemOf('A', `interface A { ok: string; ${property} }`)).toMatch(
      `has a property '${name}' that is a function`,
    );
  });

  it('reads an interface of the DOM that is only data', () => {
    expect(Object.keys(schemaOf('DOMRectInit', '', DOM)['properties'] as object)).toEqual([
      'height',
      'width',
      'x',
      'y',
    ]);
  });

  it.each([
    ['Map<number, string>', "is a Map with keys of type 'number'."],
    ['Map<{ a: 1 }, string>', "is a Map with keys of type '{ a: 1; }'."],
    ['[...string[], number]', 'is a tuple with items after its rest.'],
    ['Set<string> | number[]', 'is one of several types, which JSON writes alike (Set<string>, number[]).'],
    ['{ a: Date } | { a: string }', 'is one of several types, which JSON writes alike ({ a: Date; }, { a: string; }).'],
  ])('says what is wrong with %s', (type, problem) => {
    expect(problemOf(type)).toMatch(problem);
  });
});

describe('Types that only look like JSON', () => {
  it('leaves out an optional property without values', () => {
    const schema = schemaOf('{ a: string; b?: never } | { a?: never; b: number }');

    expect(accepts(schema, { b: 1 })).toBe(true);
    expect(accepts(schema, { a: 'x', b: 1 })).toBe(false);
  });

  it('reads an enum with a computed member as a number', () => {
    const schema = schemaOf('E', "enum E { A = 'x'.length, B = 2 }");

    expect([1, 2, 'A'].map((value) => accepts(schema, value))).toEqual([true, true, false]);
  });

  it('leaves out private properties of JavaScript', () => {
    expect(schemaOf('A', 'export class A { #hidden = 1; open = 2 }')['properties']).toEqual({
      open: { type: 'number', default: 2 },
    });
  });

  it('says which property has a symbol as its name', () => {
    expect(problemOf('A', 'declare const S: unique symbol; interface A { [S]: string }')).toMatch("property '[S]'");
  });

  it("reads the application's own types named ToolContext and AbortSignal", () => {
    const read = readTool('@Tool() m(value: AbortSignal): void {}', 'interface AbortSignal { at: string }');

    expect(methodOf(read).parameters).toMatchObject([{ schema: closed({ at: { type: 'string' } }) }]);
  });

  it('names all alternatives that JSON writes alike', () => {
    expect(problemOf("Date | 'now'")).toMatch(`JSON writes alike (Date, "now")`);
  });

  it('tells objects apart by a boolean', () => {
    const read = readTool('@Tool() m(value: { ok: true; at: Date } | { ok: false; why: string }): void {}');

    expect(methodOf(read).parameters[0]!.revive).toEqual({
      kinds: { object: { by: 'ok', cases: { true: { object: { at: 'date' } } } } },
    });
  });

  it('does not tell objects apart by a property that one may lack, also without strictNullChecks', () => {
    const type = "{ kind?: 'a'; at: Date } | { kind: 'b'; at: string }";
    expect(problemOf(type, '', { strictNullChecks: false })).toMatch('JSON writes alike');
  });

  it('names the property with types that JSON writes alike', () => {
    expect(problemOf("{ a: { at: Date | 'now' } }")).toMatch("has a property 'a.at' that is one of several types");
  });
});
