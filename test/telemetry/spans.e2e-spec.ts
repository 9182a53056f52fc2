import { describe, expect, test } from '@jest/globals';
import { CanActivate, ForbiddenException, Injectable, UseGuards } from '@nestjs/common';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AdvisorParams,
  AiModule,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatMemory,
  ChatModelException,
  ChatResponse,
  AssistantMessage,
  DefaultToolCallingManager,
  FallbackModelAdvisor,
  getChatClientToken,
  MessageChatMemoryAdvisor,
  ModelTimeoutAdvisor,
  Prompt,
  type StreamAdvisorChain,
  Tool,
  ToolCallbacks,
  ToolCallingManager,
  ToolContext,
} from '@nestor-ai/core';
import { SafeGuardAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { firstValueFrom, lastValueFrom, NEVER, type Observable, tap, toArray } from 'rxjs';
import { AskAgain } from '../ask-again.js';
import { callOf, startApplication } from '../nest/application.js';
import { Recorder } from './recorder.js';

const recorder = Recorder.register();
const tracer = trace.getTracer('the application');

@Injectable()
class Refuses implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Breaks implements CanActivate {
  canActivate(): boolean {
    throw new TypeError('Cannot read properties of undefined');
  }
}

class NoSuchOrderError extends Error {
  override readonly name = 'NoSuchOrderError';
}

@Injectable()
class Orders {
  @Tool({ description: 'Finds an order' })
  async findOrder(id: number): Promise<object> {
    // Somewhere in the tool, after it has waited for something.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return tracer.startActiveSpan('SELECT orders', (span) => {
      span.end();
      return { id, total: 12 };
    });
  }

  @Tool()
  failing(): never {
    throw new NoSuchOrderError('Order 7 of Ada Lovelace is gone');
  }

  @Tool({ timeout: 5 })
  hanging(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Tool({ needsApproval: true })
  refund(id: number): string {
    return `refunded ${id}`;
  }

  @Tool()
  @UseGuards(Refuses)
  guarded(): string {
    return 'never';
  }

  @Tool()
  @UseGuards(Breaks)
  badlyGuarded(): string {
    return 'never';
  }

  @Tool()
  refusing(): never {
    throw new ForbiddenException('Not yours');
  }

  @Tool({ rateLimit: { calls: 1, interval: 60_000 } })
  rare(): string {
    return 'rare';
  }

  @Tool({ returnDirect: true })
  direct(): string {
    return 'as it is';
  }
}

@Injectable()
class Slow {
  @Tool()
  slow(context: ToolContext): Promise<never> {
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
    });
  }
}

class Plain {
  @Tool({ returnDirect: true })
  direct(): string {
    return 'as it is';
  }

  @Tool()
  findOrder(id: number): object {
    return { id };
  }
}

const providers = [Orders];

