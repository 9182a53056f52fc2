import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import {
  AiModule,
  AugmentedToolCallback,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  FunctionToolCallback,
  MethodToolCallbackProvider,
  RegisterAdvisor,
  Tool,
  ToolCallback,
  ToolCallbacks,
  ToolParam,
  toolProvider,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { bootstrapError, callOf, resultOf, type Scene, startApplication } from '../nest/application.js';
import { askAs, Roles, rolesGuard } from './roles.js';

const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
});
afterEach(() => void jest.restoreAllMocks());

@Injectable()
class Bank {
  @Roles(['admin'])
  @Tool()
  wipe() {
    return 'wiped';
  }

  @Tool() look() {
    return 'seen';
  }
}
@Module({ providers: [Bank] })
class LazyModule {}
class Foreign extends ToolCallback {
  override readonly toolDefinition = { name: 'wipe', description: 'Wipes', inputSchema: { type: 'object' } };
  override call() {
    return Promise.resolve('wiped');
  }
}
class Why {
  @ToolParam({ required: false }) why?: string;
}
const wiping = (name = 'wipe') => new FunctionToolCallback({ name, toolFunction: () => 'wiped' });

type Unguarded = 'warn' | 'refuse' | 'allow';

const propertiesOf = (unguarded: Unguarded | undefined) => ({
  properties: { tools: { ...(unguarded && { unguarded }), results: { paging: { enabled: true } } } },
});

/** An application with a guard that lets guests wipe nothing. */
function start(
  unguarded?: Unguarded,
  metadata: ModuleMetadata = {},
  guards: Provider[] = [rolesGuard],
): Promise<Scene> {
  const script = [...callOf('wipe'), ...callOf('wipe'), ...callOf('wipe')];
  const providers = [...(metadata.providers ?? []), ...guards];
  return startApplication({ ...metadata, providers }, script, propertiesOf(unguarded));
}

const provideBank = /Provide Bank in a module of the application, and pass Bank itself or the injected instance/;

/** Ways to a tool that no guard of the application runs for, what the place of the tool is, and the remedy. */
const ways: [string, (scene: Scene) => object | Promise<object>, string, RegExp][] = [
  ['an instance made with new', () => new Bank(), 'Bank.wipe()', provideBank],
  ['an instance of ModuleRef.create()', ({ app }) => app.get(ModuleRef).create(Bank), 'Bank.wipe()', provideBank],
  [
    'an instance of a lazy module',
    async ({ app }) => (await app.get(LazyModuleLoader).load(() => LazyModule)).get(Bank),
    'Bank.wipe()',
    provideBank,
  ],
  ['a proxy of an instance', () => new Proxy(new Bank(), {}), 'Bank.wipe()', provideBank],
  [
    'a provider of methods',
    () => new MethodToolCallbackProvider({ toolObjects: [new Bank()] }),
    'Bank.wipe()',
    provideBank,
  ],
  [
    'an augmented method',
    () => new AugmentedToolCallback({ delegate: ToolCallbacks.from(new Bank())[0]!, argumentType: Why }),
    'Bank.wipe() with the arguments of Why',
    provideBank,
  ],
  ['a function', () => wiping(), 'FunctionToolCallback', /a function with toolProvider\(\)/],
  ['a tool of its own class', () => new Foreign(), 'Foreign', /Provide the tool in a module/],
];

