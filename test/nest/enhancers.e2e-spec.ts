import { describe, expect, it, jest } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  type NestInterceptor,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, REQUEST } from '@nestjs/core';
import {
  AiToolExecutionContext,
  MethodToolCallback,
  Tool,
  ToolCallbacks,
  ToolContext,
  ToolRegistry,
  ToolResult,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { map } from 'rxjs';
import { bootstrapError, startApplication } from './application.js';

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!AiToolExecutionContext.is(context)) return true;
    return AiToolExecutionContext.of(context).toolContext.get('role') === 'admin';
  }
}

@Injectable()
class Shout implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value) => `${value}!`));
  }
}

@Catch(RangeError)
class RangeFilter implements ExceptionFilter {
  catch(error: RangeError): never {
    throw new HttpException(`filtered ${error.message}`, 400);
  }
}

let deleted = 0;

@Injectable()
class AdminTools {
  @UseGuards(AdminGuard)
  @Tool()
  deleteAll(_context: ToolContext) {
    deleted++;
    return 'deleted';
  }

  @Tool()
  @UseInterceptors(Shout)
  @UseFilters(RangeFilter)
  greet(name: string) {
    if (name === 'nobody') throw new RangeError('who?');
    return `Hello ${name}`;
  }
}

const run = async (role: string, providers: unknown[] = [AdminTools], tool = 'deleteAll', args: object = {}) => {
  const { client, model, app } = await startApplication({ providers: providers as never[] }, [
    { toolCalls: [toolCall(tool, args)] },
    'Done',
  ]);
  await client.prompt('Go').toolContext({ role }).call().content();
  return { answer: model.toolResponses[0], app, model };
};

describe('a guard on a tool method', () => {
  it('lets a call pass, or refuses it with an error result that reveals nothing', async () => {
    deleted = 0;
    expect((await run('admin')).answer).toBe('deleted');
    expect((await run('guest')).answer).toBe('Forbidden resource');
    expect(deleted).toBe(1);
  });

  it('holds when the instance, the class or the registered callback is handed to tools()', async () => {
    const { app, client, model } = await startApplication(
      { providers: [AdminTools] },
      [1, 2, 3].flatMap(() => [{ toolCalls: [toolCall('deleteAll')] }, 'Done']),
    );
    const { callback } = app.get(ToolRegistry).get('deleteAll')!;
    for (const source of [app.get(AdminTools), AdminTools, callback]) {
      await client.prompt('Go').tools(source).call().content();
      expect(model.toolResponses).toEqual(['Forbidden resource']);
    }
  });

  it('holds when it stands on the class, or on a class above it', async () => {
    @UseGuards(AdminGuard)
    class Guarded {
      @Tool() inherited() {
        return 'secret';
      }
    }
    @Injectable()
    class Derived extends Guarded {
      @Tool() own() {
        return 'secret';
      }
    }
    expect((await run('guest', [Derived], 'own')).answer).toBe('Forbidden resource');
    expect((await run('guest', [Derived], 'inherited')).answer).toBe('Forbidden resource');
    expect((await run('admin', [Derived], 'inherited')).answer).toBe('secret');
  });

  it('holds when it is global', async () => {
    @Injectable()
    class Open {
      @Tool() open() {
        return 'secret';
      }
    }
    const guard = { provide: APP_GUARD, useClass: AdminGuard };
    expect((await run('guest', [Open, guard], 'open')).answer).toBe('Forbidden resource');
    expect((await run('admin', [Open, guard], 'open')).answer).toBe('secret');
  });

  it('holds on a request-scoped host, and knows the request', async () => {
    @Injectable()
    class UserGuard implements CanActivate {
      canActivate(context: ExecutionContext) {
        return AiToolExecutionContext.of(context).getRequest<{ user: string }>()?.user === 'ada';
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      @UseGuards(UserGuard)
      @Tool()
      mine() {
        return 'secret';
      }
    }
    const script = [{ toolCalls: [toolCall('mine')] }, 'Done'];
    const { client, model } = await startApplication({ providers: [Scoped] }, [...script, ...script]);
    await client.prompt('Go').request({ user: 'bob' }).call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
    await client.prompt('Go').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(['secret']);
  });
});

@Injectable()
class Deny implements CanActivate {
  canActivate() {
    return false;
  }
}

const Wrap = (): MethodDecorator => (_target, _key, descriptor) => {
  const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    return original.apply(this, args);
  } as never;
};

class GuardedBase {
  @UseGuards(Deny)
  @Tool()
  secret() {
    return 'secret';
  }
}

class Overriding extends GuardedBase {
  override secret() {
    return 'overridden secret';
  }
}

class Redeclaring extends GuardedBase {
  @Tool() override secret() {
    return 'redeclared secret';
  }
}

