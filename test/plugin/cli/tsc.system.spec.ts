import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FixtureApplication } from './fixture-application.js';

const UNSAYABLE = 'callback: () => void';

describe('nest build with tsc', () => {
  let app: FixtureApplication;

  beforeEach(() => {
    app = new FixtureApplication('tsc');
  });

  afterEach(() => app.remove());

  it('adds the types of tools to their classes', () => {
    expect(app.nest('build')).toMatchObject({ exitCode: 0 });
    const { methods, classes } = app.start();
    expect(methods?.['find']).toMatchObject({
      description: 'Finds hotels in a city.',
      parameters: [
        { name: 'city', required: true, description: 'its name', schema: { type: 'string' } },
        { name: 'unit', required: false, schema: { enum: ['celsius', 'fahrenheit'] } },
        { name: 'options', required: false, schema: { properties: { limit: { type: 'number' } } } },
      ],
    });
    expect(methods?.['order']?.parameters).toMatchObject([{ name: 'item', schema: { $ref: 'class:0' } }]);
    expect(classes).toEqual(['ItemDto']);
  });

  it('renews the types of tools when only an interface in another file has changed', () => {
    app.nest('build');
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: string');
    expect(app.nest('build')).toEqual({ exitCode: 0, text: '' });
    expect(limitOf(app)).toMatchObject({ type: 'string' });
    // Nothing has changed since.
    expect(app.nest('build')).toEqual({ exitCode: 0, text: '' });
    expect(limitOf(app)).toMatchObject({ type: 'string' });
  });

  it('renews the types of tools when only a declaration file has changed', () => {
    app.write('src/global.d.ts', 'interface Place { name: string }');
    app.edit('src/finder.tools.ts', 'city: string', 'city: Place');
    app.edit('src/finder.tools.ts', '${city}', '${city.name}');
    app.nest('build');
    app.write('src/global.d.ts', 'interface Place { name: string; stars: number }');
    expect(app.nest('build')).toEqual({ exitCode: 0, text: '' });
    expect(app.start().methods?.['find']?.parameters[0]?.schema?.properties).toHaveProperty('stars');
  });

  it('does not emit files again that have not changed', () => {
    app.nest('build');
    app.write('dist/app.module.js', '// untouched');
    app.write('dist/finder.tools.js', '// untouched');
    app.edit('src/main.ts', 'Prints what', 'Prints on one line what');
    app.nest('build');
    expect(app.read('dist/app.module.js')).toBe('// untouched');
    expect(app.read('dist/finder.tools.js')).toBe('// untouched');
  });

  it('emits a class of decorators again when no tool takes it any more', () => {
    app.edit('src/item.dto.ts', '@IsString()', '@IsString()\n  /** What it is called. */');
    app.nest('build');
    expect(app.read('dist/item.dto.js')).toContain('nestor.ClassTypes');
    app.edit('src/finder.tools.ts', 'item: ItemDto', 'item: { count: number; name: string }');
    app.nest('build');
    expect(app.read('dist/item.dto.js')).not.toContain('nestor.ClassTypes');
  });

  it('builds everything when the plugin is added to an application that was built without it', () => {
    const config = app.read('nest-cli.json');
    app.edit('nest-cli.json', '"@nestor-ai/compiler"', '');
    app.nest('build');
    expect(app.start().methods).toBeUndefined();
    app.write('nest-cli.json', config);
    const { exitCode, text } = app.nest('build');
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Nestor: tsconfig.tsbuildinfo is of a build without .* Building everything once.\n$/);
    expect(limitOf(app)).toMatchObject({ type: 'number' });
    expect(app.nest('build').text).toBe('');
  });

  it('builds everything when the options of the plugin have changed', () => {
    app.nest('build');
    app.edit('nest-cli.json', '"@nestor-ai/compiler"', '{ "name": "@nestor-ai/compiler", "options": { "some": 1 } }');
    app.delete('dist/finder.tools.js');
    expect(app.nest('build')).toMatchObject({ exitCode: 0, text: expect.stringContaining('Building everything once') });
    expect(limitOf(app)).toMatchObject({ type: 'number' });
  });

  it('names the file to delete when it does not know how to build again', () => {
    app.nest('build');
    app.delete('tsconfig.nestor.tsbuildinfo');
    app.write(
      'build.cjs',
      `const ts = require('typescript');
       const { before } = require('@nestor-ai/compiler/plugin');
       const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, ts.sys);
       before({}, ts.createIncrementalProgram({ rootNames: fileNames, options }).getProgram());`,
    );
    const { exitCode, text } = app.run('build.cjs');
    expect(exitCode).toBe(1);
    expect(text).toMatch(/Error: tsconfig.tsbuildinfo is of a build .* Delete it and build again./);
  });

  it('ends with an error when no schema can describe a type, until the type is mended', () => {
    app.edit('src/finder.tools.ts', 'city: string', UNSAYABLE);
    app.edit('src/finder.tools.ts', '${city}', '');
    for (const _build of [1, 2]) {
      const { exitCode, text } = app.nest('build');
      expect(exitCode).toBe(1);
      expect(text).toMatch(/src\/finder.tools.ts:\d+:\d+ - error TS925001: .*callback.*Finder\.find/s);
      expect(text).toContain('Found 1 error(s).');
    }
    app.edit('src/finder.tools.ts', UNSAYABLE, 'city: string');
    expect(app.nest('build')).toMatchObject({ exitCode: 0 });
    expect(limitOf(app)).toMatchObject({ type: 'number' });
    expect(app.nest('build').text).toBe('');
  });

  it('reports an unsayable type in the file of an interface, and renews the tool when it is mended', () => {
    app.nest('build');
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: () => void');
    expect(app.nest('build')).toMatchObject({ exitCode: 1, text: expect.stringContaining('Found 1 error(s).') });
    app.edit('src/search-options.ts', 'limit?: () => void', 'limit?: boolean');
    expect(app.nest('build')).toMatchObject({ exitCode: 0 });
    expect(limitOf(app)).toMatchObject({ type: 'boolean' });
  });

  it('reports errors of the compiler as well', () => {
    app.edit('src/finder.tools.ts', 'city: string', UNSAYABLE);
    const { exitCode, text } = app.nest('build');
    expect(exitCode).toBe(1);
    expect(text).toContain('error TS2304');
    expect(text).toContain('error TS925001');
    expect(text).toContain('Found 2 error(s).');
  });

  it('says nothing when the output folder is deleted before each build', () => {
    app.edit('nest-cli.json', '"tsConfigPath"', '"deleteOutDir": true, "tsConfigPath"');
    app.nest('build');
    app.edit('src/search-options.ts', 'limit?: number', 'limit?: string');
    expect(app.nest('build')).toEqual({ exitCode: 0, text: '' });
    expect(limitOf(app)).toMatchObject({ type: 'string' });
  });

  it('keeps the source maps', () => {
    app.nest('build');
    const withPlugin = JSON.parse(app.read('dist/finder.tools.js.map'));
    app.edit('nest-cli.json', '"@nestor-ai/compiler"', '');
    app.delete('tsconfig.tsbuildinfo');
    app.nest('build');
    const without = JSON.parse(app.read('dist/finder.tools.js.map'));
    const names = ({ mappings }: { mappings: string }) => mappings.split(';').filter((line) => line !== '').length;
    expect(names(withPlugin)).toBe(names(without));
  });
});

