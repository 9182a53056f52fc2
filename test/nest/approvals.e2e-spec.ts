import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import {
  AugmentedToolCallback,
  ChatClient,
  FunctionToolCallback,
  MethodToolCallback,
  Tool,
  ToolCallback,
  ToolCallingAdvisor,
  type ToolContext,
  ToolParam,
  toolProvider,
  ToolRegistry,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { IsString } from 'class-validator';
import { catchError, merge, type Observable, of, retry } from 'rxjs';
import { askForResult, callOf, type Scene, startApplication } from './application.js';

const done: string[] = [];
const pay = () => {
  done.push('paid');
  return 'paid';
};

/** Asks for a tool, and tells what became of it before and after it was approved. */
async function play(scene: Scene): Promise<{ asked: string | undefined; before: number; after: number }> {
  done.length = 0;
  const spec = scene.client.prompt('Pay');
  const first = await spec.call().chatResponse();
  const before = done.length;
  const asked = first?.result?.metadata?.finishReason;
  const calls = first?.result?.output.toolCalls ?? [];
  const approvals = calls.map(({ id }) => ({ toolCallId: id, approved: true }));
  if (approvals.length > 0) await scene.client.prompt().toolApprovals(approvals).call().content();
  expect(scene.model.toolResponses).toHaveLength(1);
  return { asked, before, after: done.length };
}

const APPROVED = { asked: 'toolApprovalRequired', before: 0, after: 1 };
const script = (name: string) => [{ toolCalls: [toolCall(name)] }, 'done'];

@Injectable()
class TryAgain implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(retry(2));
  }
}
@Injectable()
class Twice implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return merge(next.handle(), next.handle()).pipe(catchError(() => of('nothing')));
  }
}
@Injectable()
class Swallow implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError(() => of('nothing happened')));
  }
}
@Catch()
class Explain implements ExceptionFilter {
  catch(error: Error, _host: ArgumentsHost) {
    return `explained: ${error.message}`;
  }
}
@Injectable()
class Closed implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class Plain {
  @Tool({ needsApproval: true })
  pay() {
    return pay();
  }
}
@Injectable()
@UseInterceptors(TryAgain)
class Retried extends Plain {}
@Injectable()
@UseInterceptors(Swallow)
class Swallowed extends Plain {}
@Injectable()
@UseFilters(Explain)
class Explained extends Plain {}
@Injectable({ scope: Scope.REQUEST })
@UseInterceptors(TryAgain)
class PerRequest extends Plain {}
@Injectable()
class Static {
  @Tool({ needsApproval: true })
  static pay() {
    return pay();
  }
}
class Own extends ToolCallback {
  override readonly toolDefinition = { name: 'pay', description: 'Pay', inputSchema: { type: 'object' } as const };
  override readonly toolMetadata = { returnDirect: false, needsApproval: true };
  async call() {
    return pay();
  }
}
/** Overrides what is known to ask for approval. */
class Shortcut extends FunctionToolCallback {
  constructor() {
    super({ name: 'pay', toolFunction: pay, toolMetadata: { returnDirect: false, needsApproval: true } });
  }
  override async call(_input: string, _context?: ToolContext) {
    return pay();
  }
}

describe('a tool of the application that needs approval', () => {
  it.each([
    ['a method', [Plain]],
    ['behind an interceptor that tries again', [Retried]],
    ['behind an interceptor that makes up for errors', [Swallowed]],
    ['behind a filter', [Explained]],
    ['of a provider that lives as long as a request', [PerRequest]],
    ['a static method', [Static]],
    ['a function', [toolProvider('pay', { useFactory: () => pay, needsApproval: true })]],
    ['a ToolCallback of its own', [Own]],
    ['a class that overrides how it is called', [Shortcut]],
  ])('runs once, and not before: %s', async (_what, providers) => {
    const scene = await startApplication({ providers: providers as never }, script('pay'));
    expect(await play(scene)).toEqual(APPROVED);
  });

  it.each([
    ['tries again', TryAgain],
    ['calls twice', Twice],
    ['makes up for errors', Swallow],
  ])(
    'runs not before it is approved behind an interceptor of the whole application that %s',
    async (_what, useClass) => {
      const providers = [Plain, { provide: APP_INTERCEPTOR, useClass }];
      const scene = await startApplication({ providers }, script('pay'));
      expect(await play(scene)).toMatchObject({ asked: 'toolApprovalRequired', before: 0 });
    },
  );

  it('is not asked about when a guard refuses it anyway', async () => {
    @Injectable()
    class Guarded {
      @UseGuards(Closed)
      @Tool({ needsApproval: true })
      pay() {
        return pay();
      }
    }
    const scene = await startApplication({ providers: [Guarded] }, script('pay'));
    expect(await play(scene)).toEqual({ asked: 'stop', before: 0, after: 0 });
  });

  it.each([
    ['in the options', { overrides: { pay: { needsApproval: true } } }],
    ['in the spelling of keys', { overrides: { pay: { 'needs-approval': 'true' } } }],
  ])('may be made one by configuration %s', async (_where, tools) => {
    @Injectable()
    class Free {
      @Tool()
      pay() {
        return pay();
      }
    }
    const scene = await startApplication({ providers: [Free] }, script('pay'), { properties: { tools } as never });
    expect(await play(scene)).toEqual(APPROVED);
  });

  it('by configuration stays one for a loop that was made by hand', async () => {
    @Injectable()
    class Free {
      @Tool()
      pay() {
        return pay();
      }
    }
    const properties = { tools: { overrides: { pay: { needsApproval: true } } } };
    const { client } = await startApplication({ providers: [Free] }, script('pay'), { properties });
    done.length = 0;
    const response = await client
      .prompt('Pay')
      .advisors(new ToolCallingAdvisor({ maxRounds: 3 }))
      .call()
      .chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
    expect(done).toEqual([]);
  });

  it('stays one under another name', async () => {
    const scene = await startApplication({ providers: [Plain] }, script('send'));
    const renamed = new MethodToolCallback({
      toolDefinition: { name: 'send', description: 'Send', inputSchema: { type: 'object' } },
      toolMethod: 'pay',
      toolObject: scene.app.get(Plain),
    });
    done.length = 0;
    const response = await scene.client.prompt('Pay').tools(renamed).call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
    expect(done).toEqual([]);
  });

  it('stays one when it asks for more than it needs', async () => {
    class Why {
      @IsString() why!: string;
    }
    const scene = await startApplication({ providers: [Plain] }, [
      { toolCalls: [toolCall('pay', { why: 'because' })] },
      'done',
    ]);
    const delegate = scene.app.get(ToolRegistry).get('pay')!.callback;
    const tool = new AugmentedToolCallback({ delegate, argumentType: Why });
    done.length = 0;
    const response = await scene.client.prompt('Pay').tools(tool).call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
    expect(done).toEqual([]);
  });
});

