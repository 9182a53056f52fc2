import { describe, expect, it } from '@jest/globals';
import { lastValueFrom, Observable, toArray } from 'rxjs';
import { ToolCallingAdvisor } from '../advisor/tool-calling-advisor.js';
import { ChatModel } from '../model/chat-model.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage, type ToolCall } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { Tool } from '../tool/declaration/tool.decorator.js';
import { ChatClient } from './chat-client.js';
import type { ChatClientEvent } from './response-events.js';
import { ResponseStream } from './response-stream.js';

class Chunks extends ChatModel {
  signals: (AbortSignal | undefined)[] = [];
  unsubscribed = 0;
  #at = 0;

  constructor(private readonly rounds: readonly (readonly ChatResponse[])[]) {
    super();
  }

  call(): Promise<ChatResponse> {
    return Promise.reject(new Error('only streams'));
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return new Observable((subscriber) => {
      this.signals.push(prompt.options?.signal);
      const chunks = this.rounds[this.#at++] ?? [];
      let stopped = false;
      void (async () => {
        for (const chunk of chunks) {
          await Promise.resolve();
          if (stopped) return;
          subscriber.next(chunk);
        }
        subscriber.complete();
      })();
      return () => {
        stopped = true;
        this.unsubscribed++;
      };
    });
  }
}

const chunk = (text: string, toolCalls: ToolCall[] = [], finishReason?: string): ChatResponse =>
  new ChatResponse({
    results: [
      { output: new AssistantMessage({ text, toolCalls }), ...(finishReason && { metadata: { finishReason } }) },
    ],
  });

class Weather {
  @Tool()
  async *weather(city: string) {
    yield 'asking';
    yield 'reading';
    yield `sunny in ${city}`;
  }

  @Tool()
  broken() {
    throw new Error('no signal');
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a stream', () => {
  const counting = (): ScriptedChatModel => new ScriptedChatModel(['one two three', 'one two three']);

  it('is an Observable and an async iterable, and each use sends a new request', async () => {
    const model = counting();
    const stream = ChatClient.create(model).prompt('Count').stream().content();
    expect(await collect(stream)).toEqual(['one ', 'two ', 'three']);
    expect(await lastValueFrom(stream.pipe(toArray()))).toEqual(['one ', 'two ', 'three']);
    expect(model.prompts).toHaveLength(2);
  });

  it('keeps chunks for a consumer that is slower than the model', async () => {
    const chunks = Array.from({ length: 200 }, (_, at) => chunk(`${at} `));
    const seen: string[] = [];
    for await (const text of ChatClient.create(new Chunks([chunks]))
      .prompt('Count')
      .stream()
      .content()) {
      if (seen.length % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(text);
    }
    expect(seen.join('')).toBe(Array.from({ length: 200 }, (_, at) => `${at} `).join(''));
  });

  it('is aborted when the loop is left', async () => {
    const model = new Chunks([Array.from({ length: 100 }, (_, at) => chunk(`${at} `))]);
    for await (const _text of ChatClient.create(model).prompt('Count').stream().content()) break;
    expect(model.unsubscribed).toBe(1);
  });

  it('throws the error of the model into the loop, after the earlier chunks', async () => {
    const model = new ScriptedChatModel([{ chunks: ['so far'], error: new Error('down') }]);
    const seen: string[] = [];
    const loop = (async () => {
      for await (const text of ChatClient.create(model).prompt('Go').stream().content()) seen.push(text);
    })();
    await expect(loop).rejects.toThrow('down');
    expect(seen).toEqual(['so far']);
  });

  it('answers several concurrent calls of next()', async () => {
    const stream = ChatClient.create(new ScriptedChatModel(['a b']))
      .prompt('Go')
      .stream()
      .content();
    const iterator = stream[Symbol.asyncIterator]();
    const all = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
    expect(all.map(({ value, done }) => (done ? 'end' : value))).toEqual(['a ', 'b', 'end', 'end']);
  });
});

describe('the events of a request', () => {
  const types = (events: readonly ChatClientEvent[]): string => events.map(({ type }) => type).join(' ');

  it('cover text, tool calls with their progress and results, usage, and the end', async () => {
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
    const model = new ScriptedChatModel([
      {
        reasoning: 'hm',
        text: 'Wait',
        toolCalls: [toolCall('weather', { city: 'Rome' }, 'a'), toolCall('broken', {}, 'b')],
        usage,
      },
      { text: 'Sunny', usage },
    ]);
    const events = await collect(ChatClient.create(model).prompt('Weather?').tools(new Weather()).stream().events());
    const of = (type: ChatClientEvent['type']) => events.filter((event) => event.type === type);
    expect(of('text')).toEqual([
      { type: 'text', text: 'Wait', round: 0 },
      { type: 'text', text: 'Sunny', round: 1 },
    ]);
    expect(of('reasoning')).toEqual([{ type: 'reasoning', text: 'hm', round: 0 }]);
    expect(of('tool-call')).toMatchObject([{ toolCall: { id: 'a' } }, { toolCall: { id: 'b' } }]);
    expect(of('tool-progress')).toEqual([
      { type: 'tool-progress', toolCall: { id: 'a', name: 'weather' }, value: 'asking' },
      { type: 'tool-progress', toolCall: { id: 'a', name: 'weather' }, value: 'reading' },
    ]);
    expect(of('tool-result')).toMatchObject([{ response: { id: 'a', responseData: 'sunny in Rome' } }]);
    expect(of('tool-error')).toMatchObject([{ response: { id: 'b', responseData: 'no signal', isError: true } }]);
    expect(of('usage').at(-1)).toEqual({
      type: 'usage',
      usage: { promptTokens: 2, completionTokens: 4, totalTokens: 6 },
      usageByRound: [usage, usage],
    });
    expect(events.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
  });

  it('report a call when it starts and its result when it is available', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('weather', { city: 'Rome' })] }, 'Sunny']);
    const events = await collect(ChatClient.create(model).prompt('Weather?').tools(new Weather()).stream().events());
    expect(types(events)).toBe('tool-call tool-progress tool-progress tool-result text finish');
  });

  it('report calls that the loop does not run, so that the caller can', async () => {
    const model = new ScriptedChatModel([{ text: 'Wait', toolCalls: [toolCall('weather', { city: 'Rome' }, 'a')] }]);
    const spec = ChatClient.create(model).prompt('Weather?').tools(new Weather());
    const events = await collect(spec.options({ internalToolExecutionEnabled: false }).stream().events());
    expect(types(events)).toBe('text tool-call finish');
    expect(events.at(-1)).toEqual({ type: 'finish', finishReason: 'tool-calls' });
  });

  it('report each call once, even if its chunks are passed on', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('weather', { city: 'Rome' })] }, 'Sunny']);
    const advisor = new ToolCallingAdvisor({ streamToolCallResponses: true });
    const spec = ChatClient.create(model).prompt('Weather?').tools(new Weather()).advisors(advisor);
    const events = await collect(spec.stream().events());
    expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
  });
});