describe('nest build --watch with tsc', () => {
  for (const incremental of [true, false]) {
    it(`renews and reports types${incremental ? '' : ' without a tsbuildinfo file'}`, async () => {
      const app = new FixtureApplication('watch');
      if (!incremental) app.edit('tsconfig.json', '"incremental": true', '"incremental": false');
      const watched = app.watch('nest', 'build', '--watch');
      try {
        await watched.until(/Found 0 errors/);
        app.edit('src/search-options.ts', 'limit?: number', 'limit?: string');
        await watched.until(/Found 0 errors/);
        expect(limitOf(app)).toMatchObject({ type: 'string' });

        app.edit('src/search-options.ts', 'limit?: string', 'limit?: () => void');
        expect(await watched.until(/Found \d+ errors?\./)).toContain('Found 1 error.');
        // An error that has nothing to do with the change stays.
        app.edit('src/main.ts', 'Prints what', 'Prints on one line what');
        expect(await watched.until(/Found \d+ errors?\./)).toMatch(/finder.tools|search-options/);

        app.edit('src/search-options.ts', 'limit?: () => void', 'limit?: boolean');
        await watched.until(/Found 0 errors/);
        expect(limitOf(app)).toMatchObject({ type: 'boolean' });
      } finally {
        await watched.stop();
        app.remove();
      }
    }, 120_000);
  }
});

const limitOf = (app: FixtureApplication) =>
  app.start().methods?.['find']?.parameters[2]?.schema?.properties?.['limit'];
