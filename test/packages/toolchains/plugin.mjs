/*
 * The compiler plugin in applications of `nest new`: with each builder of the Nest CLI, the started
 * application has the types of its tools. Each throws if one is missing.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './applications.mjs';
import { bin, untilWritten, whileRunning } from './steps.mjs';

const SOURCES = fileURLToPath(new URL('../../plugin/application/src', import.meta.url));
const BUILDER = { tsc: 'tsc', swc: { type: 'swc', options: {} }, webpack: 'webpack', rspack: 'rspack' };

/** Where `nest new` has put its files, and those that a build leaves. */
const OF_NEST_NEW = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts'];

/** An application beside that of `nest new`, with its packages and the sources of `test/plugin/`. */
function makePluginApplication(folder, builder, { paths = false } = {}) {
  const app = `${folder}-plugin`;
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app);
  symlinkSync(join(folder, 'node_modules'), join(app, 'node_modules'));
  for (const file of OF_NEST_NEW.filter((name) => existsSync(join(folder, name))))
    cpSync(join(folder, file), join(app, file));
  cpSync(SOURCES, join(app, 'src'), { recursive: true });
  // Without metadata.ts, the plugin writes the types into the classes.
  writeFileSync(join(app, 'src/main.ts'), mainOf(builder === 'swc' || builder === 'rspack'));
  const typeCheck = builder === 'swc' ? { typeCheck: true } : {};
  const compilerOptions = { builder: BUILDER[builder], plugins: ['@nestor-ai/compiler'], ...typeCheck };
  writeFileSync(join(app, 'nest-cli.json'), JSON.stringify({ sourceRoot: 'src', compilerOptions }));
  const isEsm = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).type === 'module';
  if (!isEsm) for (const file of filesOf(app)) edit(app, file, /(from '\.[^']*)\.js'/g, "$1'");
  if (paths) usePaths(app, isEsm);
  return app;
}

/** An application that prints the definition of a tool, where its parts come from, and its answers. */
const mainOf = (hasMetadata) => `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AiModule, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Finder } from './finder.tools.js';
${hasMetadata ? "import metadata from './metadata.js';\n" : ''}
@Module({
  imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel(['Hi'])${hasMetadata ? ', pluginMetadata: metadata' : ''} })],
  providers: [Finder],
})
class AppModule {}

async function bootstrap(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  const registry = app.get(ToolRegistry);
  const call = (name: string, input: object) => registry.get(name)!.callback.call(JSON.stringify(input));
  const { callback, inputSources } = registry.get('find')!;
  const found = await call('find', { city: 'Rome', unit: 'celsius', options: {} });
  const refused = await Promise.resolve(call('find', { city: 'Rome', unit: 'kelvin' })).catch((error: Error) => error.message);
  const ordered = await call('order', { name: 'tea', count: 2 });
  process.stdout.write(JSON.stringify({ ...callback.toolDefinition, inputSources, found, refused, ordered }));
  await app.close();
}

void bootstrap();
`;

const filesOf = (app) => readdirSync(join(app, 'src')).map((file) => `src/${file}`);

function edit(app, file, search, replacement) {
  const text = readFileSync(join(app, file), 'utf8');
  const edited = text.replace(search, replacement);
  writeFileSync(join(app, file), edited);
  return edited !== text;
}

/** A test of the tools as one writes it. */
const specOf = (end, hasMetadata) => `import { Test } from '@nestjs/testing';
import { AiModule, ToolRegistry } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { Finder } from './finder.tools${end}';
${hasMetadata ? `import metadata from './metadata${end}';\n` : ''}
it('has the schemas of production', async () => {
  const options = { chatModel: new ScriptedChatModel([])${hasMetadata ? ', pluginMetadata: metadata' : ''} };
  const module = await Test.createTestingModule({ imports: [AiModule.forRoot(options)], providers: [Finder] }).compile();
  await module.init();
  const { properties } = module.get(ToolRegistry).get('find')!.callback.toolDefinition.inputSchema as any;
  expect(properties.unit.enum).toEqual(['celsius', 'fahrenheit']);
  expect(properties.options.properties.limit.type).toBe('number');
  await module.close();
});
`;

