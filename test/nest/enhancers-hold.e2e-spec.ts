import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  NotFoundException,
  Scope,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE, ContextIdFactory, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  DefaultToolExecutionExceptionProcessor,
  Tool,
  ToolExecutionExceptionProcessor,
  ToolParam,
} from '@nestor-ai/core';
import { overrideTool, ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Expose, Transform } from 'class-transformer';
import { IsNumber, IsString } from 'class-validator';
import { catchError, map } from 'rxjs';
import { askForResult, bootstrapError, callOf, startApplication } from './application.js';

@Injectable({ scope: Scope.REQUEST })
class NotBanned implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: { banned?: boolean } | undefined) {}
  canActivate() {
    return !this.request?.banned;
  }
}
class Deny {
  canActivate() {
    return false;
  }
}

describe('a guard that lives as long as a request', () => {
  @Injectable()
  class OnMethod {
    @UseGuards(NotBanned) @Tool() work() {
      return 'real';
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class Behind {
    @Tool() work() {
      return 'real';
    }
  }

  it.each([
    ['on the method', OnMethod, []],
    ['of the application', Behind, [{ provide: APP_GUARD, useClass: NotBanned }]],
  ])('knows the caller also when an instance is handed over: %s', async (_name, type, others) => {
    const { app, client, model } = await startApplication({ providers: [type, ...others] }, [
      ...callOf('work'),
      ...callOf('work'),
    ]);
    const instance = await app.resolve<object>(type);
    await client.prompt('Go').tools(instance).request({ banned: true }).call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
    await client.prompt('Go').tools(instance).request({ banned: false }).call().content();
    expect(model.toolResponses).toEqual(['real']);
  });

  it('knows the caller of a tool that a test overrides', async () => {
    const model = new ScriptedChatModel(callOf('work'));
    const builder = Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: model })],
      providers: [OnMethod],
    });
    const module = await overrideTool(builder, 'work').useValue('fake').compile();
    await module.get(ChatClient).prompt('Go').request({ banned: true }).call().content();
    expect(model.toolResponses).toEqual(['Forbidden resource']);
  });
});

describe('an instance that was handed over', () => {
  it('is the one that is called, and no other is made where nothing needs it', async () => {
    const made: unknown[] = [];
    @Injectable({ scope: Scope.REQUEST })
    class Mine {
      constructor(@Inject(REQUEST) private readonly request: { user: string }) {
        made.push(request?.user);
      }
      @UseGuards({ canActivate: () => true } as never)
      @Tool()
      who() {
        return this.request.user;
      }
    }
    const { app, client, model } = await startApplication({ providers: [Mine] }, callOf('who'));
    const contextId = ContextIdFactory.create();
    app.registerRequestByContextId({ user: 'ann' }, contextId);
    await client
      .prompt('Go')
      .tools(await app.resolve(Mine, contextId))
      .call()
      .content();
    expect(model.toolResponses).toEqual(['ann']);
    expect(made).toEqual(['ann']);
  });
});

describe('a guard on a class', () => {
  const asProxy = (type: never): never => new Proxy(type as object, {}) as never;
  class Mixed {
    mixed() {
      return 1;
    }
  }
  const mix = (type: { prototype: object }): void => {
    for (const name of Object.getOwnPropertyNames(Mixed.prototype)) {
      Object.defineProperty(type.prototype, name, Object.getOwnPropertyDescriptor(Mixed.prototype, name)!);
    }
  };

  it('holds where another decorator puts a proxy around the class', async () => {
    @UseGuards(Deny)
    @(asProxy as unknown as ClassDecorator)
    @Injectable()
    class Tools {
      @Tool() work() {
        return 'ran';
      }
    }
    expect(await askForResult(await startApplication({ providers: [Tools] }, callOf('work')))).toBe(
      'Forbidden resource',
    );
  });

  it('holds where a mixin has copied what the class is called, and does not mix tools up', async () => {
    @UseGuards(Deny)
    @(mix as unknown as ClassDecorator)
    @Injectable()
    class First {
      @Tool() first() {
        return 'ran';
      }
    }
    @(mix as unknown as ClassDecorator)
    @Injectable()
    class Second {
      @Tool() second() {
        return 'ran';
      }
    }
    const both = [toolCall('first'), toolCall('second')];
    const scene = await startApplication({ providers: [First, Second] }, [{ toolCalls: both }, 'done']);
    await scene.client.prompt('Go').call().content();
    expect(scene.model.toolResponses).toEqual(['Forbidden resource', 'ran']);
  });
});

