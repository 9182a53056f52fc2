import { describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  type Provider,
  Scope,
  SetMetadata,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, Reflector, REQUEST } from '@nestjs/core';
import {
  AiToolExecutionContext,
  AugmentedToolCallback,
  AugmentedToolCallbackProvider,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  FunctionToolCallback,
  getToolToken,
  MethodToolCallback,
  MethodToolCallbackProvider,
  RegisterAdvisor,
  StaticToolCallbackProvider,
  StaticToolCallbackResolver,
  Tool,
  ToolCallback,
  ToolCallbackProvider,
  ToolCallbackResolver,
  ToolCallbacks,
  ToolCallResultConverter,
  ToolProviderStatus,
  ToolParam,
  toolProvider,
} from '@nestor-ai/core';
import { map, of } from 'rxjs';
import {
  askForResult as ask,
  bootstrapError,
  callOf,
  offeredTools,
  resultOf,
  type Scene,
  startApplication as start,
} from './application.js';
import { until } from '../until.js';

class Now extends ToolCallback {
  override readonly toolDefinition = { name: 'now', description: 'The time', inputSchema: { type: 'object' } };
  override call(): Promise<string> {
    return Promise.resolve('SECRET');
  }
}
class Reason {
  @ToolParam({ required: false }) reason?: string;
}
@Injectable()
class Host {
  @Tool() secret() {
    return 'SECRET';
  }
}
const denied: CanActivate = { canActivate: () => false };
const denyAll: Provider = { provide: APP_GUARD, useValue: denied };
class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

