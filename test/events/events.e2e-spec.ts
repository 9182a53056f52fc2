import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Injectable, Logger, Module, type Provider } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import {
  type AiEvent,
  type AiEventOf,
  AiEvents,
  AiModule,
  ChatClient,
  getChatClientToken,
  Tool,
  ChatMemory,
  ChatMemoryRepository,
  InMemoryChatMemoryRepository,
  MessageChatMemoryAdvisor,
} from '@nestor-ai/core';
import {
  AiEventEmitterModule,
  OnToolCall,
  OnToolError,
  OnToolProgress,
  OnToolResult,
  OnTurnEnd,
  OnTurnStart,
} from '@nestor-ai/event-emitter';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { filter, lastValueFrom, toArray } from 'rxjs';
import { bootstrapError, callOf, type Scene, startApplication } from '../nest/application.js';

afterEach(() => {
  jest.restoreAllMocks();
});

@Injectable()
class Orders {
  @Tool()
  async *findOrder(id: number): AsyncGenerator<unknown> {
    yield 'searching';
    yield { id };
  }

  @Tool()
  failing(): never {
    throw new Error('closed');
  }

  @Tool({ needsApproval: true })
  refund(id: number): string {
    return `refunded ${id}`;
  }
}

function listen({ app }: Scene): AiEvent[] {
  const heard: AiEvent[] = [];
  app.get(AiEvents).subscribe((event) => heard.push(event));
  return heard;
}

