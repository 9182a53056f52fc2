import { describe, expect, it } from '@jest/globals';
import { Module, Scope } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import {
  type Advisor,
  AiExtension,
  AiModule,
  BaseAdvisor,
  booleanProperty,
  type ChatClient,
  type ChatClientRequest,
  type ExtensionContext,
  getChatClientToken,
  RegisterAdvisor,
  type RequestServices,
  serviceKey,
  servicesOf,
  textProperty,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { bootstrapError, startApplication } from './application.js';

const GREETING = { enabled: booleanProperty(false), text: textProperty() };
const GREETER = serviceKey<{ readonly text: string }>('test.Greeter');

type Context = ExtensionContext<typeof GREETING>;

/** Greets with what it finds among the services of a request. */
class Greeting extends BaseAdvisor {
  readonly name = 'Greeting';

  override before(request: ChatClientRequest): ChatClientRequest {
    const text = servicesOf(request)?.get(GREETER)?.text ?? 'nobody';
    return { ...request, prompt: request.prompt.augmentUserMessage(text) };
  }
}

class GreetingExtension extends AiExtension<typeof GREETING> {
  override readonly properties = { path: 'greeting', tree: GREETING };
  readonly #advisors = [new Greeting()];

  override check(clientNames: readonly string[], { values }: Context): readonly string[] {
    return values.text === undefined && values.enabled
      ? [`ai.greeting.text is missing for ${clientNames.join()}.`]
      : [];
  }

  override services(services: RequestServices, { values }: Context): void {
    services.set(GREETER, { text: `${values.text} ${services.clientName}` });
  }

  override advisors(_client: string, { values }: Context): readonly Advisor[] {
    return values.enabled ? this.#advisors : [];
  }
}

@Module({ providers: [{ provide: AiExtension, useClass: GreetingExtension }] })
class GreetingModule {}

const configured = (values: object) =>
  ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => values] });