describe('the guards of the application hold, whatever way a tool takes', () => {
  const base = (): Provider[] => [Now, Host, denyAll];

  it.each<[string, (scene: Scene) => unknown]>([
    ['the instance', ({ app }) => app.get(Now)],
    ['the class', () => Now],
    ['the name', () => 'now'],
    [
      'an augmented one around it',
      ({ app }) => new AugmentedToolCallback({ delegate: app.get(Now), argumentType: Reason }),
    ],
    ['a provider of it', ({ app }) => new StaticToolCallbackProvider(app.get<ToolCallback>(Now))],
  ])('%s', async (_name, toolOf) => {
    const scene = await start({ providers: base() }, callOf('now'));
    await scene.client
      .prompt('Go')
      .tools(toolOf(scene) as object)
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it.each<[string, (scene: Scene) => object[]]>([
    ['made outside of the container', ({ app }) => ToolCallbacks.from(app.get(Host))],
    [
      'wrapped by a provider of somebody else',
      ({ app }) => {
        const inner = new MethodToolCallbackProvider({ toolObjects: [app.get(Host)] });
        return [new StaticToolCallbackProvider(inner.getToolCallbacks())];
      },
    ],
  ])('a method, %s', async (_name, toolsOf) => {
    const scene = await start({ providers: base() }, callOf('secret'));
    await scene.client
      .prompt('Go')
      .tools(...toolsOf(scene))
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it('by a resolver, by the defaults of the model, by an advisor', async () => {
    const instance = new Now();
    const provided = { provide: Now, useValue: instance };
    const resolver = { provide: ToolCallbackResolver, useValue: new StaticToolCallbackResolver([instance]) };
    const byName = await start({ providers: [provided, denyAll] }, callOf('now'), { providers: [resolver] });
    await byName.client.prompt('Go').tools('now').call().content();
    expect(resultOf(byName)).toBe('Forbidden resource');

    @RegisterAdvisor()
    @Injectable()
    class Bringing extends BaseAdvisor {
      readonly name = 'bringing';
      override readonly order = -2147483600;
      override before(request: ChatClientRequest) {
        const { options } = request.prompt;
        return { ...request, prompt: request.prompt.with({ options: { ...options, toolCallbacks: [instance] } }) };
      }
    }
    const properties = { chat: { client: { defaultTools: 'none' as const } } };
    const advised = await start({ providers: [provided, denyAll, Bringing] }, callOf('now'), { properties });
    expect(await ask(advised)).toBe('Forbidden resource');
  });

  it('a function made for a request and handed over', async () => {
    const tool = toolProvider('f', { inject: [REQUEST], useFactory: () => () => 'SECRET' });
    const scene = await start({ providers: [tool, denyAll] }, callOf('f'));
    expect(await ask(scene)).toBe('Forbidden resource');
  });
});

describe('enhancers of tools that are providers themselves', () => {
  @Catch(RangeError)
  class Hiding implements ExceptionFilter {
    catch() {
      return 'hidden';
    }
  }
  class Redacting implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler) {
      return next.handle().pipe(map((value: object) => ({ ...value, password: undefined })));
    }
  }
  const find = toolProvider('find', { useFactory: () => () => ({ id: 1, password: 'hunter2' }) });
  const fail = toolProvider('fail', {
    useFactory: () => () => {
      throw new RangeError('db password');
    },
  });
  class Statics {
    @SetMetadata('roles', ['admin'])
    @Tool()
    static drop() {
      return { dropped: 1 };
    }
  }

  it('see the values and errors of functions and static methods, not their text', async () => {
    const providers = [find, fail, Statics];
    const filtered = await start(
      { providers: [...providers, { provide: APP_FILTER, useClass: Hiding }] },
      callOf('fail'),
    );
    expect(await ask(filtered)).toBe('hidden');
    const redacted = await start({ providers: [...providers, { provide: APP_INTERCEPTOR, useClass: Redacting }] }, [
      ...callOf('find'),
      ...callOf('drop'),
    ]);
    expect(await ask(redacted)).toBe('{"id":1}');
    expect(await ask(redacted)).toBe('{"dropped":1}');
  });

  it('see the arguments before they are validated, and the metadata of a static method', async () => {
    const seen: unknown[] = [];
    @Injectable()
    class Roles implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext) {
        const roles = this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]);
        seen.push(roles, context.getClass().name, AiToolExecutionContext.of(context).args[0]);
        return !roles;
      }
    }
    const twice = toolProvider('twice', { inputType: Number, useFactory: () => (n: number) => n * 2 });
    const providers = [Statics, twice, { provide: APP_GUARD, useClass: Roles }];
    const scene = await start({ providers }, [...callOf('drop'), ...callOf('twice', { input: '4' })]);
    expect(await ask(scene)).toBe('Forbidden resource');
    expect(await ask(scene)).toBe('8');
    expect(seen).toEqual([['admin'], 'Statics', undefined, undefined, 'FunctionToolCallback', { input: '4' }]);
  });

  @UseGuards(Deny)
  class Closed extends Now {}
  class Guarded extends Now {
    @UseGuards(Deny)
    override call(): Promise<string> {
      return super.call();
    }
  }
  class Overriding extends Guarded {
    override call(): Promise<string> {
      return Promise.resolve('SECRET');
    }
  }
  @UseGuards(Deny)
  class ClosedProvider extends ToolCallbackProvider {
    getToolCallbacks() {
      return [new Now()];
    }
  }
  class Piped extends Now {
    @UsePipes(ValidationPipe)
    override call(): Promise<string> {
      return super.call();
    }
  }
  const scopedGuard: Provider = {
    provide: APP_GUARD,
    scope: Scope.REQUEST,
    inject: [REQUEST],
    useFactory: () => denied,
  };

  it.each<[string, Provider[], RegExp]>([
    [
      'a guard class that Nest does not make',
      [{ provide: 'c', useFactory: () => new Closed() }],
      /Closed\.call\(\) has Deny/,
    ],
    ['a guard that an overriding method loses', [Overriding], /Overriding\.call\(\) would run without its guards/],
    [
      'a guard on a provider of tools',
      [ClosedProvider],
      /ToolCallbackProvider ClosedProvider has guards, which would not run/,
    ],
    ['pipes', [Piped], /Piped\.call\(\) has pipes/],
    [
      'a request-scoped global guard before a ToolCallback',
      [Now, scopedGuard],
      /The ToolCallback Now in \w+ is not a @Tool\(\) method/,
    ],
    [
      'the same before a function',
      [find, scopedGuard],
      /The tool 'find' in \w+ is not a @Tool\(\) method.*make them singletons/,
    ],
    [
      'the same before a static method',
      [Statics, scopedGuard],
      /The static tool Statics\.drop\(\) is not a @Tool\(\) method/,
    ],
  ])('stop the bootstrap where they would not run: %s', async (_name, providers, message) => {
    expect((await bootstrapError({ providers })).message).toMatch(message);
  });
});

