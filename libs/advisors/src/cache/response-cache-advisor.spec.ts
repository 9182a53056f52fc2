import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { bothWays, clientOf } from '../../../../test/both-ways.js';
import { createCache } from 'cache-manager';
import { lastValueFrom, take } from 'rxjs';
import { ChatClient, FunctionToolCallback } from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { ResponseCacheAdvisor } from './response-cache-advisor.js';

describe.each(bothWays)('the response cache (%s)', (_how, ask) => {
  it('answers an equal question without the model and marks the answer as cached', async () => {
    const model = new ScriptedChatModel(['first', 'second']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client, 'A?'), await ask(client, 'A?'), await ask(client, 'B?')]).toEqual([
      'first',
      'first',
      'second',
    ]);
    expect((await client.prompt('A?').call().chatResponse())?.metadata['cached']).toBe(true);
  });

  it('caches tool calls, and the tools run each time', async () => {
    let runs = 0;
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('now', {}, 'x')] }, 'Noon']);
    const client = ChatClient.builder(model)
      .defaultTools(
        new FunctionToolCallback({
          name: 'now',
          toolFunction: () => {
            runs++;
            return '12:00';
          },
        }),
      )
      .defaultAdvisors(new ResponseCacheAdvisor({ cache: createCache() }))
      .build();
    expect(await ask(client)).toBe('Noon');
    expect(await ask(client)).toBe('Noon');
    expect(runs).toBe(2);
  });

  it('distinguishes questions by options, tools and the format of the answer', async () => {
    const model = new ScriptedChatModel(['1', '2', '3', '4']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    await ask(client, 'Q');
    await client.prompt('Q').options({ temperature: 1 }).call().content();
    await client
      .prompt('Q')
      .tools(new FunctionToolCallback({ name: 'x', toolFunction: () => 1 }))
      .call()
      .content();
    await client.prompt('Q').call().entity(Number);
    model.assertDone();
  });

  it('counts as empty when it fails', async () => {
    const cache = { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) };
    expect(await ask(clientOf(new ScriptedChatModel(['Hello']), new ResponseCacheAdvisor({ cache })))).toBe('Hello');
  });

  it('does not cache an answer that was cut off', async () => {
    const model = new ScriptedChatModel([{ text: 'Once upon', finishReason: 'length' }, 'whole']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client), await ask(client)]).toEqual(['Once upon', 'whole']);
  });

  it('asks the model once for concurrent equal questions', async () => {
    const model = new ScriptedChatModel([{ text: 'Hello there', delay: 10 }, 'Another']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => ask(client)),
      ask(client, 'Something else'),
    ]);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 'Hello there'), 'Another']);
    model.assertDone();
  });

  it('asks for each question when the model fails, and caches the answer', async () => {
    const model = new ScriptedChatModel([{ error: new Error('down'), delay: 5 }, { text: 'Hello', delay: 5 }, 'World']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    const answers = [ask(client).catch(String), ask(client), ask(client)];
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['ChatModelException: down', 'Hello', 'World']));
    expect(['Hello', 'World']).toContain(await ask(client));
    model.assertDone();
  });

  it.each([
    ['read', { get: () => new Promise(() => undefined), set: () => Promise.resolve() }],
    ['written', { get: () => Promise.resolve(undefined), set: () => new Promise(() => undefined) }],
    ['read or written', { get: () => new Promise(() => undefined), set: () => new Promise(() => undefined) }],
  ])('counts as empty when it hangs while it is %s, with a warning', async (_when, cache) => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const model = new ScriptedChatModel(['Hello', 'World']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache, timeout: 10 }));
    expect([await ask(client), await ask(client)]).toEqual(['Hello', 'World']);
    expect(warned.mock.calls[0]?.[0]).toMatch(
      /it did not answer within 10 ms\. To wait longer, set the option 'timeout'/,
    );
  });

  it('does not block a caller who aborts while it hangs, with or without a tool loop', async () => {
    const hanging = () => new Promise(() => undefined);
    for (const internalToolExecutionEnabled of [true, false]) {
      for (const key of [undefined, hanging as () => Promise<string>]) {
        const caller = new AbortController();
        const advisor = new ResponseCacheAdvisor({
          cache: { get: hanging, set: hanging },
          timeout: Number.POSITIVE_INFINITY,
          ...(key && { key }),
        });
        const model = new ScriptedChatModel([]);
        const client = clientOf(model, advisor)
          .mutate()
          .defaultOptions({ signal: caller.signal, internalToolExecutionEnabled })
          .build();
        const answer = ask(client);
        setTimeout(() => caller.abort(new Error('enough')), 2);
        await expect(answer).rejects.toThrow('enough');
        expect(model.prompts).toEqual([]);
      }
    }
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('concurrent equal requests', () => {
  const scene = (...script: ScriptEntry[]) => {
    const model = new ScriptedChatModel(script);
    return { model, client: clientOf(model, new ResponseCacheAdvisor({ cache: createCache() })) };
  };

  /** Waits until the first request asks the model. */
  const begun = () => new Promise(setImmediate);

  it('know which of them was answered from the cache, and have separate answers', async () => {
    const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
    const { client } = scene({ text: 'Hello', usage, delay: 5 });
    const [first, second] = await Promise.all([1, 2].map(() => client.prompt('Hi').call().chatResponse()));
    expect([first?.metadata['cached'], second?.metadata['cached']]).toEqual([undefined, true]);
    expect([first?.metadata.usage, second?.metadata.usage]).toEqual([usage, undefined]);
    expect(second?.result?.output).not.toBe(first?.result?.output);
  });

  it.each([true, false])(
    'do not fail when one of them is aborted (with a loop: %s)',
    async (internalToolExecutionEnabled) => {
      const { client, model } = scene({ text: 'too late', delay: 10_000 }, { text: 'Hello', delay: 5 });
      const caller = new AbortController();
      const options = { internalToolExecutionEnabled };
      const request = () => client.prompt('Hi').options(options);
      const left = request().options({ signal: caller.signal }).call().content();
      await begun();
      const streamed = lastValueFrom(request().stream().content());
      const called = request().call().content();
      setTimeout(() => caller.abort(new Error('enough')), 5);
      await expect(left).rejects.toThrow('enough');
      expect(await Promise.all([streamed, called])).toEqual(['Hello', 'Hello']);
      model.assertDone();
    },
  );

  it('do not fail after one of them unsubscribes in the middle', async () => {
    const { client, model } = scene({ chunks: ['so ', 'far'], delay: 10 }, { text: 'Hello', delay: 5 });
    const left = lastValueFrom(client.prompt('Hi').stream().content().pipe(take(1)));
    await begun();
    const others = [1, 2].map(() => client.prompt('Hi').call().content());
    expect(await left).toBe('so ');
    expect(await Promise.all(others)).toEqual(['Hello', 'Hello']);
    model.assertDone();
  });

  it('ask separately if the answer was cut off', async () => {
    const cut = { text: 'Once upon', finishReason: 'length', delay: 5 };
    const { client, model } = scene(cut, 'Whole', 'Whole');
    expect(await Promise.all([1, 2, 3].map(() => client.prompt('Hi').call().content()))).toEqual([
      'Once upon',
      'Whole',
      'Whole',
    ]);
    model.assertDone();
  });
});

it('a timeout that is too long for a timer is refused', () => {
  expect(() => new ResponseCacheAdvisor({ cache: createCache(), timeout: 0 })).toThrow(/^timeout must be/);
});
