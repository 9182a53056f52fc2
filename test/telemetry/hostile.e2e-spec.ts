import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  context,
  createContextKey,
  type Meter,
  type MeterProvider,
  metrics,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import {
  AssistantMessage,
  BaseAdvisor,
  type CallAdvisor,
  ChatClient,
  ChatModel,
  ChatResponse,
  ObservationConvention,
  type StreamAdvisor,
  Tool,
  ToolCallback,
} from '@nestor-ai/core';
import { ResponseCacheAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, NEVER, Observable, of, retry, throwError, timeout, toArray } from 'rxjs';
import { callOf, startApplication } from '../nest/application.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register();
const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
  for (const level of ['debug', 'log', 'warn', 'error'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...given: unknown[]) => {
      logged.push(JSON.stringify(given));
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

@Injectable()
class Weather {
  @Tool()
  getWeather(city: string): object {
    return { city };
  }
}

const providers = [Weather];
const answer = (text: string): ChatResponse => new ChatResponse({ results: [{ output: new AssistantMessage(text) }] });

/** A model of two functions. */
class OwnModel extends ChatModel {
  constructor(
    private readonly onCall: () => unknown,
    private readonly onStream: () => Observable<unknown> = () => of(onCall()),
  ) {
    super();
  }
  call(): Promise<ChatResponse> {
    return this.onCall() as Promise<ChatResponse>;
  }
  stream(): Observable<ChatResponse> {
    return this.onStream() as Observable<ChatResponse>;
  }
}

describe('a telemetry SDK that fails', () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  const processor = (broken: object) => ({
    onStart: () => undefined,
    onEnd: () => undefined,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
    ...broken,
  });
  const real = new BasicTracerProvider().getTracer('x');
  const tracers: [string, () => TracerProvider][] = [
    ['when spans begin', () => new BasicTracerProvider({ spanProcessors: [processor({ onStart: boom })] })],
    ['when spans end', () => new BasicTracerProvider({ spanProcessors: [processor({ onEnd: boom })] })],
    ['in its sampler', () => new BasicTracerProvider({ sampler: { shouldSample: boom, toString: () => 'x' } })],
    ['when a tracer is asked for', () => ({ getTracer: boom })],
    ['by giving no span', () => ({ getTracer: () => ({ ...real, startSpan: () => undefined }) as unknown as Tracer })],
  ];
  const meters: [string, () => MeterProvider][] = [
    ['when a meter is asked for', () => ({ getMeter: boom })],
    ['when instruments are made', () => ({ getMeter: () => ({ createHistogram: boom }) as unknown as Meter })],
    [
      'when something is recorded',
      () => ({
        getMeter: () =>
          ({ createHistogram: () => ({ record: boom }), createCounter: () => ({ add: boom }) }) as unknown as Meter,
      }),
    ],
  ];

  async function bothWays(): Promise<unknown[]> {
    const script = callOf('getWeather', { city: 'Paris' });
    const { client } = await startApplication({ providers }, [...script, ...script]);
    return [
      await client.prompt('Hello').call().content(),
      await lastValueFrom(client.prompt('Hello').stream().content().pipe(toArray())),
    ];
  }

  test.each(tracers)('%s disturbs no request', async (_when, create) => {
    trace.disable();
    trace.setGlobalTracerProvider(create());
    try {
      expect(await bothWays()).toEqual(['done', ['done']]);
    } finally {
      trace.disable();
      trace.setGlobalTracerProvider(recorder.tracerProvider);
    }
  });

  test.each(meters)('%s disturbs no request', async (_when, create) => {
    const before = metrics.getMeterProvider();
    metrics.disable();
    metrics.setGlobalMeterProvider(create());
    try {
      expect(await bothWays()).toEqual(['done', ['done']]);
    } finally {
      metrics.disable();
      metrics.setGlobalMeterProvider(before);
    }
  });
});

describe('what happens is the same with telemetry and without', () => {
  async function compare<T>(run: () => Promise<T>): Promise<{ readonly silent: T; readonly observed: T }> {
    trace.disable();
    const silent = await run();
    trace.setGlobalTracerProvider(recorder.tracerProvider);
    return { silent, observed: await run() };
  }
  const outcome = (answered: Promise<unknown>): Promise<unknown> =>
    answered.catch((error: Error | undefined) => error?.message);

  test('when a stream is tried again, or an advisor catches what another one throws at once', async () => {
    const order: string[] = [];
    class Outer extends BaseAdvisor {
      readonly name = 'outer';
      override readonly order = 1;
      override adviseStream(...[request, chain]: Parameters<StreamAdvisor['adviseStream']>) {
        try {
          const stream = chain.nextStream(request);
          order.push('outer');
          return stream.pipe(retry(3));
        } catch {
          return of({ chatResponse: answer('caught'), context: {} });
        }
      }
    }
    const inner = (fails: boolean): StreamAdvisor => ({
      name: 'inner',
      order: 2,
      adviseStream: (request, chain) => {
        order.push('inner');
        if (fails) throw new Error('at once');
        return chain.nextStream(request);
      },
    });
    for (const fails of [false, true]) {
      const { silent, observed } = await compare(async () => {
        order.length = 0;
        let tries = 0;
        const model = new OwnModel(
          () => answer('x'),
          () => {
            order.push('model');
            return throwError(() => new Error(`try ${++tries}`));
          },
        );
        const client = ChatClient.builder(model).defaultAdvisors(new Outer(), inner(fails)).build();
        const text = await outcome(lastValueFrom(client.prompt('Hello').stream().content().pipe(toArray())));
        return [text, ...order];
      });
      expect(observed).toEqual(silent);
    }
  });

  test.each<[string, ChatModel]>([
    ['answers synchronously', new OwnModel(() => answer('x'))],
    ['gives nothing', new OwnModel(() => undefined)],
    [
      'gives a thenable', // eslint-disable-next-line unicorn/no-thenable -- what a model in JavaScript may give
      new OwnModel(() => ({ then: (resolve: (value: unknown) => void) => resolve(answer('x')) })),
    ],
    ['gives null for metadata', new OwnModel(() => ({ results: answer('x').results, metadata: null }))],
    ['gives no results', new OwnModel(() => ({ metadata: {} }))],
    [
      'throws synchronously',
      new OwnModel(() => {
        throw new Error('no');
      }),
    ],
    [
      'rejects with nothing',
      new OwnModel(
        () => Promise.reject(undefined as unknown as Error),
        () => throwError(() => undefined),
      ),
    ],
  ])('with a model that %s', async (_what, model) => {
    const { silent, observed } = await compare(async () => [
      await outcome(ChatClient.create(model).prompt('Hello').call().content()),
      await outcome(
        lastValueFrom(
          ChatClient.create(model)
            .prompt('Hello')
            .options({ internalToolExecutionEnabled: false })
            .stream()
            .content()
            .pipe(toArray()),
        ),
      ),
    ]);
    expect(observed).toEqual(silent);
    // One that does not even give a stream has nothing that could be watched.
    expect(recorder.named('chat').length).toBeGreaterThan(0);
  });

  test('with advisors that have no name, or one that cannot be read', async () => {
    const nameless = { order: 1, adviseCall: (request, chain) => chain.nextCall(request) } as CallAdvisor;
    const unreadable = Object.defineProperty({ ...nameless }, 'name', {
      get: () => {
        throw new Error('no name');
      },
    });
    const client = ChatClient.builder(new ScriptedChatModel(['Hello.', 'Hello.']))
      .defaultAdvisors(nameless, unreadable)
      .build();
    const { silent, observed } = await compare(() => client.prompt('Hello').call().content());
    expect(observed).toBe(silent);
    expect(recorder.named('chat')).toHaveLength(1);
  });

  test('of what else an application keeps in the context', async () => {
    const KEY = createContextKey('tenant');
    const seen: unknown[] = [];
    const model = new OwnModel(() => {
      seen.push(context.active().getValue(KEY));
      return answer('x');
    });
    const advisor: CallAdvisor = {
      name: 'tenant',
      order: 1,
      adviseCall: (request, chain) => context.with(ROOT_CONTEXT.setValue(KEY, 'acme'), () => chain.nextCall(request)),
    };
    await compare(() => ChatClient.builder(model).defaultAdvisors(advisor).build().prompt('Hello').call().content());
    expect(seen).toEqual(['acme', 'acme']);
    // Though it has left the spans behind, they are one trace.
    expect(recorder.parentOf(recorder.span('chat'))?.name).toBe('tenant');
  });

  test('with a convention that gives nothing', async () => {
    class Nothing extends ObservationConvention {
      override toolSpan = (): never => undefined as never;
      override modelSpan = (): never => null as never;
      override requestSpan = (): never => ({ name: 7 }) as never;
      override modelResponse = (): never => undefined as never;
    }
    const { client } = await startApplication({ providers }, callOf('getWeather', { city: 'Paris' }), {
      providers: [{ provide: ObservationConvention, useClass: Nothing }],
    });
    expect(await client.prompt('Hello').call().content()).toBe('done');
    expect(recorder.named('unnamed').length).toBe(4);
    expect(logged.filter((line) => line.includes('Nothing has failed'))).toHaveLength(1);
  });
});

describe('who has gone', () => {
  test('leaves no span open, though the model does not listen', async () => {
    const client = ChatClient.create(new OwnModel(() => new Promise(() => undefined)));
    const controller = new AbortController();
    const asked = client.prompt('Hello').options({ signal: controller.signal }).call().content();
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(recorder.tree()).toBe('chat_client aborted\n  tool_calling aborted\n    chat aborted');
    const [duration] = await recorder.points('gen_ai.client.operation.duration');
    expect(duration).toMatchObject({ count: 1, attributes: { 'nestor.aborted': true } });
  });

  test('is nobody when an advisor gives up the turn', async () => {
    const deadline: StreamAdvisor = {
      name: 'deadline',
      order: -2_147_483_600,
      adviseStream: (request, chain) => chain.nextStream(request).pipe(timeout(20)),
    };
    const client = ChatClient.builder(
      new OwnModel(
        () => undefined,
        () => NEVER,
      ),
    )
      .defaultAdvisors(deadline)
      .build();
    await expect(lastValueFrom(client.prompt('Hello').stream().content())).rejects.toThrow('Timeout');
    expect(recorder.tree()).toBe(
      'chat_client !TimeoutError\n  deadline !TimeoutError\n    tool_calling aborted\n      chat aborted',
    );
  });

  test('is nobody when the model aborts by itself', async () => {
    const client = ChatClient.create(
      new OwnModel(() => Promise.reject(new DOMException('provider timeout', 'AbortError'))),
    );
    await expect(client.prompt('Hello').call().content()).rejects.toThrow('provider timeout');
    expect(recorder.tree()).toBe('chat_client !AbortError\n  tool_calling !AbortError\n    chat !AbortError');
  });
});

test('a stream of the model that cannot be torn down ends its span, and not the process', async () => {
  const model = new OwnModel(
    () => undefined,
    () =>
      new Observable((subscriber) => {
        setTimeout(() => {
          subscriber.next(answer('Hello'));
          subscriber.complete();
        });
        return () => {
          throw new TypeError('boom');
        };
      }),
  );
  const { client } = await startApplication({ providers }, [], { chatModel: model });
  expect(await lastValueFrom(client.prompt('Hi').stream().content())).toBe('Hello');
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(recorder.tree()).toContain('chat');
  expect(logged.join()).toContain("The teardown of the model's stream failed with TypeError.");
});

test('an error that cannot be looked at is marked', async () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const client = ChatClient.create(new OwnModel(() => Promise.reject(proxy as Error)));
  await client
    .prompt('Hello')
    .call()
    .content()
    .catch(() => undefined);
  expect(recorder.span('chat').status.code).toBe(SpanStatusCode.ERROR);
  expect(recorder.span('chat').attributes['error.type']).toBe('_OTHER');
});