describe('policies by configuration', () => {
  it.each([
    [{ overrides: { pay: { retry: -1 } } }, /ai\.tools\.overrides\.pay\.retry is -1/],
    [{ overrides: { pay: { retries: 1 } } }, /Did you mean ai\.tools\.overrides\.pay\.retry\?/],
    [{ overrides: { pay: { rateLimit: 'often' } } }, /ai\.tools\.overrides\.pay\.rate-limit is 'often'/],
    [{ errorExposure: 'all' }, /ai\.tools\.error-exposure is 'all', but has to be message or safe/],
  ])('that are not understood stop the bootstrap: %j', async (tools, message) => {
    await expect(startApplication({ providers: [Plain] }, [], { properties: { tools } as never })).rejects.toThrow(
      message,
    );
  });

  it('hold: a limit of calls in a time', async () => {
    @Injectable()
    class Free {
      @Tool()
      pay() {
        return pay();
      }
    }
    const twice = [{ toolCalls: [toolCall('pay'), toolCall('pay')] }, 'done'];
    const tools = { overrides: { pay: { rateLimit: '1/1m' } } };
    const { client, model } = await startApplication({ providers: [Free] }, twice, { properties: { tools } as never });
    await client.prompt('Pay').call().content();
    expect(model.toolResponses).toEqual(['paid', expect.stringContaining('takes 1 call in 60 s')]);
  });

  const perShop = (input: { shop: string }) => input.shop;

  it.each([
    ['of the code', { calls: 9, interval: 1000, key: perShop }, '1/1m'],
    ['of the properties', undefined, { calls: 1, interval: 60_000, key: perShop }],
  ])('keep the key %s: each tenant has a limit of its own', async (_whose, rateLimit, limit) => {
    @Injectable()
    class PerShop {
      @Tool({ ...(rateLimit && { rateLimit }) })
      pay(@ToolParam({ name: 'shop' }) shop: string) {
        return shop;
      }
    }
    const shops = ['a', 'b', 'a'].map((shop) => toolCall('pay', { shop }));
    const properties = { tools: { overrides: { pay: { rateLimit: limit } } } } as never;
    const { client, model } = await startApplication({ providers: [PerShop] }, [{ toolCalls: shops }, 'done'], {
      properties,
    });
    await client.prompt('Pay').call().content();
    expect(model.toolResponses).toEqual(['a', 'b', expect.stringContaining('takes 1 call in 60 s')]);
  });

  it('keep what the code says about retries: an error that it does not retry is not retried', async () => {
    let tries = 0;
    @Injectable()
    class Once {
      @Tool({ retry: { retries: 1, minDelay: 1, shouldRetry: (error) => error !== 'paid already' } })
      pay() {
        throw ++tries < 3 ? 'no answer' : 'paid already';
      }
    }
    const properties = { tools: { overrides: { pay: { retry: 5 } } } };
    const scene = await startApplication({ providers: [Once] }, callOf('pay'), { properties });
    expect(await askForResult(scene)).toBe('paid already');
    expect(tries).toBe(3);
  });
});

describe('without a container', () => {
  it('a tool whose object is used by several callbacks needs approval where it says so', async () => {
    const object = { pay };
    const callback = (needsApproval: boolean) =>
      new MethodToolCallback({
        toolDefinition: { name: 'pay', description: 'Pay', inputSchema: { type: 'object' } },
        toolMetadata: { returnDirect: false, needsApproval },
        toolMethod: 'pay',
        toolObject: object,
      });
    const client = ChatClient.create(new ScriptedChatModel([...script('pay'), { toolCalls: [toolCall('pay')] }]));
    done.length = 0;
    await client.prompt('Pay').tools(callback(false)).call().content();
    const response = await client.prompt('Pay').tools(callback(true)).call().chatResponse();
    expect(response?.result?.metadata?.finishReason).toBe('toolApprovalRequired');
    expect(done).toHaveLength(1);
  });
});
