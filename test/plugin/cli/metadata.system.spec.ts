import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FixtureApplication } from './fixture-application.js';

/** Prints what metadata.ts returns, with the names of the classes. Runs after the compiler. */
const SHOW = `
  import 'reflect-metadata';
  import load from './dist/metadata.js';
  const { tools } = (await load())['@nestor-ai/core'];
  const shown = {};
  for (const [file, classes] of tools) {
    for (const [name, types] of Object.entries(classes)) {
      if (typeof (await file)[name] !== 'function') throw new Error(name + ' is no class');
      shown[name] = { ...types, classes: types.classes?.map((reference) => reference().name) };
    }
  }
  console.log(JSON.stringify(shown));`;

/** What the Nest CLI does with swc and a type check, which needs a package that this repository does not have. */
const GENERATE = `
  import { TypeCheckerHost } from '@nestjs/cli/lib/compiler/swc/type-checker-host.js';
  import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
  import { PluginsLoader } from '@nestjs/cli/lib/compiler/plugins/plugins-loader.js';
  const { readonlyVisitors: visitors } = new PluginsLoader().load(['@nestor-ai/compiler'], { pathToSource: process.cwd() + '/src' });
  new TypeCheckerHost().run('tsconfig.json', {
    onTypeCheck: (tsProgramRef) => new PluginMetadataGenerator().generate({ outputDir: 'src', visitors, tsProgramRef }),
  });`;

const COMMONJS = [
  ['package.json', '"module"', '"commonjs"'],
  ['src/main.ts', ".js'", "'"],
  ['src/app.module.ts', ".js'", "'"],
  ['src/finder.tools.ts', "item.dto.js'", "item.dto'"],
  ['src/finder.tools.ts', "search-options.js'", "search-options'"],
] as const;

describe('metadata.ts', () => {
  let app: FixtureApplication;

  beforeEach(() => {
    app = new FixtureApplication('metadata');
    app.edit('nest-cli.json', '"@nestor-ai/compiler"', '');
    app.write('show.mjs', SHOW);
    app.write('generate.mjs', GENERATE);
  });

  afterEach(() => app.remove());

  const show = () => {
    expect(app.nest('build')).toEqual({ exitCode: 0, text: '' });
    const { text } = app.run('show.mjs');
    return JSON.parse(text);
  };

  it('is written by nestor-schemas, and passes the strict type check of the application', () => {
    expect(app.schemas()).toEqual({ exitCode: 0, text: '2 tools, types of 2 classes → src/metadata.ts\n' });
    const { Finder, ItemDto } = show();
    expect(Finder.methods.find.parameters[1].schema).toEqual({ type: 'string', enum: ['celsius', 'fahrenheit'] });
    expect(Finder.classes).toEqual(['ItemDto']);
    expect(ItemDto.properties).toHaveProperty('name');
  });

  it('says the same when the Nest CLI writes it with the visitor', () => {
    app.schemas();
    const written = show();
    expect(app.run('generate.mjs')).toMatchObject({ exitCode: 0 });
    expect(app.read('src/metadata.ts')).not.toContain('nestor-schemas');
    expect(show()).toEqual(written);
    expect(app.schemas('--check')).toMatchObject({ exitCode: 0 });
  });

  it('is written by the visitor after a class that it names was renamed or its file deleted', () => {
    app.run('generate.mjs');
    app.write('src/article.dto.ts', app.read('src/item.dto.ts').replace('ItemDto', 'ArticleDto'));
    app.delete('src/item.dto.ts');
    app.edit('src/finder.tools.ts', "{ ItemDto } from './item.dto.js'", "{ ArticleDto } from './article.dto.js'");
    app.edit('src/finder.tools.ts', 'item: ItemDto', 'item: ArticleDto');
    expect(app.run('generate.mjs')).toMatchObject({ exitCode: 0 });
    expect(show().Finder.classes).toEqual(['ArticleDto']);
  });

  it('has imports without an extension in CommonJS, which the tools of a bundler need', () => {
    for (const [file, search, replacement] of COMMONJS) app.edit(file, search, replacement);
    app.schemas();
    expect(app.read('src/metadata.ts')).toContain(
      'import("./finder.tools" as string).catch(() => require("./finder.tools"))',
    );
    app.run('generate.mjs');
    expect(app.read('src/metadata.ts')).toContain(
      'import("./finder.tools" as string).catch(() => require("./finder.tools"))',
    );
  });

  it('makes the visitor print what no schema can describe, and end with exit code 1', () => {
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: () => void');
    const { exitCode, text } = app.run('generate.mjs');
    expect(exitCode).toBe(1);
    expect(text).toMatch(/error TS925001: .*Finder\.find/);
    expect(app.read('src/metadata.ts')).toContain('"error"');
  });

  it('leaves out a class that is not exported, and says so', () => {
    app.edit(
      'src/finder.tools.ts',
      'export class',
      'class Hidden { /** Hides. */ @Tool() hide(what: string) { return what; } }\nexport class',
    );
    const { exitCode, text } = app.schemas();
    expect(exitCode).toBe(0);
    expect(text).toContain('warning TS925002: Hidden has tools, but metadata.ts cannot import it. Export it');
    expect(Object.keys(show())).toEqual(['Finder', 'ItemDto']);
  });

  it('is written again by nestor-schemas --watch when a type changes', async () => {
    const watched = app.watch('node_modules/@nestor-ai/compiler/command/nestor-schemas.js', '--watch');
    try {
      await watched.until(/→ src\/metadata.ts/);
      app.edit('src/search-options.ts', 'limit?: number', 'limit?: string');
      await watched.until(/→ src\/metadata.ts/);
      expect(show().Finder.methods.find.parameters[2].schema.properties.limit).toMatchObject({ type: 'string' });
      app.edit('src/search-options.ts', 'limit?: string', 'limit?: () => void');
      await watched.until(/error TS925001/);
    } finally {
      await watched.stop();
    }
  }, 120_000);
});