describe('pipes', () => {
  it('that live as long as a request stop the bootstrap beside static tools, where they would not run', async () => {
    class Tools {
      @Tool() static work(text: string) {
        return text;
      }
    }
    const pipe = {
      provide: APP_PIPE,
      scope: Scope.REQUEST,
      useFactory: () => ({ transform: (value: unknown) => value }),
    };
    expect((await bootstrapError({ providers: [Tools, pipe] })).message).toMatch(/static tool Tools\.work\(\).*pipes/);
  });

  it('of a static method and of one of the same name are told apart', async () => {
    class Tools {
      @Tool({ name: 'ofClass' }) static find(id: number) {
        return `class ${id}`;
      }
      @Tool({ name: 'ofInstance' }) find(name: string, count: number) {
        return `instance ${name} ${count}`;
      }
    }
    const { app, client, model } = await startApplication({ providers: [Tools] }, [
      { toolCalls: [toolCall('ofClass', { id: 1 }), toolCall('ofInstance', { name: 'x', count: 2 })] },
      'done',
    ]);
    app.useGlobalPipes({ transform: (value: unknown) => value });
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['class 1', 'instance x 2']);
  });

  it('of the application make nothing twice, and nothing of what was left out', async () => {
    class Price {
      @IsNumber() @Transform(({ value }) => (value as number) * 100) amount!: number;
    }
    class Named {
      @Expose({ name: 'user_name' }) @IsString() userName!: string;
    }
    class Filter {
      @IsString() city!: string;
    }
    class Tools {
      @Tool() pay(price: Price) {
        return price.amount;
      }
      @Tool() name(named: Named) {
        return named.userName;
      }
      @Tool() find(query: string, @ToolParam({ required: false }) filter?: Filter) {
        return `${query} ${String(filter)}`;
      }
    }
    const calls = [
      toolCall('pay', { amount: 5 }),
      toolCall('name', { user_name: 'ada' }),
      toolCall('find', { query: 'x' }),
    ];
    const { app, client, model } = await startApplication({ providers: [Tools] }, [{ toolCalls: calls }, 'done']);
    app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
    await client.prompt('Go').call().content();
    expect(model.toolResponses).toEqual(['500', 'ada', 'x undefined']);
  });

  it('that stand on the tool validate once more, and the model reads what is wrong', async () => {
    class Booking {
      @IsString() city!: string;
    }
    class Tools {
      @UsePipes(new ValidationPipe({ transform: true }), {
        transform: () => {
          throw new BadRequestException(['city is closed', 'city is far away']);
        },
      })
      @Tool()
      book(booking: Booking) {
        return booking.city;
      }
    }
    const result = await askForResult(await startApplication({ providers: [Tools] }, callOf('book', { city: 'x' })));
    expect(result).toBe('city is closed; city is far away');
  });
});