/** The test runner of `nest new` has the types of tools from metadata.ts, with its own configuration. */
async function assertTested(folder) {
  const app = makePluginApplication(folder, 'tsc');
  const isJest = !existsSync(join(app, 'vitest.config.ts'));
  const test = () => (isJest ? bin(app, 'jest') : bin(app, 'vitest', 'run'));
  const write = (hasMetadata) =>
    writeFileSync(join(app, 'src/finder.spec.ts'), specOf(isJest ? '' : '.js', hasMetadata));
  write(false);
  await assert.rejects(test(), /did not build Finder.*run "npx nestor-schemas" of @nestor-ai\/compiler/s);
  await bin(app, 'nestor-schemas');
  write(true);
  await test();
  assert.ok(edit(app, 'src/finder.tools.ts', /city: string, unit\?: ([^,]*)/, 'unit: $1, city: string'));
  await assert.rejects(test(), ({ message }) => {
    assert.match(message, /types of pluginMetadata may be stale/);
    assert.match(message, /has 'unit' as parameter 1, but its types have 'city'/);
    return true;
  });
}

/** Imports through an alias of tsconfig.json. */
function usePaths(app, isEsm) {
  const config = JSON.parse(readFileSync(join(app, 'tsconfig.json'), 'utf8'));
  config.compilerOptions.paths = { '@shop/*': ['./src/*'] };
  config.compilerOptions.isolatedModules = true;
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(config));
  const end = isEsm ? '.js' : '';
  for (const name of ['item.dto', 'search-options'])
    assert.ok(edit(app, 'src/finder.tools.ts', `'./${name}${end}'`, `'@shop/${name}${end}'`));
}

const build = (app, ...options) => bin(app, 'nest', 'build', ...options);

async function printedBy(app, file = 'dist/main.js') {
  return JSON.parse(await run(app, process.execPath, [file]));
}

/** The started application has the types of its tools, and its tools run. */
async function assertTypes(app, limit = 'number', file) {
  const { description, inputSchema, inputSources, found, refused, ordered } = await printedBy(app, file);
  const { city, unit, options } = inputSchema.properties;
  assert.deepEqual([city.description, description], ['its name', 'Finds hotels in a city.']);
  assert.deepEqual(unit.enum, ['celsius', 'fahrenheit']);
  assert.equal(options.properties.limit.type, limit);
  assert.deepEqual(inputSources.parameters, { city: 'types', unit: 'types', options: 'types' });
  assert.match(String(found.text ?? found), /Rome celsius undefined/);
  assert.match(String(refused.text ?? refused), /unit/);
  assert.match(String(ordered.text ?? ordered), /2 tea/);
}

/** The build fails, prints the place and says what to write. */
async function assertRefused(app, builder) {
  edit(app, 'src/search-options.ts', 'limit?: number', 'limit?: () => void');
  const error = await build(app).then(
    () => undefined,
    (failure) => failure,
  );
  assert.ok(error, `nest build with ${builder} must end with an error`);
  assert.match(error.message, /finder\.tools\.ts.*TS925001|search-options\.ts.*TS925001/s);
}

/** Two builds in a row, with the output of the first in place. */
async function assertRenews(app) {
  await assertTypes(app);
  assert.ok(edit(app, 'src/search-options.ts', 'limit?: number', 'limit?: string'));
  await build(app);
  await assertTypes(app, 'string');
  assert.ok(edit(app, 'nest-cli.json', '"@nestor-ai/compiler"', '{"name":"@nestor-ai/compiler","options":{"some":1}}'));
  rmSync(join(app, 'dist/finder.tools.js'), { force: true });
  await build(app);
  await assertTypes(app, 'string');
}

/** A property of the types in compiled code, as JSON or as JavaScript. */
const written = (key, value) => new RegExp(`\\b${key}"?:\\s*${value}`);
const LIMIT = (type) => written('limit', `\\{[^{}]*\\btype"?:\\s*"${type}"`);

/** In watch mode, an interface in another file changes, and then the file of the tools. */
const assertWatches =
  (file, ...commands) =>
  async (app) => {
    const output = join(app, file);
    await whileRunning(app, [['nest', 'build', '--watch'], ...commands], async () => {
      await untilWritten(output, LIMIT('number'));
      assert.ok(edit(app, 'src/search-options.ts', 'limit?: number', 'limit?: string'));
      await untilWritten(output, LIMIT('string'));
      assert.ok(edit(app, 'src/finder.tools.ts', 'Orders something', 'Buys something'));
      await untilWritten(output, written('description', '"Buys something'));
    });
    await assertTypes(app, 'string');
  };