describe('the trace of a turn', () => {
  test('has the request, the loop, each call to the model and each tool, one inside of the other', async () => {
    const { client } = await startApplication({ providers }, callOf('findOrder', { id: 7 }));

    await client.prompt('Where is my order?').call().content();

    expect(recorder.tree()).toBe(
      `
chat_client
  tool_calling
    chat
    execute_tool findOrder
      SELECT orders
    chat`.trim(),
    );
  });

  test('is the same when the answer is streamed', async () => {
    const { client } = await startApplication({ providers }, callOf('findOrder', { id: 7 }));

    await lastValueFrom(client.prompt('Where is my order?').stream().content());

    expect(recorder.tree()).toBe(
      `
chat_client
  tool_calling
    chat
    execute_tool findOrder
      SELECT orders
    chat`.trim(),
    );
  });

  test('lies inside of what was going on when the request was made, for calls and for streams', async () => {
    const { client } = await startApplication({ providers }, [
      ...callOf('findOrder', { id: 7 }),
      ...callOf('findOrder', { id: 8 }),
    ]);

    await tracer.startActiveSpan('POST /chat', async (span) => {
      await client.prompt('Where is my order?').call().content();
      span.end();
    });
    await tracer.startActiveSpan('GET /chat/stream', async (span) => {
      await lastValueFrom(client.prompt('Where is my order?').stream().content());
      span.end();
    });

    expect(recorder.parentOf(recorder.named('chat_client')[0]!)?.name).toBe('POST /chat');
    expect(recorder.parentOf(recorder.named('chat_client')[1]!)?.name).toBe('GET /chat/stream');
    const loops = recorder.named('tool_calling').map((span) => span.spanContext().spanId);
    // Both rounds of both turns, though the stream was subscribed inside of a span that is not ours.
    expect(recorder.named('chat').map((span) => span.parentSpanContext?.spanId)).toEqual([
      loops[0],
      loops[0],
      loops[1],
      loops[1],
    ]);
  });

  test('has tools that run at the same time side by side, each with what it does', async () => {
    const { client } = await startApplication({ providers }, [
      { toolCalls: [toolCall('findOrder', { id: 1 }, 'a'), toolCall('findOrder', { id: 2 }, 'b')] },
      'Both are here.',
    ]);

    await client.prompt('Where are my orders?').call().content();

    const tools = recorder.named('execute_tool findOrder');
    expect(tools.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual(['a', 'b']);
    const queries = recorder.named('SELECT orders').map((span) => span.parentSpanContext?.spanId);
    expect(new Set(queries)).toEqual(new Set(tools.map((span) => span.spanContext().spanId)));
    expect(new Set(tools.map((span) => span.parentSpanContext?.spanId)).size).toBe(1);
  });

  test('shows memory inside of the loop once a round, and outside of it once a turn', async () => {
    const { client, app } = await startApplication({ providers }, [
      ...callOf('findOrder', { id: 7 }),
      ...callOf('findOrder', { id: 7 }),
    ]);
    const chatMemory = app.get(ChatMemory);
    const conversation = (id: string) => (spec: { param(key: string, value: unknown): unknown }) =>
      void spec.param(ChatMemory.CONVERSATION_ID, id);

    await client
      .prompt('Where is my order?')
      .advisors(new MessageChatMemoryAdvisor({ chatMemory, order: 0 }), conversation('one'))
      .call()
      .content();
    const inside = recorder.tree();
    await lastValueFrom(
      client
        .prompt('Where is my order?')
        .advisors(new MessageChatMemoryAdvisor({ chatMemory }), conversation('two'))
        .stream()
        .content(),
    );

    expect(inside).toBe(
      `
chat_client
  tool_calling
    message_chat_memory
      chat
    execute_tool findOrder
      SELECT orders
    message_chat_memory
      chat`.trim(),
    );
    expect(recorder.tree().slice(inside.length).trim()).toBe(
      `
chat_client
  message_chat_memory
    tool_calling
      chat
      execute_tool findOrder
        SELECT orders
      chat`.trim(),
    );
  });

  test('keeps what an advisor does after a stream inside of the advisor', async () => {
    const { client } = await startApplication({ providers }, ['Hello.']);
    class Saves extends BaseAdvisor {
      readonly name = 'SavesAdvisor';
      override adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
        return chain.nextStream(request).pipe(tap({ complete: () => tracer.startSpan('INSERT').end() }));
      }
    }

    await lastValueFrom(client.prompt('Hello').advisors(new Saves()).stream().content());

    expect(recorder.parentOf(recorder.span('INSERT'))?.name).toBe('saves');
  });

  test('shows another try and another model as calls of their own', async () => {
    const failing = new ScriptedChatModel([
      { error: new ChatModelException('busy', { httpStatus: 503, isRetryable: true }) },
      { error: new ChatModelException('busy', { httpStatus: 503, isRetryable: true }) },
    ]);
    const client = ChatClient.builder(failing)
      .defaultAdvisors(
        new AskAgain(),
        new FallbackModelAdvisor({ models: [new ScriptedChatModel(['Hello.'], { model: 'spare' })] }),
      )
      .build();

    await client.prompt('Hello').call().content();

    expect(recorder.tree()).toBe(
      `
chat_client
  tool_calling
    fallback_model
      ask_again !503
        chat !503
        chat !503
      chat spare`.trim(),
    );
  });

  test('begins where the telemetry SDK is registered, however late', async () => {
    const { client } = await startApplication({ providers }, ['Hello.', 'Hello again.']);
    const provider = recorder.tracerProvider;
    trace.disable();
    await client.prompt('Hello').call().content();
    expect(recorder.spans).toEqual([]);

    trace.setGlobalTracerProvider(provider);
    await client.prompt('Hello').call().content();
    expect(recorder.tree()).toBe('chat_client\n  tool_calling\n    chat');
  });
});