describe('what breaks around a tool', () => {
  const secret = 'connect ECONNREFUSED 10.0.0.5:5432';
  class Tools {
    @Tool() work(text: string) {
      if (text === 'missing') throw new NotFoundException('no order 5');
      return text;
    }
  }
  const run = async (use: (app: Awaited<ReturnType<typeof startApplication>>['app']) => void, text = 'x') => {
    const scene = await startApplication({ providers: [Tools] }, callOf('work', { text }));
    use(scene.app);
    return askForResult(scene);
  };
  const http = (context: ExecutionContext) => context.switchToHttp().getResponse<Response>().headers;

  it.each<[string, () => void]>([
    [
      'an Error',
      () => {
        throw new Error(secret);
      },
    ],
    [
      'a text',
      () => {
        throw secret;
      },
    ],
    ['a SyntaxError', () => JSON.parse('<')],
    ['a URIError', () => decodeURIComponent('%')],
  ])('is not told to the model: a guard that throws %s', async (_name, fail) => {
    const guard = { canActivate: () => Boolean(fail() as unknown) };
    expect(await run((app) => app.useGlobalGuards(guard))).toBe('The tool cannot be called now.');
  });

  it('is not told to the model: a pipe, an interceptor, a filter that fail on what a tool call does not have', async () => {
    expect(
      await run((app) =>
        app.useGlobalPipes({
          transform: () => {
            throw new TypeError(secret);
          },
        }),
      ),
    ).toBe('The tool cannot be called now.');
    const intercept = (context: ExecutionContext, next: CallHandler) => next.handle().pipe(map(() => http(context)));
    const begun = 'The call has no result, but the tool had begun, and may have had an effect.';
    expect(await run((app) => app.useGlobalInterceptors({ intercept }))).toBe(begun);
    const early = { intercept: (context: ExecutionContext) => http(context) as never };
    expect(await run((app) => app.useGlobalInterceptors(early))).toBe('The tool cannot be called now.');
    const filter = { catch: (_error: unknown, host: ExecutionContext) => http(host) };
    expect(await run((app) => app.useGlobalFilters(filter as never), 'missing')).toBe(begun);
  });

  it('is told as it is where it was meant, or comes from the tool itself', async () => {
    const refuse = {
      canActivate: () => {
        throw new BadRequestException('not on Sundays');
      },
    };
    expect(await run((app) => app.useGlobalGuards(refuse))).toBe('not on Sundays');
    expect(await run((app) => app.useGlobalGuards({ canActivate: () => true }), 'missing')).toBe('no order 5');
  });

  it('is not told either when a guard of the request cannot be made', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Unmakeable {
      constructor() {
        throw new Error(secret);
      }
      canActivate() {
        return true;
      }
    }
    class Guarded {
      @UseGuards(Unmakeable) @Tool() work() {
        return 'ran';
      }
    }
    const scene = await startApplication({ providers: [Guarded] }, callOf('work'));
    expect(await askForResult(scene)).not.toContain(secret);
  });

  it('is thrown to the caller where the application wants it so', async () => {
    class Fatal extends Error {}
    const guard = {
      canActivate: () => {
        throw new Fatal('fatal');
      },
    };
    const processor = new DefaultToolExecutionExceptionProcessor({ rethrow: [Fatal] });
    const { app, client } = await startApplication({ providers: [Tools] }, callOf('work', { text: 'x' }), {
      providers: [{ provide: ToolExecutionExceptionProcessor, useValue: processor }],
    });
    app.useGlobalGuards(guard);
    await expect(client.prompt('Go').call().content()).rejects.toThrow('fatal');
  });

  it('is what the tool has thrown, also when an interceptor has tried again', async () => {
    const errors: unknown[] = [];
    const intercept = (_context: ExecutionContext, next: CallHandler) =>
      next.handle().pipe(
        catchError((first: unknown) => {
          errors.push(first);
          return next.handle().pipe(
            catchError(() => {
              throw first;
            }),
          );
        }),
      );
    class Failing {
      @Tool() work() {
        throw new RangeError(`Only ${errors.length} of them are left`);
      }
    }
    const scene = await startApplication({ providers: [Failing] }, callOf('work'));
    scene.app.useGlobalInterceptors({ intercept });
    expect(await askForResult(scene)).toBe('Only 0 of them are left');
  });
});
