import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryTree, RecordingContext } from '../in-memory-tree.fixture.js';
import type { Tree } from '../tree.js';
import { tool, type ToolOptions } from './tool.js';

const MODULE = `import { Module } from '@nestjs/common';

@Module({
  imports: [],
  providers: [],
})
export class AppModule {}
`;

function generate(tree: Tree, options: ToolOptions): string[] {
  const context = new RecordingContext();
  tool(options)(tree, context);
  return context.warnings;
}

describe('nest generate tool', () => {
  let tree: Tree;
  beforeEach(() => {
    tree = new InMemoryTree();
    tree.create('package.json', '{}');
    tree.create('src/app.module.ts', MODULE);
  });

  it('creates a class and its test, and provides the class in the nearest module', () => {
    expect(generate(tree, { name: 'sendMail', sourceRoot: 'src' })).toEqual([]);
    const file = tree.readText('src/send-mail/send-mail.tools.ts');
    expect(file).toContain('export class SendMailTools {');
    expect(file).toContain('\n  sendMail(\n');
    expect(tree.readText('src/send-mail/send-mail.tools.spec.ts')).toContain("from './send-mail.tools';");
    expect(tree.readText('src/app.module.ts')).toBe(
      MODULE.replace('providers: []', 'providers: [SendMailTools]').replace(
        "common';\n",
        "common';\nimport { SendMailTools } from './send-mail/send-mail.tools';\n",
      ),
    );
  });

  it('prefers the module of the folder, and takes a folder from name and path', () => {
    tree.create('src/shop/orders/orders.module.ts', MODULE.replace('AppModule', 'OrdersModule'));
    expect(generate(tree, { name: 'orders/cancel_order', path: 'shop', flat: true, spec: false })).toEqual([]);
    expect(tree.readText('src/shop/orders/cancel-order.tools.ts')).toContain('class CancelOrderTools');
    expect(tree.exists('src/shop/orders/cancel-order.tools.spec.ts')).toBe(false);
    expect(tree.readText('src/shop/orders/orders.module.ts')).toContain("from './cancel-order.tools';");
    expect(tree.readText('src/app.module.ts')).toBe(MODULE);
  });

  it('writes .js specifiers in ES modules, and the quotes of the module', () => {
    tree.overwrite('package.json', '{"type":"module"}');
    tree.overwrite('src/app.module.ts', MODULE.replaceAll("'", '"'));
    generate(tree, { name: 'weather', specFileSuffix: 'test' });
    expect(tree.readText('src/weather/weather.tools.test.ts')).toContain('from "./weather.tools.js";');
    expect(tree.readText('src/app.module.ts')).toContain('from "./weather/weather.tools.js";');
  });

  it.each(["it's", 'a+b', 'send mail!', 'über', '1st'])(
    'writes nothing for the name %j, and says which names there are',
    (name) => {
      expect(() => generate(tree, { name })).toThrow(
        `starts with a letter from a to z, then has these, digits and dashes, and '${name}' does not.`,
      );
      expect(tree.readText('src/app.module.ts')).toBe(MODULE);
    },
  );

  it.each([
    ['weather', false, '../metadata'],
    ['shop/weather', false, '../../metadata'],
    ['weather', true, './metadata'],
  ])('of the name %s, flat %s, relies on types where tests have them', (name, flat, from) => {
    tree.create('src/metadata.ts', 'export default undefined;');
    expect(generate(tree, { name, flat })).toEqual([]);
    const folder = flat ? 'src' : `src/${name}`;
    expect(tree.readText(`${folder}/weather.tools.ts`)).toContain('  @Tool()\n  weather(input: string) {\n');
    const spec = tree.readText(`${folder}/weather.tools.spec.ts`);
    expect(spec).toContain(`import metadata from '${from}';\nimport { WeatherTools }`);
    expect(spec).toContain('        AiModule.forRoot({ chatModel: model, pluginMetadata: metadata }),\n');
  });

  it('changes nothing when run a second time, and says so', () => {
    generate(tree, { name: 'weather' });
    const before = tree.readText('src/app.module.ts');
    expect(generate(tree, { name: 'weather' })).toEqual([
      'src/weather/weather.tools.ts exists, so it was left as it is.',
      'src/weather/weather.tools.spec.ts exists, so it was left as it is.',
    ]);
    expect(tree.readText('src/app.module.ts')).toBe(before);
  });

  it('says what it could not do', () => {
    tree.overwrite('src/app.module.ts', MODULE.replace('providers: []', 'providers'));
    expect(generate(tree, { name: 'weather' })).toEqual([
      'src/app.module.ts was not changed: its providers are not an array literal. Add WeatherTools to its providers.',
    ]);
    expect(generate(tree, { name: 'weather', sourceRoot: 'server' })).toEqual([
      'There is no module above server/weather. Add WeatherTools to the providers of one.',
    ]);
    expect(generate(tree, { name: 'rain', sourceRoot: 'server', skipImport: true })).toEqual([]);
    expect(() => generate(tree, { name: '404' })).toThrow("and '404' does not");
  });
});