describe('AiEvents', () => {
  test('tells what happens in each turn, of calls and of streams', async () => {
    const script = [{ toolCalls: [toolCall('findOrder', { id: 7 }, 'a'), toolCall('failing', {}, 'b')] }, 'done'];
    const scene = await startApplication({ providers: [Orders] }, [...script, ...script]);
    const heard = listen(scene);

    await scene.client.prompt('Hello').call().content();
    const ofCall = heard.splice(0);
    await lastValueFrom(scene.client.prompt('Hello').stream().content());

    for (const events of [ofCall, heard]) {
      expect(events.map(({ type }) => type).toSorted()).toEqual(
        ['turn-start', 'tool-call', 'tool-call', 'tool-progress', 'tool-result', 'tool-error', 'turn-end'].toSorted(),
      );
      expect(events[0]!.type).toBe('turn-start');
      expect(new Set(events.map(({ turnId }) => turnId)).size).toBe(1);
      expect(new Set(events.map(({ client }) => client))).toEqual(new Set(['default']));
      expect(events.find(({ type }) => type === 'tool-result')).toMatchObject({
        toolCall: { id: 'a', name: 'findOrder' },
        response: { responseData: '{"id":7}' },
      });
      expect(events.at(-1)).toMatchObject({
        type: 'turn-end',
        status: 'completed',
        rounds: 2,
        finishReason: 'stop',
        duration: expect.any(Number),
      });
    }
    expect(heard[0]!.turnId).not.toBe(ofCall[0]!.turnId);
  });

  test('gives one kind of event, with its type', async () => {
    const scene = await startApplication({ providers: [Orders] }, callOf('failing'));
    const failed: string[] = [];
    scene.app
      .get(AiEvents)
      .of('tool-error')
      .subscribe(({ toolCall: { name }, response }) => failed.push(`${name}: ${response.responseData}`));

    await scene.client.prompt('Hello').call().content();

    expect(failed).toEqual(['failing: closed']);
  });

  test('does not disturb events() of the same request, nor the other way round', async () => {
    const scene = await startApplication({ providers: [Orders] }, callOf('findOrder', { id: 7 }));
    const heard = listen(scene);

    const own = await lastValueFrom(scene.client.prompt('Hello').stream().events().pipe(toArray()));

    expect(own.map(({ type }) => type)).toEqual(['tool-call', 'tool-progress', 'tool-result', 'text', 'finish']);
    expect(heard.map(({ type }) => type)).toEqual([
      'turn-start',
      'tool-call',
      'tool-progress',
      'tool-result',
      'turn-end',
    ]);
  });

  test('names the client, and ties a turn together that was suspended', async () => {
    const scene = await startApplication(
      { providers: [Orders], imports: [AiModule.forFeature([{ name: 'support', tools: [Orders] }])] },
      [{ toolCalls: [toolCall('refund', { id: 7 }, 'call-7')] }, 'done'],
    );
    const heard = listen(scene);
    const support = scene.app.get<ChatClient>(getChatClientToken('support'));

    await support.prompt('Refund it').call().content();
    await support
      .prompt()
      .toolApprovals([{ toolCallId: 'call-7', approved: true }])
      .call()
      .content();

    expect(heard.map(({ type }) => type)).toEqual([
      'turn-start',
      'tool-call',
      'turn-end',
      'turn-start',
      'tool-result',
      'turn-end',
    ]);
    expect(new Set(heard.map(({ turnId }) => turnId)).size).toBe(1);
    expect(heard.every(({ client }) => client === 'support')).toBe(true);
    expect(heard.filter((event) => event.type === 'turn-end').map(({ status }) => status)).toEqual([
      'suspended',
      'completed',
    ]);
  });

  test('tells of turns that fail', async () => {
    const error = new Error('no model');
    const scene = await startApplication({ providers: [Orders] }, [{ error }]);
    const heard = listen(scene);

    await expect(scene.client.prompt('Hello').call().content()).rejects.toThrow('no model');

    expect(heard.at(-1)).toMatchObject({ type: 'turn-end', status: 'failed', error });
  });

  test('says that a turn has failed whose memory could not keep it', async () => {
    class Broken extends InMemoryChatMemoryRepository {
      override saveAll(): never {
        throw new Error('db gone');
      }
    }
    const scene = await startApplication({ providers: [Orders] }, ['done'], {
      providers: [{ provide: ChatMemoryRepository, useClass: Broken }],
    });
    const heard = listen(scene);
    const memory = new MessageChatMemoryAdvisor({ chatMemory: scene.app.get(ChatMemory), order: 0 });

    const asked = scene.client
      .prompt('Hello')
      .advisors(memory, (spec) => spec.param(ChatMemory.CONVERSATION_ID, 'one'))
      .call();
    await expect(asked.content()).rejects.toThrow('db gone');

    expect(heard.at(-1)).toMatchObject({ type: 'turn-end', status: 'failed' });
  });

  test('survives listeners that throw', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const scene = await startApplication({ providers: [Orders] }, callOf('failing'));
    const events = scene.app.get(AiEvents);
    events.subscribe(() => {
      throw new RangeError('a secret');
    });
    events.of('tool-error').subscribe({
      next: () => {
        throw new RangeError('a secret');
      },
    });
    events.pipe(filter(({ type }) => type === 'turn-end')).subscribe(() => {
      throw new RangeError('a secret');
    });
    events.subscribe(async () => {
      throw new RangeError('a secret');
    });
    const heard = listen(scene);

    expect(await scene.client.prompt('Hello').call().content()).toBe('done');
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(heard).toHaveLength(4);
    expect(new Set(error.mock.calls.map(([text]) => text))).toEqual(
      new Set(['A listener of AiEvents failed: RangeError']),
    );
  });

  test('is one for all modules of the application', async () => {
    const scene = await startApplication(
      {
        providers: [Orders],
        imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel(['other']), isGlobal: false })],
      },
      ['done'],
    );
    const heard = listen(scene);
    await scene.client.prompt('Hello').call().content();
    expect(heard.map(({ type }) => type)).toEqual(['turn-start', 'turn-end']);
  });

  test('ends with the application', async () => {
    const scene = await startApplication({ providers: [Orders] });
    const events = lastValueFrom(scene.app.get(AiEvents).pipe(toArray()));
    await scene.app.close();
    expect(await events).toEqual([]);
  });
});