class Repeating extends GuardedBase {
  @UseGuards(Deny)
  @Tool()
  override secret() {
    return 'repeated secret';
  }
}

class Wrapped {
  @Wrap()
  @UseGuards(Deny)
  @Tool()
  secret() {
    return 'wrapped secret';
  }
}

class InstanceGuarded {
  @UseGuards(new Deny())
  @Tool()
  secret() {
    return 'secret';
  }
}

@Controller()
class OverridingController extends GuardedBase {
  override secret() {
    return 'secret';
  }
}

describe('a guard is never silently left out', () => {
  it.each([
    [
      'a class that overrides the guarded method',
      { providers: [Overriding] },
      /Overriding\.secret\(\) would run without its guards/,
    ],
    [
      'a class that declares it anew',
      { providers: [Redeclaring] },
      /Redeclaring\.secret\(\) would run without its guards/,
    ],
    [
      'a method that another decorator replaced',
      { providers: [Wrapped] },
      /Wrapped\.secret\(\) would run without its guards/,
    ],
    ['a controller that overrides it', { controllers: [OverridingController] }, /would run without its guards/],
    [
      'a host made by a factory',
      { providers: [{ provide: 'host', useFactory: () => new GuardedBase() }] },
      /has Deny, which Nest does not create for a provider with useFactory/,
    ],
    [
      'a host given as a value',
      { providers: [{ provide: 'host', useValue: new GuardedBase() }] },
      /has Deny, which Nest does not/,
    ],
  ])('stops the bootstrap: %s', async (_name, metadata, message) => {
    expect((await bootstrapError(metadata)).message).toMatch(message);
  });

  it('refuses such objects where they are used outside the container, in every way', () => {
    for (const host of [new GuardedBase(), new Overriding(), new Redeclaring(), new Wrapped()]) {
      expect(() => ToolCallbacks.from(host)).toThrow(/has guards, which would not run/);
    }
    const toolDefinition = { name: 'secret', description: '', inputSchema: {} };
    const options = { toolDefinition, toolMethod: 'secret', toolObject: new GuardedBase() };
    expect(() => new MethodToolCallback(options)).toThrow(/has guards, which would not run/);
  });

  it('refuses static tools that have them, which the container does not know', () => {
    class WithStatic {
      @UseGuards(Deny)
      @Tool()
      static secret() {
        return 'secret';
      }
    }
    expect(() => ToolCallbacks.from(WithStatic)).toThrow(/WithStatic\.secret\(\) has guards, which would not run/);
  });

  it('runs one whatever stands in the place of the method on an instance: a bound copy, a spy, a wrapper', async () => {
    @Injectable()
    class Bound {
      constructor() {
        this.secret = this.secret.bind(this);
      }
      @UseGuards(Deny)
      @Tool()
      secret() {
        return 'secret';
      }
    }
    expect((await run('', [Bound], 'secret')).answer).toBe('Forbidden resource');
    @Injectable()
    class Spied {
      @UseGuards(Deny)
      @Tool()
      secret() {
        return 'secret';
      }
    }
    const script = [{ toolCalls: [toolCall('secret')] }, 'Done'];
    const { app, client, model } = await startApplication({ providers: [Spied] }, [...script, ...script]);
    const spy = jest.spyOn(app.get(Spied), 'secret');
    await client.prompt('Go').call().content();
    Spied.prototype.secret = () => 'patched';
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
    expect(spy.mock.calls).toHaveLength(0);
  });

  it('does not run a method of which a factory makes a guarded one that nobody has seen', async () => {
    class Port {
      @Tool() secret() {
        return 'open';
      }
    }
    class Guarded extends Port {
      @UseGuards(Deny)
      override secret() {
        return 'secret';
      }
    }
    const provider = { provide: Port, scope: Scope.REQUEST, useFactory: () => new Guarded() };
    expect((await run('', [provider], 'secret')).answer).toMatch(
      /Guarded\.secret\(\) has guards that Nestor did not see at startup/,
    );
  });

  it('runs one that is repeated on the overriding method, or that is an instance', async () => {
    expect((await run('', [Repeating], 'secret')).answer).toBe('Forbidden resource');
    const made = { provide: 'host', useFactory: () => new InstanceGuarded() };
    expect((await run('', [made], 'secret')).answer).toBe('Forbidden resource');
  });

  it('runs a global one that was added after the tool was called for the first time', async () => {
    class Open {
      @Tool() open() {
        return 'secret';
      }
    }
    const script = [{ toolCalls: [toolCall('open')] }, 'Done'];
    const { app, client, model } = await startApplication({ providers: [Open] }, [...script, ...script]);
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['secret']);
    app.useGlobalGuards(new Deny());
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
  });

  it('runs a global one that lives as long as a request, with what is injected into it', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class UserGuard implements CanActivate {
      private readonly allowed = new Set(['ada']);
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {}
      canActivate() {
        return this.allowed.has(this.request?.user);
      }
    }
    @Injectable()
    class Open {
      @Tool() open() {
        return 'secret';
      }
    }
    const guard = { provide: APP_GUARD, useClass: UserGuard };
    const script = [{ toolCalls: [toolCall('open')] }, 'Done'];
    const { client, model } = await startApplication({ providers: [Open, guard] }, [...script, ...script]);
    await client.prompt('Go').request({ user: 'bob' }).call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
    await client.prompt('Go').request({ user: 'ada' }).call().content();
    expect(model.toolResponses).toEqual(['secret']);
    const made = { provide: 'host', useFactory: () => new Open() };
    expect((await bootstrapError({ providers: [made, guard] })).message).toMatch(/request-scoped global guards/);
  });

  it('shows a guard that was written for HTTP the request of the caller, and nothing that a model wrote', async () => {
    class RolesGuard implements CanActivate {
      canActivate(context: ExecutionContext) {
        return context.switchToHttp().getRequest<{ user?: { role: string } }>()?.user?.role === 'admin';
      }
    }
    @Injectable()
    class Open {
      @Tool({ inputSchema: { type: 'object' } }) open(_input: object) {
        return 'secret';
      }
    }
    const guard = { provide: APP_GUARD, useClass: RolesGuard };
    const script = [{ toolCalls: [toolCall('open', { user: { role: 'admin' } })] }, 'Done'];
    const { client, model } = await startApplication({ providers: [Open, guard] }, [...script, ...script, ...script]);
    const answers: string[] = [];
    for (const request of [undefined, { user: { role: 'guest' } }, { user: { role: 'admin' } }]) {
      await client.prompt('Go').request(request).call().content();
      answers.push(...model.toolResponses);
    }
    expect(answers).toEqual(['Forbidden resource', 'Forbidden resource', 'secret']);
  });
});

