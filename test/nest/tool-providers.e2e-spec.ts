import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type Provider,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import {
  AugmentedToolCallbackProvider,
  DefaultToolCallResultConverter,
  FunctionToolCallback,
  getToolToken,
  MethodToolCallbackProvider,
  StaticToolCallbackProvider,
  Tool,
  ToolCallback,
  ToolCallbackProvider,
  ToolCallResultConverter,
  type ToolContext,
  type ToolDefinition,
  toolProvider,
  ToolRegistry,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { z } from 'zod';
import {
  askForResult as ask,
  bootstrapError,
  callOf,
  offeredTools,
  resultOf,
  type Scene,
  startApplication as start,
} from './application.js';

class WeatherRequest {
  @IsString() city!: string;
}

@Injectable()
class WeatherService {
  of(city: string) {
    return `Sunny in ${city}`;
  }
}

const currentWeather = toolProvider('currentWeather', {
  description: 'Get the weather of a city',
  inputType: WeatherRequest,
  inject: [WeatherService],
  useFactory:
    (weather: WeatherService) =>
    ({ city }) =>
      weather.of(city),
});

describe('a function provided with toolProvider()', () => {
  it('is offered like any other tool, and receives what it injects', async () => {
    const scene = await start(
      { providers: [WeatherService, currentWeather] },
      callOf('currentWeather', { city: 'Rome' }),
    );
    expect(await ask(scene)).toBe('Sunny in Rome');
    expect(scene.app.get(ToolRegistry).get('currentWeather')).toMatchObject({
      description: 'Get the weather of a city',
      moduleName: 'RootTestModule',
    });
  });

  it.each([
    ['tools(name)', (scene: Scene) => scene.client.prompt('Go').tools('currentWeather')],
    ['toolNames', (scene: Scene) => scene.client.prompt('Go').options({ toolNames: ['currentWeather'] })],
    ['defaultTools(name)', (scene: Scene) => scene.client.mutate().defaultTools('currentWeather').build().prompt('Go')],
  ])('can be asked for by its name: %s', async (_name, request) => {
    const other = toolProvider('other', { useFactory: () => () => 1 });
    const scene = await start(
      { providers: [WeatherService, currentWeather, other] },
      callOf('currentWeather', { city: 'Oslo' }),
    );
    await request(scene).call().content();
    expect(resultOf(scene)).toBe('Sunny in Oslo');
    expect(offeredTools(scene.model)).toEqual(['currentWeather']);
  });

  it('may be asynchronous, take a schema, and return directly', async () => {
    const add = toolProvider('add', {
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      returnDirect: true,
      useFactory: async () => async (input) => input.a + input.b,
    });
    const scene = await start({ providers: [add] }, callOf('add', { a: '1', b: 2 }));
    const response = await scene.client.prompt('Go').call().chatResponse();
    expect(response?.result).toMatchObject({
      output: { text: '3' },
      metadata: { finishReason: 'returnDirect', value: 3 },
    });
  });

  it('may inject what lives as long as a request, and is then made for each turn', async () => {
    const whoami = toolProvider('whoami', {
      inject: [REQUEST],
      useFactory: (request: { user: string } | undefined) => () => request?.user ?? 'nobody',
    });
    const script = [...callOf('whoami'), ...callOf('whoami')];
    const scene = await start({ providers: [whoami] }, script);
    await scene.client.prompt('Go').request({ user: 'ada' }).call().content();
    expect(resultOf(scene)).toBe('ada');
    expect(await ask(scene)).toBe('nobody');
  });

  it('can be injected by its token and handed to a request', async () => {
    const scene = await start(
      { providers: [WeatherService, currentWeather] },
      callOf('currentWeather', { city: 'Bonn' }),
    );
    const callback = scene.app.get<ToolCallback>(getToolToken('currentWeather'));
    await scene.client.prompt('Go').tools(callback).call().content();
    expect(resultOf(scene)).toBe('Sunny in Bonn');
  });

  it('stops the bootstrap with the remedy when the factory makes no function, or the input is not known', async () => {
    class Unknown {}
    const none = toolProvider('none', { useFactory: () => 'text' as never });
    const unknown = toolProvider('unknown', { inputType: Unknown, useFactory: () => () => 1 });
    const { message } = await bootstrapError({ providers: [none, unknown] });
    expect(message).toMatch(
      /useFactory of toolProvider\('none'\) must return the function of the tool, but returned string/,
    );
    expect(message).toMatch(
      /The tool 'unknown' cannot be offered to a model: Unknown does not describe its properties/,
    );
  });

  it('needs a name', () => {
    expect(() => toolProvider(' ', { useFactory: () => () => 1 })).toThrow(/A tool needs a name/);
  });
});

class Now extends ToolCallback {
  override readonly toolDefinition: ToolDefinition = {
    name: 'now',
    description: 'The time',
    inputSchema: { type: 'object', properties: {} },
  };
  override call(_input: string, context?: ToolContext): Promise<string> {
    return Promise.resolve(`noon for ${context?.get<string>('user') ?? 'nobody'}`);
  }
}

const fixed = (name: string) => new FunctionToolCallback({ name, toolFunction: () => name });

@Injectable()
class Host {
  @Tool() greet() {
    return 'hello';
  }
}

describe('providers that are tools, or give some', () => {
  it('are discovered in every module', async () => {
    @Module({ providers: [Now, { provide: 'b', useValue: fixed('b') }] })
    class Other {}
    const scene = await start({ imports: [Other], providers: [Host] }, callOf('now'));
    expect(await ask(scene)).toBe('noon for nobody');
    expect(offeredTools(scene.model).toSorted()).toEqual(['b', 'greet', 'now']);
  });

  it('are asked for their tools when a request is made, not before', async () => {
    const names = ['first'];
    class Changing extends ToolCallbackProvider {
      asked = 0;
      async getToolCallbacks() {
        this.asked++;
        return names.map(fixed);
      }
    }
    const scene = await start({ providers: [Host, Changing] }, ['a', 'b']);
    expect(scene.app.get(Changing).asked).toBe(0);
    await ask(scene);
    expect(offeredTools(scene.model)).toEqual(['greet', 'first']);
    names.push('second');
    await ask(scene);
    expect(offeredTools(scene.model)).toEqual(['greet', 'first', 'second']);
  });

  it('know their tools by name', async () => {
    const provider = { provide: 'tools', useValue: new StaticToolCallbackProvider(fixed('a'), [fixed('b')]) };
    const scene = await start({ providers: [provider] }, callOf('b'));
    await scene.client.prompt('Go').tools('b').call().content();
    expect(resultOf(scene)).toBe('b');
    await expect(scene.client.prompt('Go').tools('bb').call().content()).rejects.toThrow(/Unknown tool 'bb'.*'b'/);
  });

  it('may give the tools of other providers, which are then known once and keep their guards', async () => {
    const denied: CanActivate = { canActivate: () => false };
    @Injectable()
    class Guarded {
      @UseGuards(denied)
      @Tool()
      danger() {
        return 'secret';
      }
    }
    const provider: Provider = {
      provide: ToolCallbackProvider,
      inject: [Guarded, Host],
      useFactory: (...toolObjects: object[]) => new MethodToolCallbackProvider({ toolObjects }),
    };
    const scene = await start({ providers: [Guarded, Host, provider] }, [...callOf('danger'), ...callOf('danger')]);
    expect(await ask(scene)).toMatch(/Forbidden/);
    expect(offeredTools(scene.model)).toEqual(['danger', 'greet']);
    const own = new MethodToolCallbackProvider({ toolObjects: [scene.app.get(Guarded)] });
    await scene.client.prompt('Go').tools(own).call().content();
    expect(resultOf(scene)).toMatch(/Forbidden/);
  });

  it('may augment the tools of other providers, which keep their guards and scopes', async () => {
    class Reason {
      @IsString() reason!: string;
    }
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
      @UseGuards({ canActivate: (context: ExecutionContext) => context.switchToHttp().getRequest().user === 'ada' })
      @Tool()
      whoami() {
        return this.request.user;
      }
    }
    const reasons: string[] = [];
    const augmented = new AugmentedToolCallbackProvider({
      toolObject: Scoped,
      argumentType: Reason,
      argumentConsumer: (event) => reasons.push(event.arguments.reason),
    });
    const script = [...callOf('whoami', { reason: 'a' }), ...callOf('whoami', { reason: 'b' })];
    const scene = await start({ providers: [Scoped] }, script);
    for (const user of ['ada', 'eve']) {
      await scene.client.prompt('Go').tools(augmented).request({ user }).call().content();
      expect(resultOf(scene)).toMatch(user === 'ada' ? /^ada$/ : /Forbidden/);
    }
    // The guard has refused the second call before its arguments were read.
    expect(reasons).toEqual(['a']);
  });

  it('name themselves when they fail and are required', async () => {
    class Down extends ToolCallbackProvider {
      override readonly required = true;
      getToolCallbacks(): ToolCallback[] {
        throw new Error('no connection');
      }
    }
    const scene = await start({ providers: [Down] }, ['never']);
    await expect(ask(scene)).rejects.toThrow('The tools of Down in RootTestModule are not available: no connection');
  });

  it.each([undefined, null, 'text', {}])('have to give an array: %p', async (given) => {
    class Odd extends ToolCallbackProvider {
      override readonly required = true;
      getToolCallbacks() {
        return given as never;
      }
    }
    const scene = await start({ providers: [Odd] }, ['never']);
    await expect(ask(scene)).rejects.toThrow(
      /The tools of Odd in RootTestModule are not available: .* has to return an array/,
    );
  });

  it('stop the bootstrap when two of them have the same name', async () => {
    const providers = ['x', 'y'].map((provide) => ({ provide, useValue: fixed('same') }));
    expect((await bootstrapError({ providers })).message).toMatch(/Multiple tools with the same name \(same\)/);
  });

  it('stop the bootstrap when they live only as long as a request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Fleeting extends Now {}
    expect((await bootstrapError({ providers: [Fleeting] })).message).toMatch(
      /Fleeting in RootTestModule is a request-scoped or transient ToolCallback or ToolCallbackProvider/,
    );
  });

  it('stand behind the guards of the application and of their class', async () => {
    const seen: string[] = [];
    @Injectable()
    class Recorder implements CanActivate {
      canActivate(context: ExecutionContext) {
        seen.push(`${context.getType()} ${context.getClass().name}`);
        return context.getClass() !== Now;
      }
    }
    const provider = { provide: StaticToolCallbackProvider, useValue: new StaticToolCallbackProvider(fixed('late')) };
    const scene = await start(
      { providers: [WeatherService, currentWeather, Now, provider, { provide: APP_GUARD, useClass: Recorder }] },
      [...callOf('now'), ...callOf('currentWeather', { city: 'Rome' }), ...callOf('late'), ...callOf('late')],
    );
    expect(await ask(scene)).toMatch(/Forbidden/);
    expect(await ask(scene)).toBe('Sunny in Rome');
    expect(await ask(scene)).toBe('late');
    await scene.client.prompt('Go').tools(scene.app.get(StaticToolCallbackProvider)).call().content();
    const aFunction = 'ai-tool FunctionToolCallback';
    expect(seen).toEqual(['ai-tool Now', aFunction, aFunction, aFunction]);
    await expect(scene.app.get(Now).call('{}')).resolves.toBe('noon for nobody');

    @UseGuards({ canActivate: () => false })
    class Closed extends Now {}
    const other = await start({ providers: [Closed] }, callOf('now'));
    expect(await ask(other)).toMatch(/Forbidden/);
  });
});