describe('the span of a request', () => {
  test('names its advisors, its tools and its conversation', async () => {
    const { client } = await startApplication({ providers }, ['Hello.']);

    await client
      .prompt('Hello')
      .advisors(new SafeGuardAdvisor({ sensitiveWords: ['secret'] }), (spec) =>
        spec.param(ChatMemory.CONVERSATION_ID, 'conversation 7'),
      )
      .tools('findOrder', 'direct')
      .call()
      .content();

    const span = recorder.span('chat_client');
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.instrumentationScope).toMatchObject({
      name: '@nestor-ai/core',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      schemaUrl: 'https://opentelemetry.io/schemas/1.41.1',
    });
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'framework',
      'gen_ai.conversation.id': 'conversation 7',
      'gen_ai.response.finish_reasons': ['stop'],
      'spring.ai.kind': 'chat_client',
      'spring.ai.chat.client.stream': false,
      'spring.ai.chat.client.advisors': ['Tool Calling Advisor', 'Safe Guard Advisor'],
      'spring.ai.chat.client.tool.names': ['direct', 'findOrder'],
      'nestor.turn.rounds': 1,
    });
    expect(recorder.span('chat').attributes['gen_ai.conversation.id']).toBe('conversation 7');
  });

  test('names the client, where it has a name, and tells of streams', async () => {
    const { app } = await startApplication({ imports: [AiModule.forFeature([{ name: 'support', tools: [] }])] }, [
      'Hello.',
    ]);
    const support = app.get<ChatClient>(getChatClientToken('support'));

    await lastValueFrom(support.prompt('Hello').stream().content());

    expect(recorder.span('chat_client').attributes).toMatchObject({
      'gen_ai.agent.name': 'support',
      'spring.ai.chat.client.stream': true,
      'gen_ai.response.finish_reasons': ['stop'],
      'nestor.turn.rounds': 1,
    });
  });

  test('tells why the loop has ended', async () => {
    const asking = { toolCalls: [toolCall('rare')] };
    const { client } = await startApplication({ providers }, callOf('direct'));
    const limited = await startApplication({ providers }, [asking, asking], {
      properties: { tools: { limits: { maxTotalToolCalls: 1 } } },
    });
    const short = await startApplication({ providers }, [asking, 'enough'], {
      properties: { chat: { client: { toolCalling: { maxRounds: 1 } } } },
    });

    await client.prompt('Hello').call().content();
    await limited.client.prompt('Hello').call().content();
    await lastValueFrom(short.client.prompt('Hello').stream().content());

    const spans = recorder.named('chat_client');
    expect(spans.map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])).toEqual([
      ['returnDirect'],
      ['toolCallLimitExceeded'],
      ['maxRoundsExceeded'],
    ]);
    expect(spans.map(({ attributes }) => attributes['nestor.turn.rounds'])).toEqual([1, 2, 2]);
  });
});

test('the span of an advisor has its name and its order', async () => {
  const { client } = await startApplication({ providers }, ['Hello.']);

  await client.prompt('Hello').call().content();

  const span = recorder.span('tool_calling');
  expect(span.kind).toBe(SpanKind.INTERNAL);
  expect(span.attributes).toEqual({
    'gen_ai.operation.name': 'framework',
    'spring.ai.kind': 'advisor',
    'spring.ai.advisor.name': 'Tool Calling Advisor',
    'spring.ai.advisor.order': -2147483348,
  });
});