describe('hooks', () => {
  @Injectable()
  class Audit {
    readonly lines: string[] = [];

    @OnTurnStart()
    begun({ client }: AiEventOf<'turn-start'>): void {
      this.lines.push(`begun ${client}`);
    }

    @OnToolCall()
    called({ toolCall: { name, arguments: given } }: AiEventOf<'tool-call'>): void {
      this.lines.push(`called ${name}(${given})`);
    }

    @OnToolCall('refund')
    refunded(): void {
      this.lines.push('refund!');
    }

    @OnToolProgress({ tool: 'findOrder' })
    progress({ value }: AiEventOf<'tool-progress'>): void {
      this.lines.push(String(value));
    }

    @OnToolResult()
    answered({ response }: AiEventOf<'tool-result'>): void {
      this.lines.push(response.responseData);
    }

    @OnToolError()
    async failed({ response }: AiEventOf<'tool-error'>): Promise<void> {
      this.lines.push(response.responseData);
      throw new Error('The audit is broken');
    }

    @OnTurnEnd()
    ended({ rounds }: AiEventOf<'turn-end'>): void {
      this.lines.push(`ended after ${rounds}`);
    }
  }

  test('are methods of providers that are called with what happens', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { client, app } = await startApplication(
      { imports: [EventEmitterModule.forRoot(), AiEventEmitterModule], providers: [Orders, Audit] },
      [
        { toolCalls: [toolCall('findOrder', { id: 7 })] },
        { toolCalls: [toolCall('failing')] },
        { toolCalls: [toolCall('refund', { id: 7 })] },
      ],
    );

    await client.prompt('Hello').call().content();

    expect(app.get(Audit).lines).toEqual([
      'begun default',
      'called findOrder({"id":7})',
      'searching',
      '{"id":7}',
      'called failing({})',
      'closed',
      'called refund({"id":7})',
      'refund!',
      'ended after 3',
    ]);
  });

  test('may be any listener of the event emitter, with wildcards too', async () => {
    const { client, app } = await startApplication(
      { imports: [EventEmitterModule.forRoot({ wildcard: true }), AiEventEmitterModule], providers: [Orders] },
      callOf('findOrder', { id: 7 }),
    );
    const heard: string[] = [];
    app.get(EventEmitter2).on('ai.*', (event: AiEvent) => heard.push(event.type));

    await client.prompt('Hello').call().content();

    expect(heard).toEqual(['turn-start', 'tool-call', 'tool-progress', 'tool-result', 'turn-end']);
  });

  test('of a class that is extended are those of the class that overrides them', async () => {
    @Injectable()
    class Stricter extends Audit {
      @OnToolCall('findOrder')
      override refunded(): void {
        this.lines.push('found!');
      }
    }
    const { client, app } = await startApplication(
      { imports: [EventEmitterModule.forRoot(), AiEventEmitterModule], providers: [Orders, Stricter] },
      [{ toolCalls: [toolCall('findOrder', { id: 7 })] }, { toolCalls: [toolCall('refund', { id: 7 })] }],
    );
    await client.prompt('Hello').call().content();
    const { lines } = app.get(Stricter);
    expect(lines.filter((line) => line === 'found!')).toHaveLength(1);
    expect(lines).not.toContain('refund!');
  });

  test('of one tool are not called for another, whatever a model names it', async () => {
    const { client, app } = await startApplication(
      { imports: [EventEmitterModule.forRoot({ wildcard: true }), AiEventEmitterModule], providers: [Orders, Audit] },
      [{ toolCalls: [toolCall('*'), toolCall('ai.*')] }, 'done'],
    );
    await client.prompt('Hello').call().content();
    expect(app.get(Audit).lines).not.toContain('refund!');
  });

  test.each<[string, Provider]>([
    ['a factory', { provide: 'audit', useFactory: () => new Audit() }],
    ['an emitter of its own', Audit],
  ])('that nothing calls stop the bootstrap: made by %s', async (_how, provider) => {
    class OwnBus extends EventEmitter2 {}
    const { message } = await bootstrapError({ providers: [Orders, provider, OwnBus] });
    expect(message).toContain('Audit has hooks such as @OnToolCall()');
  });

  test('that throw disturb no turn', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { client, app } = await startApplication(
      { imports: [EventEmitterModule.forRoot(), AiEventEmitterModule], providers: [Orders] },
      callOf('findOrder', { id: 7 }),
    );
    app.get(EventEmitter2).on('ai.tool-call', () => {
      throw new RangeError('a secret');
    });

    expect(await client.prompt('Hello').call().content()).toBe('done');
    expect(error.mock.calls[0]![0]).toBe('A listener of AiEvents failed: RangeError');
  });

  test('that nothing calls stop the bootstrap', async () => {
    const { message } = await bootstrapError({ providers: [Orders, Audit] });
    expect(message).toContain(
      'Audit has hooks such as @OnToolCall(), but nothing calls them. Import AiEventEmitterModule of @nestor-ai/event-emitter',
    );
  });

  test('use the global emitter, also if a module has one of its own', async () => {
    @Module({
      providers: [{ provide: EventEmitter2, useFactory: () => new EventEmitter2() }],
      exports: [EventEmitter2],
    })
    class Feature {}
    const imports = [EventEmitterModule.forRoot(), AiEventEmitterModule, Feature];
    const { client, app } = await startApplication(
      { imports, providers: [Orders, Audit] },
      callOf('findOrder', { id: 7 }),
    );
    await client.prompt('Hello').call().content();
    expect(app.get(Audit).lines).toContain('ended after 2');
  });

  test('need the event emitter of Nest, and say so', async () => {
    const { message } = await bootstrapError({ imports: [AiEventEmitterModule], providers: [Orders, Audit] });
    expect(message).toContain('AiEventEmitterModule needs EventEmitterModule.forRoot() of @nestjs/event-emitter.');
  });
});
