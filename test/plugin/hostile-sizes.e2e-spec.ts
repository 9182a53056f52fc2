import { describe, expect, it } from '@jest/globals';
import { freezeSchema } from '@nestor-ai/schema';
import { accepts, methodOf, problemOf, schemaOf } from './read-tool.js';
import { readTypes } from './read-types.js';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const list = (count: number, of: (index: number) => string, separator: string): string =>
  times(count).map(of).join(separator);

describe('Large types', () => {
  it('reads a union of 5,000 literals', () => {
    const schema = schemaOf('Big', `type Big = ${list(5000, (n) => `'v${n}'`, ' | ')};`);

    expect(schema).toEqual({ type: 'string', enum: times(5000).map((n) => `v${n}`) });
  });

  it('reads 10,000 texts of a template', () => {
    const schema = schemaOf('`${D}${D}${D}${D}`', `type D = ${list(10, String, ' | ')};`);

    expect(schema['enum']).toHaveLength(10_000);
  });

  it.each([
    ['interfaces', (n: number) => `interface L${n + 1} { a: L${n}; b: L${n} }`],
    ['unions', (n: number) => `interface L${n + 1} { a: L${n} | string; b: (L${n} | null)[] }`],
    ['generics', (n: number) => `interface L${n + 1} extends Pair<L${n}> {}`],
  ])('writes each of 40 levels of %s once', (_, level) => {
    const declarations = `interface L0 { x: string }\ninterface Pair<T> { a: T; b: T }\n${list(40, level, '\n')}`;

    expect(JSON.stringify(schemaOf('L40', declarations)).length).toBeLessThan(20_000);
  });

  it('reads a type with 1,000 properties, each with a type of its own', () => {
    const schema = schemaOf('Big', `interface Big { ${list(1000, (n) => `p${n}: { a: string; b?: ${n} }`, '; ')} }`);

    expect(Object.keys(schema['properties'] as object)).toHaveLength(1000);
  });

  it('reads a type with 200 properties of a package', () => {
    const read = readTypes({
      'tools.ts': `import { Tool } from '@nestor-ai/core';\nimport type { Big } from 'big';\nexport class Tools { @Tool() m(value: Big) {} }`,
      'node_modules/big/package.json': '{ "name": "big", "types": "index.d.ts" }',
      'node_modules/big/index.d.ts': `export interface Big { ${list(200, (n) => `p${n}?: string`, ';')} }`,
    });

    expect(Object.keys(methodOf(read).parameters[0]!.schema!['properties'] as object)).toHaveLength(200);
  });

  it.each([
    [
      '2^30 tuples',
      'L30',
      `type L0 = { x: string };\n${list(30, (n) => `type L${n + 1} = [L${n}, L${n}];`, '\n')}`,
      'consists of more than 20000 arrays and unions.',
    ],
    [
      'a chain of 2,500 interfaces',
      'A0',
      `${list(2500, (n) => `interface A${n} { next?: A${n + 1} }`, '\n')}\ninterface A2500 { x: 1 }`,
      'is nested more than 200 levels deep.',
    ],
    [
      '2,500 interfaces',
      'All',
      `${list(2500, (n) => `interface A${n} { x: ${n} }`, '\n')}\ninterface All { ${list(2500, (n) => `p${n}: A${n}`, ';')} }`,
      'consists of more than 2000 types.',
    ],
  ])('refuses %s', (_, type, declarations, problem) => {
    expect(problemOf(type, declarations)).toMatch(problem);
  });

  it('reads a chain of 90 interfaces so that the library can use the schema', () => {
    const declarations = list(90, (n) => `interface A${n} { next?: A${n + 1} }`, '\n');
    const schema = schemaOf('A0', `${declarations}\ninterface A90 { x: 1 }`);

    expect(() => freezeSchema(schema)).not.toThrow();
  });

  it('reads objects and arrays that are nested 90 levels deep', () => {
    const schema = schemaOf(times(90).reduce((type) => `{ a: ${type}[] }`, 'string'));

    expect(accepts(schema, { a: [{ a: [{ a: 'no array' }] }] })).toBe(false);
    expect(accepts(schema, { a: [{ a: [] }] })).toBe(true);
  });
});

describe('Types without an end', () => {
  it.each([
    ['List<string>', 'interface List<T> { value: T; next?: List<List<T>> }'],
    ['Both<string>', 'interface Both<T> { left?: Both<[T]>; right?: Both<T[]> }'],
    ['Alias<string>', 'type Alias<T> = { left?: Alias<[T]>; right?: Alias<{ x: T }> };'],
    ['Class<Date>', 'class Class<T> { value?: T; next?: Class<Class<T>> }'],
  ])('refuses %s, which contains itself with other arguments', (type, declaration) => {
    expect(problemOf(type, declaration)).toMatch(/ contains '.*' without end\. Write a smaller type/);
  });

  it.each([
    ['Deep<string[][][]>', 'type Deep<T> = T extends (infer U)[] ? Deep<U> : T;', { type: 'string' }],
    [
      'Flat<[[1], [[2]]]>',
      'type Flat<T> = T extends readonly (infer U)[] ? Flat<U> : T;',
      { type: 'number', enum: [1, 2] },
    ],
  ])('reads %s, a condition that depends on itself', (type, declaration, schema) => {
    expect(schemaOf(type, declaration)).toEqual(schema);
  });

  it.each([
    ["Loop<'a'>", 'type Loop<T extends string> = T extends string ? Loop<`${T}a`> : never;'],
    ['Circle', 'type Circle = Circle | string;'],
    ['Complex', `type Complex = ${list(20, (n) => `({ a${n}: 1 } | { b${n}: 2 })`, ' & ')};`],
  ])('refuses %s, which TypeScript refuses as well', (type, declaration) => {
    expect(problemOf(type, declaration)).toMatch(/a type that TypeScript does not/);
  });

  it.each([
    ['an interface with `this`', 'A', 'interface A { name: string; parent?: this; children: this[] }'],
    ['two generics of each other', 'A<string>', 'type A<T> = { b: B<T>[] }; type B<T> = { v: T; a?: A<T> };'],
    ['a mapped type', 'D<A>', 'type D<T> = { [K in keyof T]?: D<T[K]> };\ninterface A { a: { b: string }; kid: A }'],
    ['a utility type', "Omit<A, 'p'>", "interface A { p: A; kids: Omit<A, 'p'>[] }"],
  ])('reads %s that refers to itself', (_, type, declaration) => {
    const schema = schemaOf(type, declaration);

    expect(schema['$defs']).toBeDefined();
    expect(accepts(schema, { unknown: 1 })).toBe(false);
  });

  it.each([
    ['type Json = string | number | boolean | null | Json[] | { [key: string]: Json };', { a: [1, null] }, Symbol()],
    ['type Json = (string | Json)[];', ['a', ['b']], ['a', [1]]],
    ['type Json = [Json] | null;', [[null]], [[1]]],
    ['type Json = [string, Json?];', ['a', ['b']], ['a', [1]]],
  ])('reads %s', (declaration, right, wrong) => {
    const schema = schemaOf('Json', declaration);

    expect(accepts(schema, right)).toBe(true);
    expect(accepts(schema, wrong)).toBe(false);
  });
});