describe('the chunks in which a model asks for tools', () => {
  const rounds = () => [
    [
      chunk('Let '),
      chunk('me see', [{ id: 'a', name: 'weather', arguments: '{"ci', index: 0 }]),
      chunk('', [{ id: '', name: '', arguments: 'ty":"Rome"}', index: 0 }], 'tool-calls'),
    ],
    [chunk('Sunny', [], 'stop')],
  ];

  it('stay inside the loop, but their text does not', async () => {
    const spec = ChatClient.create(new Chunks(rounds())).prompt('Weather?').tools(new Weather());
    const chunks = await lastValueFrom(spec.stream().chatResponse().pipe(toArray()));
    expect(chunks.some((response) => response.hasToolCalls())).toBe(false);
    expect(chunks.map(({ text, metadata }) => ({ text, round: metadata.round }))).toEqual([
      { text: 'Let ', round: 0 },
      { text: 'me see', round: 0 },
      { text: 'Sunny', round: 1 },
    ]);
  });

  it('can be passed on as they arrive', async () => {
    const advisor = ToolCallingAdvisor.builder().streamToolCallResponses(true).build();
    const spec = ChatClient.create(new Chunks(rounds())).prompt('Weather?').tools(new Weather()).advisors(advisor);
    const chunks = await lastValueFrom(spec.stream().chatResponse().pipe(toArray()));
    expect(
      chunks.map(({ result }) => ({
        text: result?.output.text,
        toolCalls: result?.output.toolCalls.length,
        finishReason: result?.metadata?.finishReason,
      })),
    ).toEqual([
      { text: 'Let ', toolCalls: 0, finishReason: undefined },
      { text: 'me see', toolCalls: 1, finishReason: undefined },
      { text: '', toolCalls: 1, finishReason: 'tool-calls' },
      { text: 'Sunny', toolCalls: 0, finishReason: 'stop' },
    ]);
  });
});

describe('a slow loop over a stream', () => {
  /** Emits all items before the loop has read the second one. */
  const all = (count: number): ResponseStream<number> =>
    new ResponseStream((subscriber) => {
      for (let item = 0; item < count; item++) subscriber.next(item);
      subscriber.complete();
    });

  it('reads buffered items in order and does not block timers and other requests', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    let expected = 0;
    // Shifting an array would take more than ten seconds and block all timers.
    for await (const item of all(100_000)) if (item !== expected++) throw new Error(`${item} came too early`);
    clearInterval(ticking);
    expect(expected).toBe(100_000);
    expect(turns).toBeGreaterThan(0);
  });

  it('answers concurrent calls of next() in order', async () => {
    const items = all(3)[Symbol.asyncIterator]();
    const asked = [items.next(), items.next(), items.next(), items.next()];
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([0, 1, 2, undefined]);
  });
});

describe('leaving a stream', () => {
  it('aborts the tools that run', async () => {
    let abort: ((event: Event) => void) | undefined;
    const aborted = new Promise<Event>((resolve) => {
      abort = resolve;
    });
    class Slow {
      @Tool()
      slow(signal: AbortSignal) {
        signal.addEventListener('abort', (event) => abort?.(event));
        return new Promise(() => undefined);
      }
    }
    const model = new ScriptedChatModel([{ text: 'Wait', toolCalls: [toolCall('slow')] }]);
    const events = ChatClient.create(model).prompt('Go').tools(new Slow()).stream().events();
    for await (const { type } of events) if (type === 'tool-call') break;
    expect((await aborted).target).toMatchObject({ aborted: true });
  });
});
