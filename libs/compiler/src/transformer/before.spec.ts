import { runInThisContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import type ts from 'typescript';
import { CLASS_TYPES, type ClassTypesFactory } from '@nestor-ai/schema/format';
import { emit } from '../emit.fixture.js';
import { loadTypeScript } from '../typescript.js';

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = loadTypeScript();

type Exports = Record<string, unknown>;
const IMPORT = `import { Tool } from '@nestor-ai/core';\n`;
const DTO = `import { IsString } from 'class-validator';\nexport class ItemDto { @IsString() name!: string }\n`;
const ESM = { 'package.json': '{ "type": "module" }' };
const COMMONJS = { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Bundler };

const BUNDLER = { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler };

const orderIn = (className: string, specifier: string): string =>
  `${IMPORT}import { ItemDto } from '${specifier}';\nexport class ${className} { @Tool() order(item: ItemDto) { return item.name; } }`;

/** Runs CommonJS output. @returns what the file exports */
function load(files: Readonly<Record<string, string>>, name: string, modules = new Map<string, Exports>()): Exports {
  const known = modules.get(name);
  if (known) return known;
  const module = { exports: {} as Exports };
  modules.set(name, module.exports);
  const decorate = () => () => undefined;
  const require = (specifier: string): unknown =>
    specifier.startsWith('.')
      ? load(files, `${specifier.replace(/^\.\//, '').replace(/\.js$/, '')}.js`, modules)
      : { Tool: decorate, IsString: decorate, IsInt: decorate };
  runInThisContext(`(function (module, exports, require) {${files[name]}\n})`)(module, module.exports, require);
  return module.exports;
}

const typesOf = (type: unknown) => (type as Record<symbol, ClassTypesFactory>)[CLASS_TYPES]!();
const parameterOf = (type: unknown) => {
  const { methods, statics } = typesOf(type);
  return (methods ?? statics)?.['find']?.parameters[0];
};

describe('before', () => {
  it('adds a static function to each class with tools, and leaves other files alone', () => {
    const other = 'export class Other { run() { return 1; } }';
    const { files } = emit(
      {
        'finder.ts': `${IMPORT}export class Finder { @Tool() find(city: string) { return city; } }`,
        'other.ts': other,
      },
      COMMONJS,
    );
    const { Finder } = load(files, 'finder.js');
    expect(typesOf(Finder)).toMatchObject({ version: 1, methods: { find: { parameters: [{ name: 'city' }] } } });
    expect(files['other.js']).not.toContain('nestor');
  });

  it('works in a file with classes named as those of JavaScript', () => {
    const classes = 'export class Symbol { @IsString() ticker!: string }\nexport class JSON {}';
    const { files } = emit(
      {
        'market.ts': `${IMPORT}import { IsString } from 'class-validator';\n${classes}\nexport class Market { @Tool() find(symbol: Symbol) { return symbol.ticker; } }`,
      },
      COMMONJS,
    );
    const { Market } = load(files, 'market.js');
    expect(parameterOf(Market)).toMatchObject({ name: 'symbol', schema: { $ref: 'class:0' } });
  });

  it.each<[string, ts.CompilerOptions, Record<string, string>, string]>([
    ['an ES module of Node.js', {}, ESM, './dtos/item.dto.js'],
    ['CommonJS of Node.js', {}, { 'package.json': '{}' }, './dtos/item.dto'],
    ['classic CommonJS', COMMONJS, {}, './dtos/item.dto'],
    ['an ES module that is loaded as it is written', BUNDLER, {}, './dtos/item.dto.js'],
  ])('imports classes of other files as %s needs it, without aliases', (_name, options, more, specifier) => {
    const paths = { paths: { '#shop/*': ['./*'] }, pathsBasePath: undefined };
    const { files } = emit(
      { ...more, 'shop.ts': orderIn('Shop', './dtos/item.dto.js'), 'dtos/item.dto.ts': DTO },
      { ...options, ...paths },
    );
    expect(files['shop.js']).toMatch(
      new RegExp(`=> require\\("${specifier}"\\)|import \\* as nestor from "${specifier}"`),
    );
  });

  it('imports classes without extensions if a bundler does not need them', () => {
    const { files } = emit({ 'shop.ts': orderIn('Shop', './dtos/item.dto'), 'dtos/item.dto.ts': DTO }, BUNDLER);
    expect(files['shop.js']).toContain('import * as nestor from "./dtos/item.dto"');
  });

  it('imports .mts and .cts files with their extensions', () => {
    const { files } = emit({
      'shop.mts': orderIn('Shop', './item.mjs'),
      'item.mts': DTO,
      'old.cts': orderIn('Old', './item-old.cjs'),
      'item-old.cts': DTO,
    });
    expect(files['shop.mjs']).toContain('from "./item.mjs"');
    expect(files['old.cjs']).toContain('require("./item-old.cjs")');
  });

  it('names classes that the compiler would not import, because only their types are imported', () => {
    const shop = orderIn('Shop', './item').replace('import { ItemDto }', 'import type { ItemDto }');
    const { files } = emit({ 'shop.ts': shop, 'item.ts': DTO }, COMMONJS);
    expect(typesOf(load(files, 'shop.js')['Shop']).classes?.[0]?.().name).toBe('ItemDto');
  });

  it('closes no circle of CommonJS files that only import the types of each other', () => {
    const { files } = emit(
      {
        'a.ts': `${IMPORT}import { IsString } from 'class-validator';\nimport type { ItemDto } from './b';
          export class Shop { @Tool() order(item: ItemDto) { return item.name; } }`,
        'b.ts': `import { IsString } from 'class-validator';\nimport { Shop } from './a';
          export class ItemDto { @IsString() name!: string }\nexport const seen = typeof Shop;`,
      },
      COMMONJS,
    );
    const modules = new Map<string, Exports>();
    const { Shop } = load(files, 'a.js', modules);
    expect(typesOf(Shop).classes?.[0]?.().name).toBe('ItemDto');
    expect(load(files, 'b.js', modules)['seen']).toBe('function');
  });

  it('names a class of the same file, and classes that import each other', () => {
    const { files } = emit(
      {
        'shop.ts': `${IMPORT}import { IsString } from 'class-validator';
          class Item { @IsString() name!: string }
          export { Item as Article };
          export class Shop { @Tool() order(item: Item) { return item.name; } }`,
        'a.ts': `import { IsString } from 'class-validator'; import { Two } from './b'; export class One { @IsString() name!: string; two() { return Two; } }`,
        'b.ts': `${IMPORT}import { One } from './a'; export class Two { @Tool() order(item: One) { return item.name; } }`,
      },
      COMMONJS,
    );
    expect(typesOf(load(files, 'shop.js')['Shop']).classes?.[0]?.().name).toBe('Item');
    expect(typesOf(load(files, 'a.js')['One'])).toHaveProperty('properties.name');
    expect(typesOf(load(files, 'b.js')['Two']).classes?.[0]?.().name).toBe('One');
  });

  it.each<[string, ts.CompilerOptions]>([
    ['CommonJS', COMMONJS],
    ['ES modules', BUNDLER],
  ])('names a class that is exported under a name that is no identifier: %s', (_name, options) => {
    const item = `import { IsString } from 'class-validator';\nclass ItemDto { @IsString() name!: string }\nexport { ItemDto as "hid den" };`;
    const shop = orderIn('Shop', './item').replace('import { ItemDto }', 'import { "hid den" as ItemDto }');
    const { files, diagnostics } = emit({ 'item.ts': item, 'shop.ts': shop }, options);
    expect(diagnostics).toEqual([]);
    expect(files['shop.js']).toMatch(/=> (nestor|require\("\.\/item"\))\["hid den"\]/);
  });

  it('works for default exports with and without a name', () => {
    const { files } = emit(
      {
        'item.ts': `import { IsString } from 'class-validator';\nexport default class { @IsString() name!: string }`,
        'shop.ts': `${IMPORT}import Item from './item';\nexport default class { @Tool() order(item: Item) { return item.name; } }`,
      },
      COMMONJS,
    );
    const modules = new Map<string, Exports>();
    const { default: Shop } = load(files, 'shop.js', modules);
    expect(typesOf(Shop)).toHaveProperty('methods.order');
    expect(typesOf(Shop).classes?.[0]?.()).toBe(load(files, 'item.js', modules)['default']);
  });

  it('does not clash with names of the file', () => {
    const shop = `${orderIn('Shop', './item')}\nexport const nestor = 1; export const nestor_1 = 2; export function f(nestor_2: number) { return nestor_2; }`;
    const { files } = emit({ 'shop.ts': shop, 'item.ts': DTO }, COMMONJS);
    expect(load(files, 'shop.js')['nestor']).toBe(1);
    expect(typesOf(load(files, 'shop.js')['Shop']).classes?.[0]?.().name).toBe('ItemDto');
  });

  it('keeps names that JavaScript treats in its own way, and texts of any kind', () => {
    const { files } = emit(
      {
        'finder.ts': `${IMPORT}export class Finder {
          /** Größe “x” \u2028 \\ \` \${y} */
          @Tool() find(options: { '__proto__': string; 'a-b': -1.5; ö: 1e21 }) { return options; } }`,
      },
      COMMONJS,
    );
    const { description, parameters } = typesOf(load(files, 'finder.js')['Finder']).methods!['find']!;
    expect(description).toContain('Größe “x”');
    expect(description).toContain('${y}');
    expect(Object.keys(Object(parameters[0]?.schema).properties).sort()).toEqual(['__proto__', 'a-b', 'ö']);
  });

  it('reports what no schema can describe with the result of the build', () => {
    const { diagnostics } = emit({
      'finder.ts': `${IMPORT}export class Finder { @Tool() find(done: () => void) { done(); } }`,
    });
    expect(diagnostics).toEqual([expect.stringContaining("Parameter 'done' of Finder.find()")]);
  });

  it('leaves decorators of another library alone', () => {
    const { files, diagnostics } = emit({
      'other.ts': `function Tool(): MethodDecorator { return () => undefined; }
        export class Other { @Tool() find(done: () => void) { done(); } }`,
    });
    expect(diagnostics).toEqual([]);
    expect(files['other.js']).not.toContain('nestor');
  });

  it('stands classes in namespaces and functions, of one name, generic and abstract ones', () => {
    const { files } = emit(
      {
        'many.ts': `${IMPORT}
          export namespace Inner { export class Finder { @Tool() find(a: string) { return a; } } }
          export class Finder { @Tool() find(b: string) { return b; } }
          export function make() { class Finder { @Tool() find(c: string) { return c; } } return Finder; }
          export abstract class Base<T> { @Tool() find(d: string) { return d; } abstract get(): T; }
          export class Derived extends Base<string> { get() { return ''; } static { void 0; } }
          export class Static { @Tool() static find(e: string) { return e; } }`,
      },
      COMMONJS,
    );
    const { Inner, Finder, make, Base, Derived, Static } = load(files, 'many.js');
    expect(
      [Object(Inner).Finder, Finder, (make as () => unknown)(), Base].map((type) => parameterOf(type)?.name),
    ).toEqual(['a', 'b', 'c', 'd']);
    expect(Object.hasOwn(Object(Derived), CLASS_TYPES)).toBe(false);
    expect(parameterOf(Static)?.name).toBe('e');
  });

  it('stands files with syntax errors, export =, JavaScript and old targets', () => {
    const { files } = emit(
      {
        'broken.ts': `${IMPORT}export class Broken { @Tool() find(a: string, { return a; } }`,
        'old.ts': `import core = require('@nestor-ai/core');\nclass Old { @core.Tool() find(a: string) { return a; } }\nexport = Old;`,
        'script.js': `exports.run = () => 1;`,
        'finder.ts': `${IMPORT}export class Finder { @Tool() find(a: string) { return a; } }`,
      },
      { ...COMMONJS, allowJs: true, target: ScriptTarget.ES2015 },
    );
    expect(typesOf(load(files, 'finder.js')['Finder'])).toHaveProperty('methods.find');
    expect(files['old.js']).toContain('nestor.ClassTypes');
    expect(files['script.js']).toContain('exports.run');
  });
});
