import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { concat, lastValueFrom, NEVER, Observable, of, timer, toArray } from 'rxjs';
import { AskAgain } from '../../../../test/ask-again.js';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import { ModelTimeoutException } from '../model/model-timeout.exception.js';
import type { Prompt } from '../model/prompt.js';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { FallbackModelAdvisor } from './fallback-model-advisor.js';
import { ModelTimeoutAdvisor, type ModelTimeoutAdvisorOptions } from './model-timeout-advisor.js';

const chunk = (text: string): ChatResponse => new ChatResponse({ results: [{ output: new AssistantMessage(text) }] });

/** Sends a few words and then nothing more, ignoring its signal. */
class HangingModel extends ScriptedChatModel {
  readonly signals: (AbortSignal | undefined)[] = [];

  constructor(private readonly words: readonly string[] = []) {
    super([]);
  }

  override call(prompt: Prompt): Promise<ChatResponse> {
    this.signals.push(prompt.options?.signal);
    return new Promise(() => undefined);
  }

  override stream(prompt: Prompt): Observable<ChatResponse> {
    this.signals.push(prompt.options?.signal);
    return concat(of(...this.words.map(chunk)), NEVER);
  }
}

const quick = (options: ModelTimeoutAdvisorOptions = { timeout: 15 }) => new ModelTimeoutAdvisor(options);
const once = new AskAgain();

describe.each(bothWays)('a model that never answers (%s)', (_how, ask) => {
  it('fails with the remedy, and its call is aborted with the same error', async () => {
    const model = new HangingModel();
    const failure: unknown = await ask(clientOf(model, quick())).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChatModelException);
    expect(failure).toMatchObject({ name: 'ModelTimeoutException', kind: 'timeout', limit: 15, isRetryable: true });
    expect((failure as Error).message).toMatch(/within 15 ms.*Raise ai\.model\.timeout \(option 'timeout'/);
    expect(model.signals.map((signal) => signal?.reason as unknown)).toEqual([failure]);
  });

  it('is retried with the full time', async () => {
    const model = new HangingModel();
    await expect(ask(clientOf(model, quick(), once))).rejects.toBeInstanceOf(ModelTimeoutException);
    expect(model.signals).toHaveLength(2);
    expect(model.signals[0]).not.toBe(model.signals[1]);
  });

  it('is replaced by a fallback with the full time', async () => {
    const models = [new HangingModel(), new ScriptedChatModel([{ text: 'Hello', delay: 1 }])];
    const advisors = [quick({ timeout: 200 }), once, new FallbackModelAdvisor({ models })];
    const client = clientOf(new HangingModel(), ...advisors);
    expect(await ask(client)).toBe('Hello');
    expect((models[0] as HangingModel).signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('has no limit by default', async () => {
    const model = new ScriptedChatModel([{ text: 'late', delay: 30 }]);
    expect(await ask(clientOf(model, quick({ timeout: Number.POSITIVE_INFINITY })))).toBe('late');
    expect(await ask(clientOf(new ScriptedChatModel([{ text: 'late', delay: 30 }]), quick({})))).toBe('late');
  });

  it('is still aborted by its caller, whose signal has no listeners in the end', async () => {
    const caller = new AbortController();
    const model = new HangingModel();
    const client = clientOf(model, quick({ timeout: 60_000 }))
      .mutate()
      .defaultOptions({ signal: caller.signal })
      .build();
    const answer = ask(client);
    await new Promise(setImmediate);
    caller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(model.signals[0]?.reason).toBe(caller.signal.reason);
    const { signal } = new AbortController();
    const another = clientOf(new ScriptedChatModel(['Hello']), quick())
      .mutate()
      .defaultOptions({ signal });
    await ask(another.build());
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a stream', () => {
  const textOf = (model: ScriptedChatModel, options: ModelTimeoutAdvisorOptions) =>
    lastValueFrom(clientOf(model, quick(options), once).prompt('Hi').stream().content().pipe(toArray()));

  it('is restarted if it does not begin', async () => {
    const model = new HangingModel();
    const failing = textOf(model, { firstChunkTimeout: 10, timeout: 60_000 });
    await expect(failing).rejects.toMatchObject({ kind: 'firstChunkTimeout', limit: 10 });
    expect(model.signals).toHaveLength(2);
  });

  it('fails without a restart if it stops after the first chunk', async () => {
    const model = new HangingModel(['Once ', 'upon ']);
    const failing = textOf(model, { firstChunkTimeout: 60_000, chunkTimeout: 10 });
    await expect(failing).rejects.toMatchObject({
      kind: 'chunkTimeout',
      message: expect.stringContaining('ai.model.chunk-timeout'),
    });
    expect(model.signals).toHaveLength(1);
  });

  it('may last longer than each limit between chunks', async () => {
    const model = new ScriptedChatModel([{ chunks: ['a', 'b', 'c', 'd', 'e', 'f'], delay: 20 }]);
    expect(await textOf(model, { firstChunkTimeout: 100, chunkTimeout: 100 })).toHaveLength(6);
  });

  it('may begin late if only the time between chunks is limited', async () => {
    const model = new ScriptedChatModel([]);
    model.stream = () => new Observable((subscriber) => timer(40).subscribe(() => subscriber.next(chunk('late'))));
    await expect(textOf(model, { chunkTimeout: 10 })).rejects.toMatchObject({ kind: 'chunkTimeout' });
  });

  it('does not fail later after an unsubscribe', async () => {
    const model = new HangingModel(['Once ']);
    const errors: unknown[] = [];
    const stream = clientOf(model, quick({ timeout: 5, chunkTimeout: 5 }))
      .prompt('Hi')
      .stream()
      .content();
    stream.subscribe({ error: (error) => errors.push(error) }).unsubscribe();
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(errors).toEqual([]);
    expect(model.signals[0]?.reason).not.toBeInstanceOf(ModelTimeoutException);
  });
});

it.each([
  [{ timeout: 0 }, /^timeout must be a number of milliseconds/],
  [{ firstChunkTimeout: Number.NaN }, /^firstChunkTimeout must/],
  [{ chunkTimeout: 2 ** 31 }, /^chunkTimeout must/],
])('a time that is too long for a timer is refused: %j', (options, message) => {
  expect(() => new ModelTimeoutAdvisor(options)).toThrow(message);
});