describe('the span of a call to a model', () => {
  test('has what was asked for and what was answered', async () => {
    class Known extends ScriptedChatModel {
      override readonly provider = 'openai';
      override async call(prompt: Prompt): Promise<ChatResponse> {
        const response = await super.call(prompt);
        return response.with({ metadata: { ...response.metadata, id: 'chatcmpl-1', model: 'gpt-5-2026' } });
      }
    }
    const usage = { promptTokens: 12, completionTokens: 3, totalTokens: 15, cacheReadTokens: 8, cacheWriteTokens: 2 };
    const client = ChatClient.create(new Known([{ text: '{"a":1}', usage }], { model: 'gpt-5' }));

    await client
      .prompt('Hello')
      .options({
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        maxTokens: 100,
        stopSequences: ['END'],
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        seed: 7,
        outputSchema: { type: 'object' },
      })
      .call()
      .content();

    const span = recorder.span('chat gpt-5');
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.top_k': 40,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.presence_penalty': 0.1,
      'gen_ai.request.frequency_penalty': 0.2,
      'gen_ai.request.seed': 7,
      'gen_ai.output.type': 'json',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.model': 'gpt-5-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.usage.cache_read.input_tokens': 8,
      'gen_ai.usage.cache_creation.input_tokens': 2,
    });
  });

  test('has of a stream when its first chunk came, and what the chunks say of it', async () => {
    const usage = { promptTokens: 12, completionTokens: 3, totalTokens: 15 };
    const { client } = await startApplication({ providers }, [{ text: 'Hello there', usage, delay: 3 }]);

    await lastValueFrom(client.prompt('Hello').stream().content());

    const { attributes } = recorder.span('chat');
    expect(attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
    });
    expect(attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0.001);
  });

  test('is marked when the model fails, with the status of the provider, and so is all around it', async () => {
    const { client } = await startApplication({ providers }, [
      { error: new ChatModelException('too many', { httpStatus: 429 }) },
      { chunks: ['Hel'], error: new TypeError('broken off') },
    ]);

    await expect(client.prompt('Hello').call().content()).rejects.toThrow('too many');
    expect(recorder.tree()).toBe('chat_client !429\n  tool_calling !429\n    chat !429');
    expect(recorder.span('chat').status.message).toBeUndefined();

    await expect(lastValueFrom(client.prompt('Hello').stream().content())).rejects.toThrow('broken off');
    const last = recorder.named('chat').at(-1)!;
    expect(last.status.code).toBe(SpanStatusCode.ERROR);
    expect(last.attributes['error.type']).toBe('TypeError');
    expect(recorder.named('chat_client').at(-1)!.attributes['error.type']).toBe('TypeError');
  });

  test('is marked when a stream takes too long, though the model has not failed yet', async () => {
    class Hanging extends ScriptedChatModel {
      override stream() {
        return NEVER;
      }
    }
    const client = ChatClient.builder(new Hanging([]))
      .defaultAdvisors(new ModelTimeoutAdvisor({ timeout: 5 }))
      .build();

    await expect(lastValueFrom(client.prompt('Hello').stream().content())).rejects.toThrow('within 5 ms');
    const failure = { 'error.type': 'ModelTimeoutException' };
    expect(recorder.span('chat')).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: failure });
    expect(await recorder.points('gen_ai.client.operation.duration')).toMatchObject([{ attributes: failure }]);
  });
});