describe('a tool that the container does not know', () => {
  it.each(ways)('runs unguarded with a warning, once: %s', async (_way, toolOf, place, remedy) => {
    const scene = await start();
    const tool = await toolOf(scene);
    for (let time = 0; time < 2; time++) expect(await askAs('guest', scene, tool)).toBe('wiped');
    expect(warnings).toEqual([
      expect.stringContaining(`do not run for the tool 'wipe' (${place}), which the container does not know.`),
    ]);
    expect(warnings[0]).toMatch(remedy);
    expect(warnings[0]).toContain('ai.tools.unguarded=allow');
  });

  it.each(ways)('is refused before the model is asked: %s', async (_way, toolOf, place, remedy) => {
    const scene = await start('refuse');
    const tool = await toolOf(scene);
    const refused = expect(askAs('guest', scene, tool)).rejects;
    await refused.toThrow(`would not run for the tool 'wipe' (${place}), which the container does not know`);
    await expect(askAs('guest', scene, tool)).rejects.toThrow(remedy);
    expect(scene.model.prompts).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it.each(ways)('runs in silence where the application allows it: %s', async (_way, toolOf) => {
    const scene = await start('allow');
    expect(await askAs('guest', scene, await toolOf(scene))).toBe('wiped');
    expect(warnings).toEqual([]);
  });

  it('runs without a warning where the application has no guards', async () => {
    const scene = await start('refuse', {}, []);
    expect(await askAs('guest', scene, new Bank())).toBe('wiped');
    expect(warnings).toEqual([]);
  });

  it('is seen also when guards come later, by the call at the latest', async () => {
    const scene = await start('refuse', {}, []);
    const bank = new Bank();
    await askAs('guest', scene, bank);
    scene.app.useGlobalGuards({ canActivate: () => true });
    await expect(askAs('guest', scene, bank)).rejects.toThrow(/would not run for the tool 'wipe'/);
  });

  it('is refused also when an advisor brings it', async () => {
    @RegisterAdvisor()
    @Injectable()
    class Bringing extends BaseAdvisor {
      readonly name = 'bringing';
      override readonly order = -2147483600;
      override before(request: ChatClientRequest) {
        const options = { ...request.prompt.options, toolCallbacks: [wiping()] };
        return { ...request, prompt: request.prompt.with({ options }) };
      }
    }
    const scene = await start('refuse', { providers: [Bringing] });
    await expect(scene.client.prompt('Go').call().content()).rejects.toThrow(/would not run for the tool 'wipe'/);
  });

  it('stops the bootstrap where a named client has it, and is warned of there', async () => {
    const imports = () => [AiModule.forFeature([{ name: 'support', tools: [new Bank()] }])];
    const { message } = await bootstrapError({ imports: imports(), providers: [rolesGuard] }, propertiesOf('refuse'));
    expect(message).toMatch(
      /The tools of the client 'support': .*would not run for the tool 'wipe' \(Bank\.wipe\(\)\)/,
    );
    await start('warn', { imports: imports() });
    expect(warnings).toEqual([expect.stringContaining("do not run for the tool 'wipe'")]);
  });
});

describe('warnings', () => {
  it('are one for each class, and one for each name of a function', async () => {
    const scene = await start('warn');
    await askAs('guest', scene, new Bank(), wiping('one'), wiping('two'));
    await askAs('guest', scene, new Bank(), wiping('one'), wiping('three'));
    expect(warnings.map((text) => /the tool '(\w+)'/.exec(text)?.[1])).toEqual(['wipe', 'one', 'two', 'three']);
  });

  it('are not given for a tool of the loop, even where the configuration describes it', async () => {
    const properties = propertiesOf('refuse').properties;
    const overrides = { read_tool_result: { description: 'Reads on' } };
    const scene = await startApplication({ providers: [Bank, rolesGuard] }, callOf('read_tool_result'), {
      properties: { tools: { ...properties.tools, overrides } },
    });
    expect(await askAs('guest', scene)).toMatch(/Invalid arguments/);
    expect(warnings.filter((text) => text.includes('guards'))).toEqual([]);
  });

  it('are not given for tools that the container knows', async () => {
    const look = toolProvider('look2', { useFactory: () => () => 'seen' });
    const scene = await start('refuse', { providers: [Bank, look] });
    const bank = scene.app.get(Bank);
    for (const tools of [[], [bank], [Bank, new MethodToolCallbackProvider({ toolObjects: [bank] })]]) {
      expect(await askAs('guest', scene, ...tools)).toBe('Forbidden resource');
    }
    expect(warnings).toEqual([]);
  });
});

describe('a client that was made outside of the container', () => {
  it('runs no guard of the application, and says nothing: ChatClient.create()', async () => {
    const { app } = await start('refuse', { providers: [Bank] });
    const model = new ScriptedChatModel(callOf('wipe'));
    await ChatClient.create(model).prompt('Go').tools(app.get(Bank)).call().content();
    expect(resultOf({ app, model, client: app.get(ChatClient) })).toBe('wiped');
    expect(warnings).toEqual([]);
  });
});
