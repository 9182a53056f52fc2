import { describe, expect, it } from '@jest/globals';
import { InMemoryTree, RecordingContext } from '../in-memory-tree.fixture.js';
import { nestAdd, type NestAddOptions } from './nest-add.js';

const NEST_11 = { dependencies: { '@nestjs/common': '^11.0.1', '@nestjs/core': '^11.0.1', rxjs: '^7.8.1' } };
const NEST_12 = { type: 'module', dependencies: { '@nestjs/core': '^12.0.1' }, devDependencies: { zod: '^4.0.0' } };

/** The files that `nest new` makes, as far as the schematic reads them. */
function application(manifest: object, extension = '', root = 'src'): InMemoryTree {
  const tree = new InMemoryTree();
  tree.create('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
  tree.create(
    `${root}/main.ts`,
    `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module${extension}';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
bootstrap();
`,
  );
  tree.create(
    `${root}/app.module.ts`,
    `import { Module } from '@nestjs/common';
import { AppController } from './app.controller${extension}';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [],
})
export class AppModule {}
`,
  );
  return tree;
}

/** Says what to do next, after the list of files. */
const NEXT = { name: 'run-schematic', options: { name: 'next', options: {} } };

function add(tree: InMemoryTree, options: NestAddOptions = {}) {
  const context = new RecordingContext();
  nestAdd(options)(tree, context);
  return { tasks: context.tasks, warnings: context.warnings };
}

const packagesOf = (tree: InMemoryTree) =>
  (JSON.parse(tree.readText('package.json')) as { dependencies: Record<string, string> }).dependencies;

describe('nest add', () => {
  it('adds modules, an example with its test, and .env to an application of Nest 11', () => {
    const tree = application(NEST_11);
    const { tasks, warnings } = add(tree, { sourceRoot: 'src' });
    expect(warnings).toEqual([]);
    expect([...tree.files.keys()].sort()).toEqual([
      '.env',
      '.env.example',
      '.gitignore',
      'package.json',
      'src/app.module.ts',
      'src/chat/chat.controller.ts',
      'src/chat/chat.module.ts',
      'src/chat/weather.tools.ts',
      'src/main.ts',
      'test/chat.e2e-spec.ts',
    ]);
    expect(tree.readText('src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { AppController } from './app.controller';
import { ConfigModule } from '@nestjs/config';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule } from '@nestor-ai/core';
import { ChatModule } from './chat/chat.module';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ provider: 'openai', name: 'gpt-5-mini' }),
    AiModule.forRoot(),
    ChatModule,
  ],
  controllers: [AppController],
  providers: [],
})
export class AppModule {}
`);
    expect(tree.readText('test/chat.e2e-spec.ts')).toContain("from '../src/app.module';");
    expect(tree.readText('.env')).toContain('AI_MODEL_API_KEY=\n');
    expect(tree.readText('.env')).toContain('NODE_ENV=development\n');
    expect(tree.readText('.gitignore')).toBe('node_modules\ndist\n.env\n');
    expect(packagesOf(tree)).toMatchObject({
      '@ai-sdk/openai': '^3.0.0',
      '@nestjs/common': '^11.0.1',
      '@nestjs/config': '^4.0.0',
      '@nestor-ai/core': expect.stringMatching(/^\^\d/),
      'class-validator': '^0.15.0',
      zod: '^4.1.8',
    });
    expect(tasks).toEqual([{ name: 'node-package', options: { command: 'install', quiet: true } }, NEXT]);
  });

  it('writes ES modules for an application of Nest 12, and keeps the ranges that it has', () => {
    const tree = application(NEST_12, '.js');
    expect(add(tree).warnings).toEqual([]);
    expect(tree.readText('src/app.module.ts')).toContain("from './chat/chat.module.js';");
    expect(tree.readText('src/chat/chat.module.ts')).toContain("from './weather.tools.js';");
    expect(tree.readText('test/chat.e2e-spec.ts')).toContain("from 'supertest/types.js';");
    expect(packagesOf(tree)).toMatchObject({ '@nestjs/config': '^12.0.0', '@nestjs/core': '^12.0.1' });
    expect(packagesOf(tree)).not.toHaveProperty('zod');
    expect(packagesOf(tree)).not.toHaveProperty('@nestjs/event-emitter');
  });

  it('changes nothing and installs nothing when run a second time', () => {
    const tree = application(NEST_11);
    add(tree);
    const before = new Map(tree.files);
    expect(add(tree)).toEqual({ tasks: [NEXT], warnings: [] });
    expect(tree.files).toEqual(before);
  });

  describe('where the compiler plugin runs', () => {
    const scripts = { build: 'nest build', test: 'jest', 'test:e2e': 'jest --config ./test/jest-e2e.json' };

    function withPlugin(manifest: object): InMemoryTree {
      const tree = application(manifest);
      tree.create('nest-cli.json', '{}');
      return tree;
    }

    it('makes an example with types, and gives them to the tests', () => {
      const tree = withPlugin({ ...NEST_11, scripts });
      expect(add(tree).warnings).toEqual([]);
      expect(tree.readText('src/chat/weather.tools.ts')).toContain("unit: 'celsius' | 'fahrenheit' = 'celsius'");
      const module = tree.readText('src/app.module.ts');
      expect(module).toContain("import metadata from './metadata';\n");
      expect(module).toContain('    AiModule.forRoot({ pluginMetadata: metadata }),\n');
      expect(tree.readText('src/metadata.ts')).toContain('Written by nestor-schemas.');
      expect(JSON.parse(tree.readText('package.json'))).toMatchObject({
        scripts: { ...scripts, prebuild: 'nestor-schemas', pretest: 'nestor-schemas', 'pretest:e2e': 'nestor-schemas' },
      });
      const before = new Map(tree.files);
      expect(add(tree)).toEqual({ tasks: [NEXT], warnings: [] });
      expect(tree.files).toEqual(before);
    });

    it.each<[string, (tree: InMemoryTree) => void, object]>([
      ['has a script before its tests', () => undefined, { ...scripts, pretest: 'npm run lint' }],
      ['has no tests', () => undefined, { build: 'nest build' }],
      [
        'has something named metadata',
        (tree) => tree.overwrite('src/app.module.ts', `const metadata = {};\n${tree.readText('src/app.module.ts')}`),
        scripts,
      ],
      ['has a folder metadata', (tree) => tree.create('src/metadata/index.ts', 'export {};\n'), scripts],
      ['has a metadata.ts', (tree) => tree.create('src/metadata.ts', 'export default {};\n'), scripts],
    ])('describes the example by decorators if the application %s', (_what, change, given) => {
      const tree = withPlugin({ ...NEST_11, scripts: given });
      change(tree);
      expect(add(tree).warnings).toEqual([]);
      expect(tree.readText('src/chat/weather.tools.ts')).toContain('@ToolParam(');
      expect(tree.readText('src/app.module.ts')).toContain('AiModule.forRoot(),');
      expect(JSON.parse(tree.readText('package.json'))).toMatchObject({ scripts: given });
    });
  });

  it.each([
    ['{}', { compilerOptions: { plugins: ['@nestor-ai/compiler'] } }],
    [
      '{"sourceRoot":"src","compilerOptions":{"deleteOutDir":true,"builder":"webpack","plugins":["@nestjs/swagger"]}}',
      {
        sourceRoot: 'src',
        compilerOptions: {
          deleteOutDir: true,
          builder: 'webpack',
          plugins: ['@nestjs/swagger', '@nestor-ai/compiler'],
        },
      },
    ],
  ])('adds the compiler plugin to %s', (before, after) => {
    const tree = application(NEST_11);
    tree.create('nest-cli.json', before);
    add(tree);
    expect(JSON.parse(tree.readText('nest-cli.json'))).toEqual(after);
    const text = tree.readText('nest-cli.json');
    add(tree);
    expect(tree.readText('nest-cli.json')).toBe(text);
  });

  it.each([
    '{"compilerOptions":{"builder":"swc"}}',
    '{"compilerOptions":{"builder":{"type":"rspack"}}}',
    '{"compilerOptions":{"plugins":[{"name":"@nestor-ai/compiler"}]}}',
    '// comments\n{}',
    'null',
  ])('leaves nest-cli.json as it is: %s', (text) => {
    const tree = application(NEST_11);
    tree.create('nest-cli.json', text);
    add(tree);
    expect(tree.readText('nest-cli.json')).toBe(text);
  });

  it('finds the application of a monorepo, and the module that main.ts names', () => {
    const tree = application(NEST_11, '', 'apps/shop/src');
    const main = tree.readText('apps/shop/src/main.ts').replace('./app.module', './shop.module');
    tree.overwrite('apps/shop/src/main.ts', main.replaceAll('AppModule', 'ShopModule'));
    const module = tree.readText('apps/shop/src/app.module.ts');
    tree.files.delete('apps/shop/src/app.module.ts');
    tree.create('apps/shop/src/shop.module.ts', module.replace('AppModule', 'ShopModule'));
    expect(add(tree, { sourceRoot: 'apps/shop/src' }).warnings).toEqual([]);
    expect(tree.readText('apps/shop/src/shop.module.ts')).toContain('AiModule.forRoot()');
    expect(tree.exists('apps/shop/src/chat/chat.controller.ts')).toBe(true);
    expect(tree.readText('apps/shop/test/chat.e2e-spec.ts')).toContain(
      "import { ShopModule } from '../src/shop.module';",
    );
  });

  it('leaves your .env as it is, names the missing line, and adds to .env.example and .gitignore', () => {
    const tree = application(NEST_11);
    tree.create('.env', 'SECRET=1');
    tree.create('.env.example', 'SECRET=');
    tree.create('.gitignore', 'dist\n.env.local');
    expect(add(tree).warnings).toEqual([
      'Add AI_MODEL_API_KEY=<your key> to .env: the file exists, so it was left as it is.',
    ]);
    expect(tree.readText('.env')).toBe('SECRET=1');
    expect(tree.readText('.env.example')).toMatch(/^SECRET=\n[^]*\nAI_MODEL_API_KEY=\n$/);
    expect(tree.readText('.gitignore')).toBe('dist\n.env.local\n.env\n');
  });

  it.each(['.env', '/.env', '.env*', '*.env'])('understands %s in .gitignore', (line) => {
    const tree = application(NEST_11);
    tree.create('.gitignore', `dist\n${line}\n`);
    add(tree);
    expect(tree.readText('.gitignore')).toBe(`dist\n${line}\n`);
  });

  it('leaves a chat module of yours alone, and writes no example when you want none', () => {
    const written = application(NEST_11);
    written.create('src/chat/chat.module.ts', 'export class ChatModule {}\n');
    const listed = application(NEST_11);
    listed.overwrite(
      'src/app.module.ts',
      `import { ChatModule } from './talk/chat.module';\n${listed.readText('src/app.module.ts').replace('[]', '[ChatModule]')}`,
    );
    for (const tree of [written, listed]) {
      expect(add(tree).warnings).toEqual(['There is a ChatModule already, so no example was written.']);
    }
    expect(written.readText('src/chat/chat.module.ts')).toBe('export class ChatModule {}\n');
    const unwanted = application(NEST_11);
    expect(add(unwanted, { example: false }).warnings).toEqual([]);
    for (const tree of [written, listed, unwanted]) {
      expect(tree.readText('src/app.module.ts')).toContain('AiModule.forRoot()');
      expect(tree.exists('src/chat/weather.tools.ts')).toBe(false);
      expect(tree.exists('test/chat.e2e-spec.ts')).toBe(false);
    }
  });

  it('names the class with @Module() in the test, and writes none when nobody can import that', () => {
    const second = application(NEST_11);
    const text = second.readText('src/app.module.ts');
    second.overwrite('src/app.module.ts', text.replace('@Module', 'export class Helper {}\n\n@Module'));
    expect(add(second).warnings).toEqual([]);
    expect(second.readText('test/chat.e2e-spec.ts')).toContain('import { AppModule }');
    const byDefault = application(NEST_11);
    byDefault.overwrite('src/app.module.ts', text.replace('export class', 'export default class'));
    expect(add(byDefault).warnings).toEqual([
      'src/app.module.ts does not export its module by a name, so no test was written.',
    ]);
    expect(byDefault.exists('src/chat/chat.module.ts')).toBe(true);
    expect(byDefault.exists('test/chat.e2e-spec.ts')).toBe(false);
  });

  it('says what it could not do', () => {
    const dynamic = application(NEST_11);
    dynamic.overwrite('src/app.module.ts', '@Module({ imports: modules })\nexport class AppModule {}\n');
    expect(add(dynamic).warnings).toEqual([
      expect.stringMatching(/^src\/app\.module\.ts was not changed: its imports are not an array literal\. Add these/),
    ]);
    const elsewhere = application(NEST_11, '', 'server');
    expect(add(elsewhere, { sourceRoot: 'undefined' }).warnings).toEqual([
      expect.stringMatching(
        /^There is no app\.module\.ts in src\. Add these to the imports of your root module: ConfigM/,
      ),
    ]);
    const local = application(NEST_11);
    local.overwrite(
      'src/app.module.ts',
      local.readText('src/app.module.ts').replace('imports: []', 'imports: [ConfigModule.forRoot()]'),
    );
    expect(add(local).warnings).toEqual([
      'ConfigModule is not global in src/app.module.ts: give it isGlobal: true, or Nestor does not read your configuration.',
    ]);
    const uninstalled = application(NEST_11);
    const { tasks, warnings } = add(uninstalled, { skipInstall: true });
    expect(tasks).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^Install the packages that were added to package\.json: .*zod/)]);
    expect(() => add(new InMemoryTree())).toThrow('There is no package.json here.');
  });
});