describe('functions behind guards', () => {
  const allowAll: Provider = { provide: APP_GUARD, useValue: { canActivate: () => true } };

  it('may give a stream, whose last item is the result', async () => {
    const count = toolProvider('count', { useFactory: () => () => of(1, 2, 3) });
    const scene = await start({ providers: [count, allowAll] }, callOf('count'));
    expect(await ask(scene)).toBe('3');
  });

  it('are told when the caller gives up', async () => {
    let stopped: unknown;
    const wait = toolProvider('wait', {
      useFactory: () => (_input, context) =>
        new Promise<never>((_resolve, reject) => {
          context.signal.addEventListener('abort', () => {
            stopped = context.signal.reason;
            reject(stopped as Error);
          });
        }),
    });
    const scene = await start({ providers: [wait, allowAll] }, callOf('wait'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 20);
    const asked = scene.client.prompt('Go').options({ signal: controller.signal }).call().content();
    await expect(asked).rejects.toThrow('enough');
    expect(stopped).toBe(controller.signal.reason);
  });
});

describe('classes that extend those of tools', () => {
  @UseGuards(denied)
  class GuardedFunction extends FunctionToolCallback {
    constructor() {
      super({ name: 'f', toolFunction: () => 'SECRET' });
    }
  }
  class Audited extends FunctionToolCallback {
    constructor() {
      super({ name: 'f', toolFunction: () => 'SECRET' });
    }
    override call(): Promise<string> {
      return Promise.resolve('audited');
    }
  }
  class Approving extends AugmentedToolCallback {
    override call(): Promise<string> {
      return Promise.resolve('needs approval');
    }
  }
  class Passing extends AugmentedToolCallback {}

  it('keep their guards and what they override', async () => {
    const guarded = await start({ providers: [GuardedFunction] }, callOf('f'));
    expect(await ask(guarded)).toBe('Forbidden resource');
    const audited = await start({ providers: [Audited] }, callOf('f'));
    expect(await ask(audited)).toBe('audited');
    const scene = await start({ providers: [Now, denyAll] }, [...callOf('now'), ...callOf('now')]);
    const delegate = scene.app.get(Now);
    await scene.client
      .prompt('Go')
      .tools(new Approving({ delegate, argumentType: Reason }))
      .call()
      .content();
    expect(resultOf(scene)).toBe('needs approval');
    await scene.client
      .prompt('Go')
      .tools(new Passing({ delegate, argumentType: Reason }))
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it('are not taken for the class that they extend when that has no guards', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Base {
      @Tool() raw() {
        return 'SECRET';
      }
    }
    class Sub extends Base {
      @UseGuards(denied)
      @Tool()
      override raw() {
        return 'SECRET';
      }
    }
    const scene = await start({ providers: [Base] }, callOf('raw'));
    await scene.client.prompt('Go').tools(new Sub()).call().content();
    expect(resultOf(scene)).toMatch(/Sub\.raw\(\) has guards that Nestor did not see at startup/);
  });

  it('a method under another name is still the same method', async () => {
    const scene = await start({ providers: [Host, denyAll] }, callOf('renamed'));
    const toolDefinition = { name: 'renamed', description: '', inputSchema: { type: 'object' } };
    const tool = new MethodToolCallback({ toolDefinition, toolMethod: 'secret', toolObject: scene.app.get(Host) });
    await scene.client.prompt('Go').tools(tool).call().content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });
});

describe('what a provider of tools in the container gives', () => {
  @Injectable()
  class Giving extends ToolCallbackProvider {
    readonly tools = [new Now()];
    getToolCallbacks() {
      return this.tools;
    }
  }

  it.each<[string, (given: Giving) => object[]]>([
    ['the provider', (given) => [given]],
    ['one that augments it', (given) => [new AugmentedToolCallbackProvider({ delegate: given, argumentType: Reason })]],
  ])('stands behind the guards of the application: through %s', async (_name, toolsOf) => {
    const scene = await start({ providers: [Giving, denyAll] }, callOf('now'));
    await scene.client
      .prompt('Go')
      .tools(...toolsOf(scene.app.get(Giving)))
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it('stands behind them also by itself, once it was given', async () => {
    const scene = await start({ providers: [Giving, denyAll] }, [...callOf('now'), ...callOf('now')]);
    await ask(scene);
    await scene.client
      .prompt('Go')
      .tools(...scene.app.get(Giving).getToolCallbacks())
      .call()
      .content();
    expect(resultOf(scene)).toBe('Forbidden resource');
  });

  it('may be augmented by another provider, which takes its place', async () => {
    const augmenting = {
      provide: 'augmenting',
      inject: [Giving],
      useFactory: (delegate: Giving) => new AugmentedToolCallbackProvider({ delegate, argumentType: Reason }),
    };
    const scene = await start({ providers: [Giving, augmenting] }, callOf('now', { reason: 'x' }));
    expect(await ask(scene)).toBe('SECRET');
    expect(offeredTools(scene.model)).toEqual(['now']);
  });

  it('has the guards of its own class, and is refused with those that Nest would not make', async () => {
    @UseGuards(denied)
    class Closed extends Now {}
    @UseGuards(Deny)
    class Unmade extends Now {}
    const provide = (tool: ToolCallback) => ({ provide: 'p', useValue: new StaticToolCallbackProvider(tool) });
    const scene = await start({ providers: [provide(new Closed())] }, callOf('now'));
    expect(await ask(scene)).toBe('Forbidden resource');
    class Required extends ToolCallbackProvider {
      override readonly required = true;
      getToolCallbacks() {
        return [new Unmade()];
      }
    }
    const other = await start({ providers: [Required] }, ['never']);
    await expect(ask(other)).rejects.toThrow(/Unmade\.call\(\) has Deny, which Nest does not create/);
  });
});

describe('the same tool in several places', () => {
  const one = toolProvider('one', { useFactory: () => () => 1 });
  class Late extends ToolCallbackProvider {
    getToolCallbacks() {
      return [new Now()];
    }
  }
  @Module({ providers: [one, Now] })
  class A {}
  @Module({ providers: [one, Now] })
  class B {}
  @Module({ providers: [Late] })
  class C {}
  @Module({ providers: [Late] })
  class D {}

  it('is one tool: of a function, of a class, of a provider of tools', async () => {
    const scene = await start({ imports: [A, B] }, ['a']);
    await ask(scene);
    expect(offeredTools(scene.model)).toEqual(['one', 'now']);
    const other = await start({ imports: [C, D] }, ['a']);
    await ask(other);
    expect(offeredTools(other.model)).toEqual(['now']);
  });

  it('is replaced by one that asks for more', async () => {
    const provider = {
      provide: 'augmented',
      inject: [Host],
      useFactory: (toolObject: Host) => new AugmentedToolCallbackProvider({ toolObject, argumentType: Reason }),
    };
    const scene = await start({ providers: [Host, provider] }, callOf('secret', { reason: 'x' }));
    expect(await ask(scene)).toBe('SECRET');
    expect(offeredTools(scene.model)).toEqual(['secret']);
  });
});

describe('what else may be provided', () => {
  it('a transient instance is called itself when it is handed over', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Tenant {
      name = 'none';
      @Tool() who() {
        return this.name;
      }
    }
    @Injectable()
    class Service {
      constructor(readonly tenant: Tenant) {}
    }
    const scene = await start({ providers: [Tenant, Service] }, callOf('who'));
    const { tenant } = scene.app.get(Service);
    tenant.name = 'acme';
    await scene.client.prompt('Go').tools(tenant).call().content();
    expect(resultOf(scene)).toBe('acme');
  });

  it('a tool that describes itself anew each time', async () => {
    class Rooms extends ToolCallback {
      rooms = 'none';
      override get toolDefinition() {
        return { name: 'rooms', description: `Rooms: ${this.rooms}`, inputSchema: { type: 'object' } };
      }
      override call() {
        return Promise.resolve(this.rooms);
      }
    }
    const scene = await start({ providers: [Rooms] }, ['a']);
    scene.app.get(Rooms).rooms = 'blue';
    await ask(scene);
    expect(scene.model.lastPrompt?.options?.toolCallbacks?.[0]?.toolDefinition.description).toBe('Rooms: blue');
  });

  it('a converter with dependencies, of a function and of another module', async () => {
    @Injectable()
    class Quote extends ToolCallResultConverter {
      constructor(@Inject('quote') private readonly quote: string) {
        super();
      }
      convert(result: unknown) {
        return `${this.quote}${String(result)}`;
      }
    }
    const modules = ['a', 'b'].map((name) => {
      @Module({
        providers: [
          Quote,
          { provide: 'quote', useValue: name },
          toolProvider(name, { resultConverter: Quote, useFactory: () => () => '!' }),
        ],
      })
      class Named {}
      return Named;
    });
    const scene = await start({ imports: modules }, [...callOf('a'), ...callOf('b')]);
    expect([await ask(scene), await ask(scene)]).toEqual(['a!', 'b!']);
  });

  class Nameless extends ToolCallback {
    declare toolDefinition: never;
    override call() {
      return Promise.resolve('');
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class Fleeting extends ToolCallResultConverter {
    convert() {
      return '';
    }
  }
  class Converted {
    @Tool({ resultConverter: Fleeting }) run() {}
  }
  const early = toolProvider('early', { timeout: 0, useFactory: () => () => 1 });
  class Hasty {
    @Tool({ timeout: 0 }) run() {}
  }
  class HastyCallback extends ToolCallback {
    override readonly toolDefinition = { name: 'hasty', description: 'Hasty', inputSchema: { type: 'object' } };
    override readonly toolMetadata = { returnDirect: false, timeout: 0 };
    override call() {
      return Promise.resolve('');
    }
  }

  it.each<[string, Provider[], RegExp]>([
    ['a tool without a definition', [Nameless], /The ToolCallback Nameless in \w+ has no toolDefinition with a name/],
    [
      'a converter that lives as long as a request',
      [Converted, Fleeting],
      /result converter Fleeting cannot be used.*singletons/s,
    ],
    ['a function with a timeout of nothing', [early], /'early'.*timeout must be a number/],
    ['a method with a timeout of nothing', [Hasty], /'run' \(Hasty\.run\).*timeout must be a number/],
    ['a callback with a timeout of nothing', [HastyCallback], /'hasty'.*timeout must be a number/],
  ])('is refused: %s', async (_name, providers, message) => {
    expect((await bootstrapError({ providers })).message).toMatch(message);
  });

  it('is told of when a test puts something else in the place of a tool', async () => {
    const one = toolProvider('one', { useFactory: () => () => 1 });
    const starting = start({ providers: [one] }, [], {}, (builder) =>
      builder.overrideProvider(getToolToken('one')).useValue(() => 'fake'),
    );
    await expect(starting).rejects.toThrow(
      /'nestor\.Tool:one' in \w+ has to be a ToolCallback.*Provide a FunctionToolCallback/,
    );
  });

  it('a provider that asks for its own tools is told so, and one that hangs does not keep a caller who gives up', async () => {
    @Injectable()
    class Asking extends ToolCallbackProvider {
      constructor(private readonly client: ChatClient) {
        super();
      }
      async getToolCallbacks() {
        await this.client.prompt('Which?').call().content();
        return [];
      }
    }
    const scene = await start({ providers: [Asking] }, ['never']);
    await expect(ask(scene)).rejects.toThrow(
      /The tools of Asking.*calls a ChatClient that offers these same tools.*\.tools\(/,
    );

    class Hanging extends ToolCallbackProvider {
      getToolCallbacks() {
        return new Promise<never>(() => undefined);
      }
    }
    const properties = { tools: { providerTimeout: 100 } };
    const hanging = await start({ providers: [Hanging] }, ['never'], { properties });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(hanging.client.prompt('Go').options({ signal }).call().content()).rejects.toThrow('enough');
    // Otherwise its warning would come during another test.
    await until(() => hanging.app.get(ToolProviderStatus).problems.length > 0);
  });

  it.each([[null], [{}], [Now]])('a provider that gives no tools is told so: %p', async (given) => {
    class Odd extends ToolCallbackProvider {
      override readonly required = true;
      getToolCallbacks() {
        return [given] as never[];
      }
    }
    const scene = await start({ providers: [Odd] }, ['never']);
    await expect(ask(scene)).rejects.toThrow(/The tools of Odd.*has to return ToolCallbacks, but item 1 is not one/);
  });
});
