import { describe, expect, it } from '@jest/globals';
import {
  concat,
  EMPTY,
  finalize,
  firstValueFrom,
  from,
  generate,
  lastValueFrom,
  mergeMap,
  NEVER,
  type Observable,
  of,
  Subject,
  tap,
  toArray,
} from 'rxjs';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { DefaultToolCallingManager } from '../execution/default-tool-calling-manager.js';
import { ToolCallingManager } from '../execution/tool-calling-manager.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type Message, SystemMessage, UserMessage } from '../model/messages.js';
import { Prompt } from '../model/prompt.js';
import type { Usage } from '../model/usage.js';
import { FunctionToolCallback, type FunctionToolCallbackOptions } from '../tool/function-tool-callback.js';
import { type Advisor, type CallAdvisorChain, MemoryAdvisor } from './advisor.js';
import { DefaultAdvisorChain } from './advisor-chain.js';
import { BaseAdvisor } from './base-advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ChatModelAdvisor } from './chat-model-advisor.js';
import { Ordered } from './ordered.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';
import type { ToolCallingAdvisorOptions } from './tool-calling-advisor.options.js';

const tool = (
  name: string,
  toolFunction: FunctionToolCallbackOptions['toolFunction'] = () => `${name} done`,
  returnDirect = false,
): FunctionToolCallback => new FunctionToolCallback({ name, toolFunction, toolMetadata: { returnDirect } });

const usage = (n: number): Usage => ({ promptTokens: n, completionTokens: n, totalTokens: 2 * n });
const textOf = (responses: readonly ChatClientResponse[]): string =>
  responses.map(({ chatResponse }) => chatResponse?.text ?? '').join('');

class Scene {
  readonly model: ScriptedChatModel;
  readonly advisor: ToolCallingAdvisor;
  readonly chain: DefaultAdvisorChain;
  readonly request: ChatClientRequest;

  constructor(
    script: readonly ScriptEntry[],
    options: ToolCallingAdvisorOptions | ToolCallingAdvisor = {},
    extra: { tools?: FunctionToolCallback[]; advisors?: Advisor[]; messages?: Message[]; signal?: AbortSignal } = {},
  ) {
    this.model = new ScriptedChatModel(script);
    this.advisor = options instanceof ToolCallingAdvisor ? options : new ToolCallingAdvisor(options);
    this.chain = DefaultAdvisorChain.of([this.advisor, ...(extra.advisors ?? [])], new ChatModelAdvisor(this.model));
    this.request = {
      prompt: new Prompt(extra.messages ?? [new UserMessage('Hi')], {
        toolCallbacks: extra.tools ?? [tool('a')],
        ...(extra.signal && { signal: extra.signal }),
      }),
      context: {},
    };
  }

  call(): Promise<ChatClientResponse> {
    return this.chain.nextCall(this.request);
  }
  stream(): Observable<ChatClientResponse> {
    return this.chain.nextStream(this.request);
  }
  chunks(): Promise<ChatClientResponse[]> {
    return lastValueFrom(this.stream().pipe(toArray()));
  }
  roles(prompt: number): string[] {
    return this.model.prompts[prompt]!.messages.map(({ role }) => role);
  }
}

const once: ScriptEntry[] = [{ toolCalls: [toolCall('a')] }, 'It is done.'];