describe('an AiExtension', () => {
  it.each([
    ['in nested objects', { ai: { greeting: { enabled: true, text: 'Hello' } } }],
    ['as flat keys', { 'ai.greeting.enabled': 'true', 'ai.greeting.text': 'Hello' }],
    ['as variables', { AI_GREETING_ENABLED: 'true', AI_GREETING_TEXT: 'Hello' }],
  ])('reads its properties %s, and serves each client', async (_how, values) => {
    const support = AiModule.forFeature([{ name: 'support' }]);
    const { app, client, model } = await startApplication({ imports: [configured(values), support, GreetingModule] }, [
      'one',
      'two',
    ]);
    await client.prompt('Hi').call().content();
    expect(model.lastPrompt?.messages.at(-1)?.text).toBe('Hello default');
    await app.get<ChatClient>(getChatClientToken('support'), { strict: false }).prompt('Hi').call().content();
    expect(model.lastPrompt?.messages.at(-1)?.text).toBe('Hello support');
  });

  it('has all its problems reported with those of the application', async () => {
    const values = { ai: { greeting: { enabled: 'perhaps', txt: 'Hello' }, tools: { concurrency: 0 } } };
    const { message } = await bootstrapError({ imports: [configured(values), GreetingModule] });
    expect(message).toContain("ai.greeting.enabled is 'perhaps', but has to be true or false");
    expect(message).toContain('Did you mean ai.greeting.text?');
    expect(message).toContain('ai.tools.concurrency');
    const enabled = await bootstrapError({ imports: [configured({ 'ai.greeting.enabled': true }), GreetingModule] });
    expect(enabled.message).toContain('ai.greeting.text is missing for default.');
  });

  it('has to be a singleton', async () => {
    @Module({ providers: [{ provide: AiExtension, useClass: GreetingExtension, scope: Scope.REQUEST }] })
    class ScopedModule {}

    const { message } = await bootstrapError({ imports: [ScopedModule] });
    expect(message).toContain('The AiExtension of ScopedModule is request-scoped or transient');
  });

  it('may be an alias, and counts once', async () => {
    let checks = 0;
    class CountingExtension extends AiExtension {
      override check(): readonly string[] {
        checks++;
        return [];
      }
    }
    const alias = { provide: AiExtension, useExisting: CountingExtension };
    @Module({ providers: [CountingExtension, alias], exports: [CountingExtension] })
    class OneModule {}
    @Module({ imports: [OneModule], providers: [alias] })
    class OtherModule {}
    await startApplication({ imports: [OneModule, OtherModule] });
    expect(checks).toBe(1);
  });

  it.each([
    ['check', 'a broken check'],
    ['services', 'broken services'],
    ['advisors', 'broken advisors'],
  ] as const)('that throws in %s() stops the bootstrap', async (method, text) => {
    class BrokenExtension extends AiExtension {}
    const broken = (): never => {
      throw new TypeError(text);
    };
    Object.assign(BrokenExtension.prototype, { [method]: broken });
    const { message } = await bootstrapError(
      { providers: [{ provide: AiExtension, useClass: BrokenExtension }] },
      { properties: { tools: { concurrency: 0 } } },
    );
    expect(message).toContain(`The AiExtension BrokenExtension has failed: ${text}`);
    expect(message).toContain('ai.tools.concurrency');
  });

  it('cannot read what AiModule reads', async () => {
    class ThiefExtension extends AiExtension {
      override readonly properties = { path: 'tools.limits', tree: {} };
    }
    const { message } = await bootstrapError({ providers: [{ provide: AiExtension, useClass: ThiefExtension }] });
    expect(message).toContain('The AiExtension ThiefExtension has failed: AiModule reads ai.tools.limits.* itself.');
  });

  it('may bring a tool loop, which @RegisterAdvisor() replaces', async () => {
    class Loop extends ToolCallingAdvisor {
      override readonly name: string = 'of the extension';
    }
    class LoopExtension extends AiExtension {
      readonly #loop = new Loop();
      override advisors(): readonly Advisor[] {
        return [this.#loop];
      }
    }
    @Module({ providers: [{ provide: AiExtension, useClass: LoopExtension }] })
    class LoopModule {}

    @RegisterAdvisor()
    class Registered extends ToolCallingAdvisor {
      override readonly name = 'registered';
    }
    const chain: string[] = [];
    class Watching extends BaseAdvisor {
      readonly name = 'Watching';
      override adviseCall(...[request, next]: Parameters<BaseAdvisor['adviseCall']>) {
        chain.push(...next.advisors.map(({ name }) => name));
        return next.nextCall(request);
      }
    }
    for (const providers of [[], [Registered]]) {
      const { client } = await startApplication({ imports: [LoopModule], providers }, ['done']);
      await client.prompt('Hi').advisors(new Watching()).call().content();
    }
    expect(chain.filter((name) => /of the extension|registered/.test(name))).toEqual([
      'of the extension',
      'registered',
    ]);
  });
});

describe('properties of a package whose module is not imported', () => {
  it.each([
    ['ai.mcp.*', 'McpClientModule of @nestor-ai/mcp', { ai: { mcp: { servers: { files: { command: 'npx' } } } } }],
    ['ai.postgres.*', 'PostgresAiModule of @nestor-ai/postgres', { 'ai.postgres.schema': 'ai' }],
    ['ai.inspector.*', 'AiInspectorModule of @nestor-ai/inspector', { 'ai.inspector.enabled': 'true' }],
    ['ai.bullmq.*', 'BullAiModule of @nestor-ai/bullmq', { ai: { bullmq: { concurrency: 2 } } }],
  ])('stop the bootstrap: %s', async (key, needs, values) => {
    const { message } = await bootstrapError({ imports: [configured(values)] });
    expect(message).toContain(`${key} needs ${needs}. Import it, or remove these properties.`);
  });

  it('are read by who says so, whatever a minifier calls its class', async () => {
    class A extends AiExtension {
      override readonly properties = { path: 'inspector' };
    }
    @Module({ providers: [{ provide: AiExtension, useValue: new A() }] })
    class B {}
    await startApplication({ imports: [configured({ 'ai.inspector.content': 'true' }), B] });
  });

  it('are no problem if they turn it off, or are variables that applications share', async () => {
    const values = { 'ai.inspector.enabled': 'false', 'ai.inspector.path': 'ai', AI_POSTGRES_SCHEMA: 'ai' };
    await startApplication({ imports: [configured(values)] });
  });
});