const withBuilder = (builder, act) => async (folder) => act(makePluginApplication(folder, builder), builder);

/** A monorepo with two applications, of which one has the plugin and its sources. */
async function buildMonorepo(folder, builder, file) {
  const app = makePluginApplication(folder, builder);
  mkdirSync(join(app, 'apps/shop'), { recursive: true });
  cpSync(join(app, 'src'), join(app, 'apps/shop/src'), { recursive: true });
  rmSync(join(app, 'src'), { recursive: true });
  const { compilerOptions } = JSON.parse(readFileSync(join(app, 'nest-cli.json'), 'utf8'));
  const shop = {
    type: 'application',
    root: 'apps/shop',
    entryFile: 'main',
    sourceRoot: 'apps/shop/src',
    compilerOptions: { tsConfigPath: 'apps/shop/tsconfig.app.json' },
  };
  writeFileSync(
    join(app, 'nest-cli.json'),
    JSON.stringify({
      monorepo: true,
      root: 'apps/shop',
      sourceRoot: 'apps/shop/src',
      compilerOptions: { ...compilerOptions, tsConfigPath: 'apps/shop/tsconfig.app.json' },
      projects: { shop },
    }),
  );
  writeFileSync(
    join(app, 'apps/shop/tsconfig.app.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { outDir: '../../dist/apps/shop', rootDir: 'src' },
      include: ['src/**/*'],
    }),
  );
  if (
    existsSync(join(app, 'apps/shop/src/main.ts')) &&
    readFileSync(join(app, 'apps/shop/src/main.ts'), 'utf8').includes('metadata')
  )
    await bin(app, 'nestor-schemas', 'shop');
  await build(app, 'shop');
  await assertTypes(app, 'number', file);
}

const OF_ALL = {
  'the compiler plugin with nest build': withBuilder('tsc', async (app) => {
    await build(app);
    await assertRenews(app);
  }),
  'the compiler plugin with isolatedModules and an alias': async (folder) => {
    const app = makePluginApplication(folder, 'tsc', { paths: true });
    await build(app);
    await assertTypes(app);
  },
  'the compiler plugin with swc': withBuilder('swc', async (app) => {
    // The type check needs metadata.ts, which main.ts imports, before the first build.
    await bin(app, 'nestor-schemas');
    await build(app);
    await assertTypes(app);
    assert.ok(edit(app, 'src/search-options.ts', 'limit?: number', 'limit?: string'));
    await build(app);
    await assertTypes(app, 'string');
  }),
  'the compiler plugin in watch mode with swc': withBuilder('swc', async (app) => {
    await bin(app, 'nestor-schemas');
    await assertWatches('dist/metadata.js')(app);
  }),
  'the types of tools in the tests of `nest new`': assertTested,
  'the compiler plugin in a monorepo': (folder) => buildMonorepo(folder, 'tsc', 'dist/apps/shop/main.js'),
  'an unsayable type with the compiler plugin and tsc': withBuilder('tsc', assertRefused),
  'an unsayable type with the compiler plugin and swc': withBuilder('swc', async (app, builder) => {
    await bin(app, 'nestor-schemas');
    await assertRefused(app, builder);
  }),
};

export const PLUGIN_11 = {
  ...OF_ALL,
  'the compiler plugin with webpack': withBuilder('webpack', async (app) => {
    await build(app);
    await assertTypes(app);
  }),
  'the compiler plugin in watch mode with webpack': withBuilder('webpack', assertWatches('dist/main.js')),
  'an unsayable type with the compiler plugin and webpack': withBuilder('webpack', assertRefused),
};

export const PLUGIN_12 = {
  ...OF_ALL,
  'the compiler plugin with rspack and nestor-schemas': withBuilder('rspack', async (app) => {
    await bin(app, 'nestor-schemas');
    await build(app);
    await assertTypes(app);
  }),
  'the compiler plugin in watch mode with rspack': withBuilder('rspack', async (app) => {
    await bin(app, 'nestor-schemas');
    await assertWatches('dist/main.js', ['nestor-schemas', '--watch'])(app);
  }),
  'the compiler plugin with rspack in a monorepo': (folder) =>
    buildMonorepo(folder, 'rspack', 'dist/apps/shop/main.js'),
};