describe('the span of a tool call', () => {
  test('has the tool, the call and what became of it', async () => {
    const { client } = await startApplication({ providers }, [
      { toolCalls: [toolCall('findOrder', { id: 7 }, 'call-1')] },
      'Here.',
    ]);

    await client.prompt('Where is my order?').call().content();

    const span = recorder.span('execute_tool findOrder');
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'findOrder',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call-1',
      'gen_ai.tool.description': 'Finds an order',
      'spring.ai.kind': 'tool_call',
      'spring.ai.tool.definition.schema': JSON.stringify({
        type: 'object',
        properties: { id: { type: 'number' } },
        required: ['id'],
        additionalProperties: false,
      }),
      'nestor.tool.call.outcome': 'ok',
    });
  });

  test.each([
    ['failing', {}, 'error', 'NoSuchOrderError'],
    ['hanging', {}, 'timeout', 'ToolTimeoutException'],
    ['findOrder', { id: 'seven' }, 'invalid_arguments', 'ToolInputException'],
    ['findOrder', '{"id": ', 'invalid_arguments', 'ToolInputException'],
    ['guarded', {}, 'forbidden', 'ForbiddenException'],
    ['refusing', {}, 'forbidden', 'ForbiddenException'],
    ['badlyGuarded', {}, 'unavailable', 'ToolUnavailableException'],
  ])(
    '%s(%j) is marked as %s, though the model is told and the turn goes on',
    async (name, args, outcome, errorType) => {
      const { client } = await startApplication({ providers }, [{ toolCalls: [toolCall(name, args)] }, 'Sorry.']);

      expect(await client.prompt('Where is my order?').call().content()).toBe('Sorry.');

      const span = recorder.span(`execute_tool ${name}`);
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.attributes).toMatchObject({ 'error.type': errorType, 'nestor.tool.call.outcome': outcome });
      expect(span.events).toEqual([]);
      // Nothing else has failed.
      expect(recorder.span('chat_client').status.code).toBe(SpanStatusCode.UNSET);
    },
  );

  test('tells of a tool that is called too often', async () => {
    const { client } = await startApplication({ providers }, [
      { toolCalls: [toolCall('rare', {}, 'a'), toolCall('rare', {}, 'b')] },
      'Sorry.',
    ]);

    await client.prompt('Hello').call().content();

    const outcomes = recorder
      .named('execute_tool rare')
      .map(({ attributes }) => attributes['nestor.tool.call.outcome']);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'rate_limited']));
  });

  test('is there for a tool that there is not, under a name that makes no new kind of span', async () => {
    const { client } = await startApplication({ providers }, [
      { toolCalls: [toolCall('launchRocket'), toolCall('please tell me the password of Ada')] },
      'Sorry.',
    ]);

    await client.prompt('Hello').call().content();

    const spans = recorder.named('execute_tool');
    expect(spans.map(({ attributes }) => attributes['gen_ai.tool.name'])).toEqual(['_OTHER', '_OTHER']);
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['unknown_tool', 'unknown_tool']);
  });

  test('is there for a call that a limit keeps from running', async () => {
    const { client } = await startApplication(
      { providers },
      [{ toolCalls: [toolCall('findOrder', { id: 1 }, 'a'), toolCall('findOrder', { id: 2 }, 'b')] }],
      { properties: { tools: { limits: { maxCallsPerToolDefault: 1 } } } },
    );

    await client.prompt('Hello').call().content();

    const calls = recorder.named('execute_tool findOrder');
    const [ran, skipped] = ['a', 'b'].map((id) =>
      calls.find(({ attributes }) => attributes['gen_ai.tool.call.id'] === id),
    );
    expect(ran!.attributes['nestor.tool.call.outcome']).toBe('ok');
    expect(skipped!.attributes).toMatchObject({
      'error.type': 'limit_exceeded',
      'nestor.tool.call.outcome': 'limit_exceeded',
    });
  });

  test('tells of a call that waits for a human, and of one that a human has refused', async () => {
    const { client } = await startApplication({ providers }, [
      { toolCalls: [toolCall('refund', { id: 7 }, 'call-7')] },
      'As you wish.',
    ]);

    const asked = await client.prompt('Refund it').call().chatResponse();
    const waiting = recorder.span('execute_tool refund');
    expect(waiting.status.code).toBe(SpanStatusCode.UNSET);
    expect(waiting.attributes['nestor.tool.call.outcome']).toBe('pending_approval');
    expect(recorder.span('chat_client').attributes['gen_ai.response.finish_reasons']).toEqual(['toolApprovalRequired']);

    await client
      .prompt()
      .toolApprovals([{ toolCallId: 'call-7', approved: false }], { turnId: asked!.metadata['turnId'] as string })
      .call()
      .content();
    const [, refused] = recorder.named('execute_tool refund');
    expect(refused!.status.code).toBe(SpanStatusCode.UNSET);
    expect(refused!.attributes['nestor.tool.call.outcome']).toBe('denied');
    // The turn goes on in a trace of its own.
    expect(recorder.named('chat_client')).toHaveLength(2);
    expect(recorder.parentOf(recorder.parentOf(refused!)!)).toBe(recorder.named('chat_client')[1]);
  });

  test('fails with the turn where errors are to be thrown', async () => {
    const { client } = await startApplication({ providers }, callOf('failing'), {
      properties: { tools: { throwExceptionOnError: true } },
    });

    await expect(client.prompt('Hello').call().content()).rejects.toThrow('is gone');

    expect(recorder.tree()).toBe(
      `
chat_client !ToolExecutionException
  tool_calling !ToolExecutionException
    chat
    execute_tool failing !NoSuchOrderError`.trim(),
    );
  });
});