describe('a tool with enhancers', () => {
  @Injectable()
  class Pass implements CanActivate {
    canActivate() {
      return true;
    }
  }
  const guard = { provide: APP_GUARD, useClass: Pass };

  it('receives what the application fills in as it is, whatever global pipes there are, and nothing else', async () => {
    class Input {
      @IsString() text!: string;
    }
    let received: unknown[] = [];
    @Injectable()
    class Tools {
      @Tool() typed(input: Input, context: ToolContext, signal: AbortSignal) {
        received = [input, context, signal];
      }
      @Tool() nothing() {
        // eslint-disable-next-line prefer-rest-params
        received = [...arguments];
      }
    }
    const { app, client, model } = await startApplication({ providers: [Tools, guard] }, [
      { toolCalls: [toolCall('typed', { text: 'x' })] },
      'Done',
      { toolCalls: [toolCall('nothing')] },
      'Done',
    ]);
    app.useGlobalPipes(new ValidationPipe({ transform: true, validateCustomDecorators: true }));
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['Done']);
    expect(received[0]).toBeInstanceOf(Input);
    expect(received[1]).toBeInstanceOf(ToolContext);
    expect(received[2]).toBeInstanceOf(AbortSignal);
    await client.prompt('Go').call().content();
    expect(received).toEqual([]);
  });
});

describe('interceptors and filters of a tool method', () => {
  it('change its result, and what it throws', async () => {
    expect((await run('', [AdminTools], 'greet', { name: 'Ada' })).answer).toBe('Hello Ada!');
    expect((await run('', [AdminTools], 'greet', { name: 'nobody' })).answer).toBe('filtered who?');
  });

  it("leave a ToolResult what it is, also Nest's ClassSerializerInterceptor", async () => {
    @Injectable()
    class Charts {
      @Tool() draw() {
        const content = [{ type: 'image' as const, mimeType: 'image/png', data: 'aGk=' }];
        return new ToolResult({ text: 'no chart', content, isError: true });
      }
    }
    const serializer = { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor };
    const { model } = await run('', [Charts, serializer], 'draw');
    const last = model.lastPrompt!.messages.at(-1);
    expect(last?.role === 'tool' && last.responses[0]).toMatchObject({
      responseData: 'no chart',
      isError: true,
      content: [{ mimeType: 'image/png' }],
    });
  });

  it('do not come before the arguments are validated', async () => {
    expect((await run('', [AdminTools], 'greet', {})).answer).toMatch(/'name' is required/);
  });
});

describe('enhancers that would not run', () => {
  it('stop the bootstrap: guards of a tool on a controller', async () => {
    @Controller()
    class Admin {
      @UseGuards(AdminGuard)
      @Tool()
      deleteAll() {
        return 1;
      }
    }
    const { message } = await bootstrapError({ controllers: [Admin] });
    expect(message).toMatch(/The tool Admin\.deleteAll\(\) has guards, but .* is a method of a controller.*provider/);
  });
});