describe('nestor-schemas', () => {
  let app: FixtureApplication;

  beforeEach(() => {
    app = new FixtureApplication('schemas');
  });

  afterEach(() => app.remove());

  it('checks whether metadata.ts is stale, whatever its format', () => {
    expect(app.schemas('--check')).toEqual({ exitCode: 1, text: 'There is no src/metadata.ts. Run nestor-schemas.\n' });
    app.schemas();
    // As a formatter does: the texts of JSON stay.
    const formatted = app.read('src/metadata.ts').replaceAll(/import\("([^"]*)"/g, "import('$1'");
    app.write('src/metadata.ts', formatted.replaceAll('\n', '\n  '));
    expect(app.schemas('--check')).toEqual({
      exitCode: 0,
      text: 'src/metadata.ts is up to date: 2 tools, types of 2 classes\n',
    });
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: string');
    const { exitCode, text } = app.schemas('--check');
    expect(exitCode).toBe(1);
    expect(text).toBe('src/metadata.ts is stale. Run nestor-schemas. It differs in:\n  Finder in ./finder.tools.js\n');
    expect(app.read('src/metadata.ts')).not.toContain('limit?: string');
  });

  it('reports the tokens of tools and what a model may misunderstand', () => {
    app.edit('src/finder.tools.ts', '/** Orders something. */', '');
    app.edit('src/finder.tools.ts', 'item: ItemDto', 'item: any');
    app.write(
      'src/near.ts',
      `import { Tool } from '@nestor-ai/core';
       export class Near {
         /** Finds. */
         @Tool({ name: 'findd', description: 'Finds.' }) near(place: { street: string }) { return place.street; }
         @Tool({ name: 'look', description: 'Looks.' }) look(things: unknown, kind: object) { return [things, kind].length; }
       }`,
    );
    const { exitCode, text } = app.schemas('--report');
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Tool +Method +File +Tokens\nfind +Finder\.find +src\/finder\.tools\.ts +\d+\norder/);
    expect(text).toMatch(/findd +Near\.near +src\/near\.ts +\d+\n/);
    expect(text).toMatch(/Sum +\d+\n/);
    expect(text).toContain('warning: src/finder.tools.ts: order (Finder.order) has no description.');
    expect(text).toContain("order (Finder.order) takes 'item', whose type allows any value.");
    expect(text).toContain("look (Near.look) takes 'things', whose type allows any value.");
    expect(text).toContain("look (Near.look) takes 'kind', whose type allows any object.");
    expect(text).toContain('find (Finder.find) and findd (Near.near) have names too alike.');
    expect(text).not.toContain('look (Near.look) has no description');
    expect(app.exists('src/metadata.ts')).toBe(false);
    expect(app.schemas('--report', '--max-tokens', '20').text).toMatch(
      /find \(Finder.find\) has \d+ tokens, more than 20/,
    );
  });

  it('fails on these with --check --strict', () => {
    app.edit('src/finder.tools.ts', '/** Orders something. */', '');
    app.schemas();
    expect(app.schemas('--check')).toMatchObject({ exitCode: 0 });
    const { exitCode, text } = app.schemas('--check', '--strict');
    expect(exitCode).toBe(1);
    expect(text).toContain('order (Finder.order) has no description.');
  });

  it('finds the projects of a monorepo', () => {
    app.write(
      'nest-cli.json',
      JSON.stringify({ monorepo: true, projects: { shop: { root: 'apps/shop', sourceRoot: 'apps/shop/src' } } }),
    );
    app.write('apps/shop/tsconfig.app.json', '{ "extends": "../../tsconfig.json", "include": ["src"] }');
    app.write('apps/shop/src/shop.ts', app.read('src/finder.tools.ts').replaceAll("'./", "'../../../src/"));
    expect(app.schemas('shop').text).toBe('2 tools, types of 2 classes → apps/shop/src/metadata.ts\n');
    expect(app.read('apps/shop/src/metadata.ts')).toContain('import("../../../src/item.dto.js" as string)');
    expect(app.schemas('shpo')).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('nest-cli.json has no project shpo. It has shop.'),
    });
  });

  it('writes another file, and ends with exit code 1 when no schema can describe a type', () => {
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: () => void');
    const { exitCode, text } = app.schemas('--out', 'types.ts');
    expect(exitCode).toBe(1);
    expect(text).toContain('error TS925001');
    expect(app.read('types.ts')).toContain('import("./src/finder.tools.js" as string)');
  });

  it('explains its arguments', () => {
    expect(app.schemas('--help')).toMatchObject({ exitCode: 0, text: expect.stringContaining('--watch') });
    for (const [args, message] of [
      [['--wacth'], "Unknown option '--wacth'"],
      [['-p', 'tsconfig.none.json'], 'There is no tsconfig.none.json in'],
      [['a', 'b'], 'There can be one project, not a and b.'],
      [['--watch', '--check'], '--watch writes metadata.ts'],
      [['--strict'], '--strict needs --check.'],
      [['--max-tokens', 'many'], '--max-tokens must be a whole number above 0, not many.'],
    ] as const) {
      expect(app.schemas(...args)).toEqual({ exitCode: 1, text: expect.stringContaining(message) });
      expect(app.schemas(...args).text).toContain('Usage: nestor-schemas');
    }
  });
});