test('a tool that had to be looked for is named like any other', async () => {
  const { client } = await startApplication(
    { providers },
    [{ toolCalls: [toolCall('getWeather', { city: 'Paris' }), toolCall('getWeather', {})] }, 'done'],
    { properties: { tools: { resolution: { fallback: { enabled: true } } } } },
  );
  await client.prompt('Hello').tools().call().content();
  expect(recorder.named('execute_tool getWeather')).toHaveLength(2);
  const calls = await recorder.points('nestor.tool.calls');
  expect(new Set(calls.map(({ attributes }) => attributes['gen_ai.tool.name']))).toEqual(new Set(['getWeather']));
});

test('nothing that was said comes out by the back door', async () => {
  class Own extends ToolCallback {
    readonly toolDefinition = { name: 'own', description: 'Own', inputSchema: { type: 'object' as const } };
    call(): Promise<string> {
      return Promise.reject(new Error('patient\n    at SECRET-PATIENT (/ward/7:1:1)'));
    }
  }
  const SECRET = 'SECRET of the user';
  const { client } = await startApplication({ providers: [] }, [
    { toolCalls: [toolCall('own', {}, SECRET), toolCall('SECRET-password', {})], finishReason: SECRET },
    { text: SECRET, finishReason: SECRET },
  ]);
  const cache = {
    get: () => undefined,
    set: (_key: string, value: unknown) => {
      throw new Error(`cannot store ${JSON.stringify(value)}`);
    },
  };
  jest.spyOn(Logger, 'isLevelEnabled').mockReturnValue(true);

  await client
    .prompt(SECRET)
    .tools(new Own())
    .advisors(new ResponseCacheAdvisor({ cache: cache as never }))
    .call()
    .content();

  expect(recorder.span('execute_tool own').attributes['gen_ai.tool.call.id']).toBe('_OTHER');
  expect(logged.join('\n')).toContain("The tool 'own' failed with Error");
  expect((await recorder.everything()) + logged.join('\n')).not.toContain('SECRET');
});