describe('a caller who goes away', () => {
  test('is no failure of the tool, the model or the request', async () => {
    const { client } = await startApplication({ providers: [Slow] }, callOf('slow'));
    const controller = new AbortController();

    const answer = client.prompt('Hello').options({ signal: controller.signal }).call().content();
    setTimeout(() => controller.abort(), 20);
    await expect(answer).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(recorder.tree()).toBe(
      'chat_client aborted\n  tool_calling aborted\n    chat\n    execute_tool slow aborted',
    );
    expect(recorder.span('execute_tool slow').attributes['nestor.tool.call.outcome']).toBe('aborted');
    expect(recorder.spans.every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true);
  });

  test('ends the spans of a stream by unsubscribing', async () => {
    const { client } = await startApplication({ providers }, [{ chunks: ['a ', 'b ', 'c '], delay: 5 }]);

    await firstValueFrom(client.prompt('Hello').stream().content());
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(recorder.tree()).toBe('chat_client aborted\n  tool_calling aborted\n    chat aborted');
  });
});

describe('without a ChatClient', () => {
  test('a manager observes the calls that it is given, inside of what is going on', async () => {
    const toolCallbacks = ToolCallbacks.from(new Plain());
    const manager = new DefaultToolCallingManager({ observability: { includeContent: true } });
    const response = new ChatResponse({
      results: [{ output: new AssistantMessage({ toolCalls: [toolCall('direct')] }) }],
    });

    await tracer.startActiveSpan('a job', async (span) => {
      await manager.executeToolCalls(new Prompt('Hello', { toolCallbacks }), response);
      span.end();
    });

    expect(recorder.tree()).toBe('a job\n  execute_tool direct');
    expect(recorder.span('execute_tool direct').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{}',
      'gen_ai.tool.call.result': 'as it is',
    });
  });

  test('a client shows what it is told to show', async () => {
    const client = ChatClient.builder(new ScriptedChatModel(callOf('direct')))
      .defaultTools(new Plain())
      .defaultObservability({ includeContent: true, includePrompt: true })
      .build();
    await client.prompt('Hello').call().content();
    expect(recorder.span('execute_tool direct').attributes['gen_ai.tool.call.result']).toBe('as it is');
    expect(recorder.span('chat').attributes['gen_ai.input.messages']).toContain('Hello');
  });

  test('a loop of the application’s own has all spans', async () => {
    const { client, app } = await startApplication({ providers }, callOf('findOrder', { id: 7 }));

    await tracer.startActiveSpan('own loop', async (span) => {
      const asked = await client
        .prompt('Where is my order?')
        .advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false))
        .call()
        .chatResponse();
      const toolCallbacks = ToolCallbacks.from(new Plain());
      await app.get(ToolCallingManager).executeToolCalls(new Prompt('Hello', { toolCallbacks }), asked!);
      span.end();
    });

    expect(recorder.tree()).toBe('own loop\n  chat_client\n    chat\n  execute_tool findOrder');
  });
});

test('spans that are not sampled cost no contents and break nothing', async () => {
  const { client } = await startApplication({ providers }, callOf('findOrder', { id: 7 }));
  const unsampled = trace.setSpanContext(context.active(), {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 0,
  });

  const answer = await context.with(unsampled, () => client.prompt('Hello').call().content());

  expect(answer).toBe('done');
  expect(recorder.spans).toEqual([]);
});

test('what a stream gives does not change', async () => {
  const { client } = await startApplication({ providers }, callOf('findOrder', { id: 7 }));
  expect(await lastValueFrom(client.prompt('Hello').stream().content().pipe(toArray()))).toEqual(['done']);
});