describe('static tool methods of a provider', () => {
  @Injectable()
  class Mixed {
    @Tool() static version() {
      return '1.0';
    }
    @Tool() greet() {
      return 'hello';
    }
  }

  it('are tools of the application', async () => {
    const scene = await start({ providers: [Mixed] }, callOf('version'));
    expect(await ask(scene)).toBe('1.0');
    expect(offeredTools(scene.model)).toEqual(['greet', 'version']);
  });

  it('stop the bootstrap when they have guards, which would not run', async () => {
    @Injectable()
    class Guarded {
      @UseGuards({ canActivate: () => false })
      @Tool()
      static danger() {}
    }
    expect((await bootstrapError({ providers: [Guarded] })).message).toMatch(
      /static tool Guarded\.danger\(\) has guards, which Nest does not run for static methods\. Make it a method/,
    );
  });
});

describe('the result converter of the application', () => {
  class Loud extends ToolCallResultConverter {
    convert(result: unknown) {
      return `${String(result)}!`;
    }
  }
  @Injectable()
  class Prefix {
    readonly text = '> ';
  }
  @Injectable()
  class Quoting extends ToolCallResultConverter {
    constructor(@Inject(Prefix) private readonly prefix: Prefix) {
      super();
    }
    convert(result: unknown) {
      return this.prefix.text + String(result);
    }
  }
  class Tools {
    @Tool() plain() {
      return 'plain';
    }
    @Tool({ resultConverter: Quoting }) own() {
      return 'own';
    }
    @Tool() long() {
      return 'x'.repeat(100);
    }
  }

  it('is replaced by token, for methods and functions; a tool that names its own keeps it, with its dependencies', async () => {
    const script = [...callOf('plain'), ...callOf('own'), ...callOf('one')];
    const one = toolProvider('one', { useFactory: () => () => 1 });
    const providers = [Tools, Prefix, Quoting, one];
    const scene = await start({ providers }, script, {
      providers: [{ provide: ToolCallResultConverter, useClass: Loud }],
    });
    expect(await ask(scene)).toBe('plain!');
    expect(await ask(scene)).toBe('> own');
    expect(await ask(scene)).toBe('1!');
  });

  it('stops the bootstrap when it has dependencies that nobody provides', async () => {
    expect((await bootstrapError({ providers: [Tools] })).message).toMatch(
      /resultConverter Quoting has dependencies\. Provide it in a module/,
    );
  });

  it('limits the length of results by property, and by option of a subclass given with useClass', async () => {
    class Mine extends DefaultToolCallResultConverter {}
    for (const replaced of [[], [{ provide: ToolCallResultConverter, useClass: Mine }]]) {
      const scene = await start({ providers: [Tools, Prefix, Quoting] }, callOf('long'), {
        properties: { tools: { maxResultLength: 10 } },
        providers: replaced,
      });
      expect(await ask(scene)).toBe(`${'x'.repeat(10)}\n[Cut here: these are the first 10 of 100 characters.]`);
    }
  });

  it('keeps what is cut, and lets the model read on, by property', async () => {
    const readOn = { toolCalls: [toolCall('read_tool_result', { id: 'unknown' })] };
    const scene = await start(
      { providers: [Tools, Prefix, Quoting] },
      [...callOf('long').slice(0, 1), readOn, 'done'],
      {
        properties: { tools: { maxResultLength: 60, results: { paging: { enabled: true } } } },
      },
    );
    await scene.client.prompt('Go').call().content();
    expect(scene.model.toolResponses).toEqual([
      expect.stringMatching(/^x{60}\n\[Cut here: .* call read_tool_result with {"id":"\w+","offset":60}\]$/),
      expect.stringMatching(/^The result 'unknown' is not kept any more/),
    ]);
  });
});
