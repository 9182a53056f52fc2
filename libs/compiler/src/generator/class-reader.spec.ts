import { describe, expect, it } from '@jest/globals';
import { sourceHash } from '@nestor-ai/schema/format';
import { generate, readFinder } from './read-source.fixture.js';

const TOOL = "import { Tool } from '@nestor-ai/core';\n";

describe('ClassReader', () => {
  it('reads methods, static methods, and nothing of other methods', () => {
    const { types, exportName } = readFinder(
      "@Tool() one() {} @Tool() static two() {} three(run: () => void) {} @Tool() 'a b'() {}",
    );
    expect(types).toEqual({
      version: 1,
      methods: { one: { parameters: [] }, 'a b': { parameters: [] } },
      statics: { two: { parameters: [] } },
      sources: { 'finder.ts': expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    expect(exportName).toBe('Finder');
  });

  it('reads classes with decorators that tools take, also through other types', () => {
    const classes = generate({
      'dto.ts': `import { IsString } from 'class-validator';
        export class Item {
/** The name. */ @IsString() name!: string; tags!: ('b' | 'a')[]; run!: () => void; private x = 1 }
        export class Unused { @IsString() name!: string }`,
      'query.ts': "import type { Item } from './dto.js';\nexport interface Query { items: Item[] }",
      'finder.ts': `${TOOL}import type { Query } from './query.js';\nexport default class { @Tool() find(query: Query) {} }`,
    });
    expect(classes.map(({ name, exportName }) => [name, exportName])).toEqual([
      [undefined, 'default'],
      ['Item', 'Item'],
    ]);
    expect(classes[0]!.classes.map(({ exportName }) => exportName)).toEqual(['Item']);
    expect(classes[1]!.types.properties).toEqual({
      name: { description: 'The name.', schema: { type: 'string', description: 'The name.' } },
      tags: { schema: { type: 'array', items: { type: 'string', enum: ['b', 'a'] } } },
      run: {},
    });
  });

  const MAPPED = `
    export declare function PartialType<T>(type: new () => T): new () => Partial<T>;
    export declare function PickType<T, K extends keyof T>(type: new () => T, keys: readonly K[]): new () => Pick<T, K>;
    export declare function OmitType<T, K extends keyof T>(type: new () => T, keys: readonly K[]): new () => Omit<T, K>;
    export declare function IntersectionType<A, B>(a: new () => A, b: new () => B): new () => A & B;`;

  it.each([
    ['PartialType(Item)', ['name', 'tags', 'at']],
    ["PickType(Item, ['name', 'tags'])", ['name', 'tags']],
    ["OmitType(Item, ['at'])", ['name', 'tags']],
    ['IntersectionType(PartialType(Item), Other)', ['name', 'tags', 'at', 'other']],
  ])('reads the properties that a class inherits through `extends %s`', (extended, names) => {
    const classes = generate({
      'node_modules/mapped-types/index.d.ts': MAPPED,
      'dto.ts': `import { IsString } from 'class-validator';
        export interface Tag { label: string }
        export class Item {
/** The name. */ @IsString() name!: 'a' | 'b'; @IsString() tags!: Tag[]; @IsString() at!: Date; run() {} private x = 1 }
        export class Other { @IsString() other!: 1 | 2 }`,
      'finder.ts': `${TOOL}import * as mapped from 'mapped-types';\nimport { IsString } from 'class-validator';
        import { Item, Other } from './dto.js';
        const { PartialType, PickType, OmitType, IntersectionType } = mapped;
        export class Dto extends ${extended} { @IsString() own!: string }
        export class Finder { @Tool() find(dto: Dto) {} }`,
    });
    const { types } = classes.find(({ name }) => name === 'Dto')!;
    const { own, name, tags, ...others } = types.properties!;
    expect([own, tags?.schema]).toEqual([
      { schema: { type: 'string' } },
      expect.objectContaining({ type: 'array', items: expect.objectContaining({ required: ['label'] }) }),
    ]);
    expect(name).toEqual({
      description: 'The name.',
      ...(extended.includes('Partial') && { isOptional: true }),
      schema: { type: 'string', enum: ['a', 'b'], description: 'The name.' },
    });
    expect(['name', 'tags', ...Object.keys(others)]).toEqual(names);
    expect(Object.keys(types.sources)).toEqual(['dto.ts', 'finder.ts']);
    expect(classes.map((one) => one.name)).toEqual(['Finder', 'Dto']);
  });

  it('names the class whose @ToolParam() describes a mapped property', () => {
    const classes = generate({
      'node_modules/mapped-types/index.d.ts': MAPPED,
      'finder.ts': `import { Tool, ToolParam } from '@nestor-ai/core';
        import { IsString } from 'class-validator';
        import { PartialType } from 'mapped-types';
        export class Item { @ToolParam() name!: string; @IsString() other!: string }
        export class Page<T> { @ToolParam() items!: T }
        export class Patch extends PartialType(Item) { @ToolParam() own!: string }
        export class Names extends Page<string> {}
        export class Finder { @Tool() find(patch: Patch, names: Names) {} }`,
    });
    const [patch, names] = ['Patch', 'Names'].map((name) => classes.find((one) => one.name === name)!);
    expect(patch!.types.properties).toEqual({
      own: { schema: { type: 'string' } },
      name: { isOptional: true, paramOf: 0, schema: { type: 'string' } },
      other: { isOptional: true, schema: { type: 'string' } },
    });
    expect(patch!.classes.map(({ exportName }) => exportName)).toEqual(['Item']);
    expect(names!.types.properties).toEqual({ items: { schema: { type: 'string' } } });
  });

  it('leaves tags behind that were written for another type', () => {
    const classes = generate({
      'finder.ts': `${TOOL}import { IsString } from 'class-validator';
        type Order<T> = { [K in keyof T]?: 'asc' | 'desc' };
        declare function OrderBy<T>(type: new () => T): new () => Order<T>;
        export class Item {
/** The price.
 * @minimum 0 */ @IsString() price!: number;
/** @pattern ^x */ @IsString() name!: string }
        export class By extends OrderBy(Item) {}
        export class Finder { @Tool() find(by: By) {} }`,
    });
    expect(classes.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
    expect(classes.find(({ name }) => name === 'By')?.types.properties).toEqual({
      price: {
        description: 'The price.',
        isOptional: true,
        schema: { type: 'string', enum: ['asc', 'desc'], description: 'The price.' },
      },
      name: { isOptional: true, schema: { type: 'string', enum: ['asc', 'desc'] } },
    });
  });

  it('leaves inherited properties to a superclass with types, unless its type parameters concern them', () => {
    const classes = generate({
      'dto.ts': `import { IsString } from 'class-validator';
        export class Page<T> { @IsString() items!: T[]; @IsString() sort!: 'asc' | 'desc' }
        class Hidden { @IsString() hidden!: 'a' | 'b' }
        export class Names extends Page<'x' | 'y'> { @IsString() own!: string }
        export class Open extends Hidden {}
        export class Row { id!: number }
        export class Item extends Row { @IsString() name!: string }`,
      'finder.ts': `${TOOL}import { Item, Names, Open } from './dto.js';
        export class Finder { @Tool() find(names: Names, open: Open, item: Item) {} }`,
    });
    const properties = Object.fromEntries(
      classes.map(({ name, types }) => [name, Object.keys(types.properties ?? {})]),
    );
    expect(properties).toEqual({
      Finder: [],
      Names: ['own', 'items'],
      Open: ['hidden'],
      Item: ['name', 'id'],
      Page: ['items', 'sort'],
    });
  });

  it('describes a property with the comments of its enum', () => {
    const [, dto] = generate({
      'dto.ts': `import { IsString } from 'class-validator';
        enum Unit {
          /** Grams. */
          G = 'g' }
        export class Dto {
          /** The unit. */
          @IsString() unit!: Unit }`,
      'finder.ts': `${TOOL}import { Dto } from './dto.js';\nexport class Finder { @Tool() find(dto: Dto) {} }`,
    });
    expect(dto!.types.properties!['unit']).toMatchObject({ description: 'The unit.\n\n- g: Grams.' });
  });

  it('leaves classes of packages to their decorators, which only exist at run time', () => {
    const [finder] = generate({
      'node_modules/dtos/index.d.ts':
        'export declare class Dto { name: string }\nexport declare class Page<T> { items: T[] }',
      'finder.ts': `${TOOL}import { Dto, Page } from 'dtos';
        export class Own extends Dto { more!: string }
        export class Finder { @Tool() find(dto: Dto, page: Page<string> | undefined, own: Own, all: Dto[], box: { dto: Dto }) {} }`,
    });
    const [dto, page, own, all, box] = finder!.types.methods!['find']!.parameters;
    expect([dto, page]).toEqual([
      { name: 'dto', required: true },
      { name: 'page', required: false },
    ]);
    expect(own).toMatchObject({ schema: { $ref: 'class:0' }, revive: { class: 0 } });
    expect(all!.error).toContain('is the class Dto of a package, whose decorators its types do not show');
    expect(box!.error).toContain("has a property 'dto' that is the class Dto of a package");
  });

  it('names all files that a tool depends on, with their hashes', () => {
    const files = {
      'units.ts': "export const UNITS = ['kg', 'g'] as const;",
      'types.ts':
        "import { UNITS } from './units.js';\nexport type Unit = (typeof UNITS)[number];\nimport './other.js';",
      'other.ts': 'export const other = 1;',
      'finder.ts': `${TOOL}import type { Unit } from './types.js';\nexport class Finder { @Tool() find(unit: Unit) {} }`,
    };
    const [finder] = generate(files);
    expect(finder!.types.sources).toEqual({
      'finder.ts': sourceHash(files['finder.ts']),
      'types.ts': sourceHash(files['types.ts']),
      'units.ts': sourceHash(files['units.ts']),
    });
  });

  it.each([
    ["import { Tool as T } from '@nestor-ai/core';\nexport class Finder { @T() find() {} }", 1],
    ["import * as ai from '@nestor-ai/core';\nexport class Finder { @ai.Tool() find() {} }", 1],
    ["import { Tool } from './again.js';\nexport class Finder { @Tool() find() {} }", 1],
    ["import { Tool } from './other.js';\nexport class Finder { @Tool() find() {} }", 0],
    ["import { ToolParam as Tool } from '@nestor-ai/core';\nexport class Finder { @Tool() find() {} }", 0],
    [`${TOOL}const ReadTool = () => Both(Tool(), 1);\nexport class Finder { @ReadTool() find() {} }`, 1],
    ["import { ReadTool } from './own.js';\nexport class Finder { @ReadTool find() {} @ReadTool other() {} }", 1],
    [`${TOOL}const AiTool = Tool;\nexport class Finder { @AiTool() find() {} }`, 1],
    [`${TOOL}class Own { static read() { return all(Tool()); } }\nexport class Finder { @Own.read() find() {} }`, 1],
    [`${TOOL}const own = { read: () => all(Tool()) };\nexport class Finder { @own.read() find() {} }`, 1],
    ['const a: any = b, b: any = a;\nexport class Finder { @a() find() {} }', 0],
    [`${TOOL}function Loop(): any { return Loop(); }\nexport class Finder { @Loop() find() {} }`, 0],
    [`${TOOL}const Mixin = () => class { @Tool() find() {} };\nexport class Finder { @Mixin() find() {} }`, 1],
    [`${TOOL}function make() { return class { @Tool() find() {} }; }`, 1],
    [`${TOOL}export class Finder { @Tool() find = () => 1; @Tool() get x() { return 1; } }`, 0],
  ])('finds the decorator of this package: %s', (source, count) => {
    const classes = generate({
      'finder.ts': source,
      'again.ts': "export { Tool } from '@nestor-ai/core';",
      'own.ts': `${TOOL}export const ReadTool = all(Tool()); declare function all(...of: MethodDecorator[]): MethodDecorator;`,
      'other.ts': 'export function Tool(): MethodDecorator { return () => undefined; }',
    });
    expect(classes).toHaveLength(count);
  });

  it('reports types that no schema describes and wrong tags, with their places', () => {
    const { diagnostics } = readFinder(`
      @Tool() find(run: () => void, /** @minimum abc */ min: number) {}`);
    expect(diagnostics.map(({ messageText, file, start }) => [messageText, file.text.slice(start, start + 3)])).toEqual(
      [
        [expect.stringContaining("Parameter 'run' of Finder.find() is a function"), 'run'],
        ["@minimum needs a number, but has 'abc'.", 'min'],
      ],
    );
  });
});