describe('the tool loop', () => {
  it('asks the model, runs the tools, and asks again with the whole history', async () => {
    const scene = new Scene(once, {}, { messages: [new SystemMessage('Be brief'), new UserMessage('Hi')] });
    expect((await scene.call()).chatResponse?.text).toBe('It is done.');
    expect(scene.roles(1)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(scene.model.toolResponses).toEqual(['a done']);
    scene.model.assertDone();
  });

  it('asks once when the model wants no tools, and returns the same response object', async () => {
    const scene = new Scene(['Hello']);
    expect((await scene.call()).chatResponse?.result?.metadata?.finishReason).toBe('stop');
    expect(scene.model.prompts).toHaveLength(1);
  });

  it('sums the usage of all rounds, cache counters included', async () => {
    const scene = new Scene([
      { toolCalls: [toolCall('a')], usage: { ...usage(10), cacheReadTokens: 5, native: { raw: 1 } } },
      { text: 'Done', usage: { ...usage(1), cacheReadTokens: 2 } },
    ]);
    expect((await scene.call()).chatResponse?.metadata.usage).toEqual({ ...usage(11), cacheReadTokens: 7 });
  });

  it('returns direct results of tools to the user', async () => {
    const script = [{ toolCalls: [toolCall('a', {}, '7')], usage: usage(1) }];
    const scene = new Scene(script, {}, { tools: [tool('a', () => ({ raw: 1 }), true)] });
    const { chatResponse } = await scene.call();
    expect(chatResponse?.text).toBe('{"raw":1}');
    expect(chatResponse?.result?.metadata).toEqual({
      finishReason: 'returnDirect',
      toolId: '7',
      toolName: 'a',
      value: { raw: 1 },
    });
    expect(chatResponse?.metadata.usage).toEqual(usage(1));
  });

  it('ends with a text about the limit when a model asks for too many calls', async () => {
    const toolCallingManager = new DefaultToolCallingManager({ limits: { maxCallsPerTool: 1 } });
    const scene = new Scene([{ toolCalls: [toolCall('a', {}, '1'), toolCall('a')] }], { toolCallingManager });
    const { chatResponse } = await scene.call();
    expect(chatResponse?.results).toHaveLength(1);
    expect(chatResponse?.text).toMatch(/limit \(1\) exceeded/);
    expect(chatResponse?.result?.metadata).toEqual({
      finishReason: 'toolCallLimitExceeded',
      partialToolResponses: [{ id: '1', name: 'a', responseData: 'a done' }],
    });
  });

  it('ends an endless loop with one last request without tools', async () => {
    const again = { toolCalls: [toolCall('a')] };
    const scene = new Scene(
      [again, again, (prompt) => ({ text: `${prompt.options?.offeredToolNames?.length} tools` })],
      {
        maxRounds: 2,
      },
    );
    const { chatResponse } = await scene.call();
    expect(chatResponse?.text).toBe('0 tools');
    expect(chatResponse?.result?.metadata?.finishReason).toBe('maxRoundsExceeded');
  });

  it('ignores a model that still asks for tools then', async () => {
    const scene = new Scene([{ toolCalls: [toolCall('a')] }, { text: 'Well', toolCalls: [toolCall('a')] }], {
      maxRounds: 1,
    });
    const { chatResponse } = await scene.call();
    expect(chatResponse?.text).toBe('Well');
    expect(chatResponse?.hasToolCalls()).toBe(false);
  });

  it('runs tools that an advisor before it added', async () => {
    class Bringer extends BaseAdvisor {
      readonly name = 'bringer';
      override readonly order = Ordered.HIGHEST_PRECEDENCE + 1;
      override before({ prompt, context }: ChatClientRequest): ChatClientRequest {
        return { context, prompt: prompt.with({ options: { ...prompt.options, toolCallbacks: [tool('brought')] } }) };
      }
    }
    const scene = new Scene(
      [{ toolCalls: [toolCall('brought')] }, 'Done'],
      {},
      { tools: [], advisors: [new Bringer()] },
    );
    await scene.call();
    expect(scene.model.toolResponses).toEqual(['brought done']);
  });

  it('keeps the context of inner advisors for the next round', async () => {
    const seen: unknown[] = [];
    class Counter extends BaseAdvisor {
      readonly name = 'counter';
      override before(request: ChatClientRequest): ChatClientRequest {
        seen.push(request.context.count);
        return { ...request, context: { ...request.context, count: Number(request.context.count ?? 0) + 1 } };
      }
    }
    const { context } = await new Scene(once, {}, { advisors: [new Counter()] }).call();
    expect(seen).toEqual([undefined, 1]);
    expect(context.count).toBe(2);
  });

  it('passes a request without options through', async () => {
    const scene = new Scene(['Hi']);
    await scene.chain.nextCall({ prompt: new Prompt('Hi'), context: {} });
    expect(scene.model.lastPrompt?.options).toBeUndefined();
  });

  it('reports an abort to the caller and runs no further tool', async () => {
    const caller = new AbortController();
    const scene = new Scene(
      once,
      {},
      { signal: caller.signal, tools: [tool('a', () => caller.abort(new Error('stop')))] },
    );
    await expect(scene.call()).rejects.toThrow('stop');
    expect(scene.model.prompts).toHaveLength(1);
  });

  it.each([
    ['call', (scene: Scene) => scene.call()],
    ['stream', (scene: Scene) => scene.chunks()],
  ])('passes on a failure of the model (%s)', async (_name, run) => {
    await expect(run(new Scene([{ toolCalls: [toolCall('a')] }, { error: new Error('overloaded') }]))).rejects.toThrow(
      'overloaded',
    );
  });
});

describe('the tool loop, streaming', () => {
  it('sends the text of every round as it arrives, numbered, without the tool calls', async () => {
    const scene = new Scene([{ text: 'Let me see. ', toolCalls: [toolCall('a')] }, { chunks: ['It ', 'is.'] }]);
    const chunks = await scene.chunks();
    expect(
      chunks.map(({ chatResponse }) => ({ round: chatResponse?.metadata.round, text: chatResponse?.text })),
    ).toEqual([
      { round: 0, text: 'Let ' },
      { round: 0, text: 'me ' },
      { round: 0, text: 'see. ' },
      { round: 1, text: 'It ' },
      { round: 1, text: 'is.' },
      { round: 1, text: '' },
    ]);
    expect(chunks.some(({ chatResponse }) => chatResponse?.hasToolCalls())).toBe(false);
    const reasons = chunks.map(({ chatResponse }) => chatResponse?.result?.metadata?.finishReason);
    expect(reasons).toEqual([undefined, undefined, undefined, undefined, undefined, 'stop']);
  });

  it('sends text from the same chunk as a tool call', async () => {
    class OneChunk extends ScriptedChatModel {
      override stream(prompt: Prompt): Observable<ChatResponse> {
        return from(this.call(prompt));
      }
    }
    const model = new OneChunk([{ text: 'One moment.', toolCalls: [toolCall('a')] }, 'Done.']);
    const chain = DefaultAdvisorChain.of([new ToolCallingAdvisor()], new ChatModelAdvisor(model));
    const request = { prompt: new Prompt('Hi', { toolCallbacks: [tool('a')] }), context: {} };
    const chunks = await lastValueFrom(chain.nextStream(request).pipe(toArray()));
    expect(textOf(chunks)).toBe('One moment.Done.');
    expect(chunks[0]?.chatResponse?.result?.metadata?.finishReason).toBeUndefined();
  });

  it('adds the usage of earlier rounds to the chunk with usage', async () => {
    const scene = new Scene([
      { toolCalls: [toolCall('a')], usage: usage(10) },
      { text: 'Done', usage: usage(1) },
    ]);
    const chunks = await scene.chunks();
    expect(chunks.at(-1)?.chatResponse?.metadata.usage).toEqual(usage(11));
  });

  it('sends the usage in a separate last chunk when the last round has none', async () => {
    const scene = new Scene([{ toolCalls: [toolCall('a')], usage: usage(10) }, 'Done']);
    const last = (await scene.chunks()).at(-1)?.chatResponse;
    expect(last?.results).toEqual([]);
    expect(last?.metadata.usage).toEqual(usage(10));
  });

  it('sends a direct result, or a text about a limit, as one chunk', async () => {
    const script = [{ toolCalls: [toolCall('a')] }];
    const direct = await new Scene(script, {}, { tools: [tool('a', () => 'raw', true)] }).chunks();
    expect(textOf(direct)).toBe('raw');
    const toolCallingManager = new DefaultToolCallingManager({ limits: { maxTotalToolCalls: 1 } });
    const limited = await new Scene([{ toolCalls: [toolCall('a'), toolCall('a')] }], { toolCallingManager }).chunks();
    expect(limited.at(-1)?.chatResponse?.result?.metadata?.finishReason).toBe('toolCallLimitExceeded');
  });

  it('ends after too many rounds like a call', async () => {
    const again = { toolCalls: [toolCall('a')] };
    const chunks = await new Scene([again, 'Enough.'], { maxRounds: 1 }).chunks();
    expect(textOf(chunks)).toBe('Enough.');
    expect(chunks.at(-1)?.chatResponse?.result?.metadata?.finishReason).toBe('maxRoundsExceeded');
  });

  it('starts a separate turn for each subscription', async () => {
    const scene = new Scene([...once, ...once]);
    const stream = scene.stream();
    expect(textOf(await lastValueFrom(stream.pipe(toArray())))).toBe('It is done.');
    expect(textOf(await lastValueFrom(stream.pipe(toArray())))).toBe('It is done.');
    scene.model.assertDone();
  });

  it('aborts a running tool and stops asking the model after an unsubscribe', async () => {
    const started = new Subject<AbortSignal>();
    const hanging = tool('a', (_input, context) => {
      started.next(context.signal);
      return NEVER;
    });
    const scene = new Scene(once, {}, { tools: [hanging] });
    const signal = firstValueFrom(started);
    const subscription = scene.stream().subscribe();
    const toolSignal = await signal;
    subscription.unsubscribe();
    expect(toolSignal.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(scene.model.prompts).toHaveLength(1);
  });

  it('unsubscribes from the model, even if it sends everything at once', async () => {
    let torndown = 0;
    class Endless extends ScriptedChatModel {
      override stream(): Observable<ChatResponse> {
        const chunk = new ChatResponse({ results: [{ output: new AssistantMessage('x') }] });
        return generate({ initialState: 0, iterate: (n) => n + 1, resultSelector: () => chunk }).pipe(
          finalize(() => torndown++),
        );
      }
    }
    const chain = DefaultAdvisorChain.of([new ToolCallingAdvisor()], new ChatModelAdvisor(new Endless([])));
    const first = await firstValueFrom(chain.nextStream({ prompt: new Prompt('Hi', {}), context: {} }));
    expect(first.chatResponse?.text).toBe('x');
    expect(torndown).toBe(1);
  });

  it('ends empty when the model says nothing', async () => {
    class Silent extends ScriptedChatModel {
      override stream(): Observable<ChatResponse> {
        return EMPTY;
      }
    }
    const chain = DefaultAdvisorChain.of([new ToolCallingAdvisor()], new ChatModelAdvisor(new Silent([])));
    const chunks = await lastValueFrom(chain.nextStream({ prompt: new Prompt('Hi', {}), context: {} }).pipe(toArray()));
    expect(chunks).toEqual([]);
  });

  it('passes on an error after the chunks before it', async () => {
    const seen: string[] = [];
    const scene = new Scene([{ chunks: ['a', 'b'], error: new Error('cut') }]);
    const run = lastValueFrom(scene.stream().pipe(tap(({ chatResponse }) => seen.push(chatResponse!.text!))));
    await expect(run).rejects.toThrow('cut');
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('a streamed turn that goes wrong', () => {
  const run = (scene: Scene) => lastValueFrom(scene.stream().pipe(toArray()));

  it.each([
    [
      'a checker that throws',
      {
        isToolExecutionRequired: () => {
          throw new Error('checker');
        },
      },
      /checker/,
    ],
    ['an advisor that sends nothing at all', undefined, /undefined/],
  ])('ends with the error of %s, without ending the process', async (_name, checker, message) => {
    const broken = { name: 'broken', order: 1, adviseStream: () => of(undefined as never) };
    const scene = checker
      ? new Scene(once, { toolExecutionEligibilityChecker: checker })
      : new Scene(once, {}, { advisors: [broken] });
    await expect(run(scene)).rejects.toThrow(message);
  });

  it('decides with the whole response which tool calls run', async () => {
    const isToolExecutionRequired = (response?: ChatResponse) =>
      response?.result?.metadata?.finishReason === 'tool-calls';
    class Late extends ScriptedChatModel {
      override stream(prompt: Prompt): Observable<ChatResponse> {
        return from(this.call(prompt)).pipe(
          mergeMap(({ results: [generation] }) => [
            new ChatResponse({ results: [{ output: generation!.output }] }),
            new ChatResponse({ results: [{ output: new AssistantMessage(), metadata: generation!.metadata! }] }),
          ]),
        );
      }
    }
    const advisor = new ToolCallingAdvisor({ toolExecutionEligibilityChecker: { isToolExecutionRequired } });
    const model = new Late(once);
    const chain = DefaultAdvisorChain.of([advisor], new ChatModelAdvisor(model));
    const request = { prompt: new Prompt('Hi', { toolCallbacks: [tool('a')] }), context: {} };
    const chunks = await lastValueFrom(chain.nextStream(request).pipe(toArray()));
    expect(chunks.some(({ chatResponse }) => chatResponse?.hasToolCalls())).toBe(false);
    expect(chunks.map(({ chatResponse }) => chatResponse?.result?.metadata?.finishReason).filter(Boolean)).toEqual([
      'stop',
    ]);
    expect(textOf(chunks)).toBe('It is done.');
  });

  it.each([
    ['before it is asked', 0],
    ['while it answers', 30],
  ])('ends with the caller’s abort reason, however the model treats the signal: %s', async (_name, wait) => {
    class Deaf extends ScriptedChatModel {
      override stream(): Observable<ChatResponse> {
        return NEVER;
      }
    }
    const caller = new AbortController();
    const chain = DefaultAdvisorChain.of([new ToolCallingAdvisor()], new ChatModelAdvisor(new Deaf([])));
    const request = { prompt: new Prompt('Hi', { signal: caller.signal }), context: {} };
    if (wait === 0) caller.abort(new Error('enough'));
    else setTimeout(() => caller.abort(new Error('enough')), wait);
    await expect(lastValueFrom(chain.nextStream(request))).rejects.toThrow('enough');
  });

  it('stops waiting for a call of a model that ignores the signal', async () => {
    class Deaf extends ScriptedChatModel {
      override call(): Promise<ChatResponse> {
        return new Promise(() => {});
      }
    }
    const chain = DefaultAdvisorChain.of([new ToolCallingAdvisor()], new ChatModelAdvisor(new Deaf([])));
    const request = { prompt: new Prompt('Hi', { signal: AbortSignal.timeout(5) }), context: {} };
    await expect(chain.nextCall(request)).rejects.toThrow(/timeout/);
  });

  it('asks nothing more after an unsubscribe during a hook or a tool', async () => {
    class Waiting extends ToolCallingAdvisor {
      protected override async doBeforeCall(request: ChatClientRequest) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return request;
      }
    }
    const duringHook = new Scene(once, new Waiting());
    duringHook.stream().subscribe().unsubscribe();
    let answer = (_text: string): void => undefined;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow = tool('a', () => {
      begin();
      return new Promise<string>((resolve) => (answer = resolve));
    });
    const duringTool = new Scene(once, {}, { tools: [slow] });
    const subscription = duringTool.stream().subscribe();
    await begun;
    subscription.unsubscribe();
    answer('late');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(duringHook.model.prompts).toHaveLength(0);
    expect(duringTool.model.prompts).toHaveLength(1);
  });

  it('reports too many rounds even if the model sends no finish reason', async () => {
    class Mute extends ScriptedChatModel {
      override stream(prompt: Prompt): Observable<ChatResponse> {
        const toolCalls = prompt.options?.toolChoice === 'none' ? [] : [toolCall('a')];
        return of(new ChatResponse({ results: [{ output: new AssistantMessage({ text: 'x', toolCalls }) }] }));
      }
    }
    const chain = DefaultAdvisorChain.of(
      [new ToolCallingAdvisor({ maxRounds: 1 })],
      new ChatModelAdvisor(new Mute([])),
    );
    const request = { prompt: new Prompt('Hi', { toolCallbacks: [tool('a')] }), context: {} };
    const chunks = await lastValueFrom(chain.nextStream(request).pipe(toArray()));
    expect(textOf(chunks)).toBe('xx');
    expect(chunks.at(-1)?.chatResponse?.result?.metadata?.finishReason).toBe('maxRoundsExceeded');
  });
});

it('requires a tool call only until one was made', async () => {
  const scene = new Scene([{ toolCalls: [toolCall('a')] }, 'Done']);
  const { prompt } = scene.request;
  const request = { ...scene.request, prompt: prompt.with({ options: { ...prompt.options, toolChoice: 'required' } }) };
  await scene.chain.nextCall(request as ChatClientRequest);
  expect(scene.model.prompts.map(({ options }) => options?.toolChoice)).toEqual(['required', undefined]);
});

it('counts the calls of a turn from its start, whatever a hook adds to the history', async () => {
  class Injecting extends ToolCallingAdvisor {
    protected override doGetNextInstructionsForToolCall(
      ...args: Parameters<ToolCallingAdvisor['doGetNextInstructionsForToolCall']>
    ): Message[] {
      return [...(super.doGetNextInstructionsForToolCall(...args) as Message[]), new UserMessage('go on')];
    }
  }
  const toolCallingManager = new DefaultToolCallingManager({ limits: { maxCallsPerTool: 2 } });
  const again = { toolCalls: [toolCall('a')] };
  const { chatResponse } = await new Scene([again, again, again], new Injecting({ toolCallingManager })).call();
  expect(chatResponse?.result?.metadata?.finishReason).toBe('toolCallLimitExceeded');
});

it('counts them even if a hook shortens the history', async () => {
  class Compacting extends ToolCallingAdvisor {
    protected override doGetNextInstructionsForToolCall(
      ...args: Parameters<ToolCallingAdvisor['doGetNextInstructionsForToolCall']>
    ): Message[] {
      return (super.doGetNextInstructionsForToolCall(...args) as Message[]).slice(-2);
    }
  }
  const toolCallingManager = new DefaultToolCallingManager({ limits: { maxCallsPerTool: 2 } });
  const again = { toolCalls: [toolCall('a')] };
  const { chatResponse } = await new Scene([again, again, again], new Compacting({ toolCallingManager })).call();
  expect(chatResponse?.result?.metadata?.finishReason).toBe('toolCallLimitExceeded');
});

describe('the conversation history', () => {
  const messages = [new SystemMessage('Be brief'), new UserMessage('Hi')];

  it('may be left to a memory advisor: a round then contains the system message and the last tool responses', async () => {
    const scene = new Scene(once, { conversationHistoryEnabled: false }, { messages });
    await scene.call();
    expect(scene.roles(1)).toEqual(['system', 'tool']);
  });

  it('is left to a memory advisor that comes later in the chain', async () => {
    class Memory extends BaseAdvisor implements MemoryAdvisor {
      readonly [MemoryAdvisor] = true;
      readonly name = 'memory';
      constructor(override readonly order: number) {
        super();
      }
    }
    const inside = new Scene(once, {}, { advisors: [new Memory(0)] });
    await inside.call();
    expect(inside.roles(1)).toEqual(['tool']);
    const outside = new Scene(once, {}, { advisors: [new Memory(Ordered.HIGHEST_PRECEDENCE + 200)] });
    await outside.call();
    expect(outside.roles(1)).toEqual(['user', 'assistant', 'tool']);
  });

  it('stays changed by a hook in all later rounds', async () => {
    class Reminding extends ToolCallingAdvisor {
      protected override doGetNextInstructionsForToolCall(
        ...args: Parameters<ToolCallingAdvisor['doGetNextInstructionsForToolCall']>
      ): Message[] {
        return [...(super.doGetNextInstructionsForToolCall(...args) as Message[]), new UserMessage('Remember')];
      }
    }
    const again = { toolCalls: [toolCall('a')] };
    const scene = new Scene([again, again, 'Done'], new Reminding());
    await scene.call();
    expect(scene.roles(2)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant', 'tool', 'user']);
  });
});

describe('a subclass of ToolCallingAdvisor', () => {
  class Hooked extends ToolCallingAdvisor {
    readonly log: string[] = [];
    protected override async doInitializeLoop(request: ChatClientRequest) {
      this.log.push('initialize');
      return request;
    }
    protected override doBeforeCall(request: ChatClientRequest) {
      this.log.push('before');
      return request;
    }
    protected override doAfterCall(response: ChatClientResponse) {
      this.log.push('after');
      return response;
    }
    protected override doFinalizeLoop(response: ChatClientResponse, _chain: CallAdvisorChain) {
      this.log.push(`finalize ${response.chatResponse?.text}`);
      return response;
    }
  }

  it('has each hook called in order', async () => {
    const hooked = new Hooked();
    await new Scene(once, hooked).call();
    expect(hooked.log).toEqual(['initialize', 'before', 'after', 'before', 'after', 'finalize It is done.']);
  });

  it('has them called when streaming as well, if it overrides no hook for streams', async () => {
    const hooked = new Hooked();
    await new Scene(once, hooked).chunks();
    expect(hooked.log).toEqual(['initialize', 'before', 'after', 'before', 'after', 'finalize It is done.']);
  });

  it('wraps the whole stream with its hook for the end of streams', async () => {
    class Closing extends ToolCallingAdvisor {
      protected override doFinalizeLoopStream(responses: Observable<ChatClientResponse>) {
        const end = new ChatResponse({ results: [{ output: new AssistantMessage('Bye.') }] });
        return concat(responses, of({ chatResponse: end, context: {} }));
      }
    }
    expect(textOf(await new Scene(once, new Closing()).chunks())).toBe('It is done.Bye.');
  });

  it('may add tools in a hook, and they run', async () => {
    class Bringing extends ToolCallingAdvisor {
      protected override doBeforeCall({ prompt, context }: ChatClientRequest) {
        return { context, prompt: prompt.with({ options: { toolCallbacks: [tool('brought')] } }) };
      }
    }
    const script = [{ toolCalls: [toolCall('brought')] }, 'Done'];
    const called = new Scene(script, new Bringing(), { tools: [] });
    await called.call();
    const streamed = new Scene(script, new Bringing(), { tools: [] });
    await streamed.chunks();
    expect(called.model.toolResponses).toEqual(['brought done']);
    expect(streamed.model.toolResponses).toEqual(['brought done']);
  });
});

describe('the options of ToolCallingAdvisor', () => {
  it('have defaults, and can be built fluently', () => {
    expect(new ToolCallingAdvisor()).toMatchObject({
      name: 'Tool Calling Advisor',
      order: Ordered.HIGHEST_PRECEDENCE + 300,
    });
    expect(ToolCallingAdvisor.builder().advisorOrder(7).build().order).toBe(7);
    class Own extends ToolCallingAdvisor {}
    expect(Own.builder().build()).toBeInstanceOf(Own);
    expect(ToolCallingAdvisor.DEFAULT_ORDER).toBe(Ordered.HIGHEST_PRECEDENCE + 300);
  });

  it.each([
    [{ advisorOrder: Ordered.HIGHEST_PRECEDENCE }, /advisorOrder must be between/],
    [{ advisorOrder: Ordered.LOWEST_PRECEDENCE }, /advisorOrder must be between/],
    [{ maxRounds: 0 }, /maxRounds must be/],
  ])('refuse %j', (options, message) => {
    expect(() => new ToolCallingAdvisor(options)).toThrow(message);
  });

  it('let a checker decide which tool calls run, and return the others', async () => {
    const toolExecutionEligibilityChecker = { isToolExecutionRequired: () => false };
    const called = await new Scene(once, { toolExecutionEligibilityChecker }).call();
    expect(called.chatResponse?.hasToolCalls()).toBe(true);
    const chunks = await new Scene(once, { toolExecutionEligibilityChecker }).chunks();
    expect(chunks.some(({ chatResponse }) => chatResponse?.hasToolCalls())).toBe(true);
  });

  it('let another manager run the tools, even one that returns no history', async () => {
    class Empty extends ToolCallingManager {
      resolveToolDefinitions() {
        return [];
      }
      async executeToolCalls() {
        return { conversationHistory: [], returnDirect: false };
      }
    }
    const scene = new Scene(once, { toolCallingManager: new Empty() });
    await scene.call();
    expect(scene.roles(1)).toEqual([]);
  });
});
