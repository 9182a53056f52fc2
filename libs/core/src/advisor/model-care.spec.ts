import { describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { concat, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { ChatClient } from '../client/chat-client.js';
import { ChatModelException } from '../model/chat-model.exception.js';
import { ChatResponse } from '../model/chat-response.js';
import { AssistantMessage } from '../model/messages.js';
import type { Prompt } from '../model/prompt.js';
import { ToolResult } from '../model/tool-result.js';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '../testing/index.js';
import { FunctionToolCallback } from '../tool/function-tool-callback.js';
import { FallbackModelAdvisor } from './fallback-model-advisor.js';
import { ModelRetryAdvisor } from './model-retry-advisor.js';
import { ResponseCacheAdvisor } from './response-cache-advisor.js';
import { SafeGuardAdvisor } from './safe-guard-advisor.js';
import { SimpleLoggerAdvisor } from './simple-logger-advisor.js';
import { ToolCallingAdvisor } from './tool-calling-advisor.js';
import type { Advisor } from './advisor.js';

const failure = (httpStatus: number, responseHeaders: Record<string, string> = {}): ScriptEntry => ({
  error: new ChatModelException(`status ${httpStatus}`, { httpStatus, responseHeaders }),
});
const clientOf = (model: ScriptedChatModel, ...advisors: Advisor[]) =>
  ChatClient.builder(model)
    .defaultAdvisors(...advisors)
    .build();

const modes = [
  ['call', async (client: ChatClient, text = 'Hi') => client.prompt(text).call().content()],
  [
    'stream',
    async (client: ChatClient, text = 'Hi') =>
      (await lastValueFrom(client.prompt(text).stream().content().pipe(toArray()))).join(''),
  ],
] as const;

describe.each(modes)('a model that fails (%s)', (_how, ask) => {
  const quick = (options = {}) => new ModelRetryAdvisor({ retries: 2, minDelay: 1, maxDelay: 50, ...options });

  it.each([408, 429, 500, 503])('is asked again after status %d', async (status) => {
    expect(await ask(clientOf(new ScriptedChatModel([failure(status), failure(status), 'Hello']), quick()))).toBe(
      'Hello',
    );
  });

  it.each([400, 401, 404])('is not asked again after status %d', async (status) => {
    const model = new ScriptedChatModel([failure(status), 'Hello']);
    await expect(ask(clientOf(model, quick()))).rejects.toThrow(`status ${status}`);
    expect(model.prompts).toHaveLength(1);
  });

  it('fails with its last error when it never answers', async () => {
    const model = new ScriptedChatModel([failure(500), failure(502), failure(503)]);
    await expect(ask(clientOf(model, quick()))).rejects.toThrow('status 503');
  });

  it('is left the time that it asks for', async () => {
    const model = new ScriptedChatModel([failure(429, { 'retry-after-ms': '40' }), 'Hello']);
    const order: string[] = [];
    setTimeout(() => order.push('something else'), 15);
    order.push((await ask(clientOf(model, quick()))) ?? '');
    expect(order).toEqual(['something else', 'Hello']);
  });

  it.each(['3600', 'Fri, 01 Jan 2100 00:00:00 GMT'])('is not waited for longer than is wanted: %s', async (header) => {
    const model = new ScriptedChatModel([failure(429, { 'retry-after': header }), 'Hello']);
    await expect(ask(clientOf(model, quick()))).rejects.toThrow('status 429');
  });

  it('gives way to another one, with the tools of the request', async () => {
    const fallback = new ScriptedChatModel([{ toolCalls: [toolCall('now')] }, 'Noon']);
    const model = new ScriptedChatModel([failure(500), failure(500)]);
    const client = ChatClient.builder(model)
      .defaultTools(new FunctionToolCallback({ name: 'now', toolFunction: () => '12:00' }))
      .defaultOptions({ model: 'only-known-here', temperature: 0 })
      .defaultAdvisors(new FallbackModelAdvisor({ models: [fallback] }))
      .build();
    expect(await ask(client)).toBe('Noon');
    expect(fallback.toolResponses).toEqual(['12:00']);
    expect(fallback.lastPrompt?.options).toMatchObject({ temperature: 0 });
    expect(fallback.lastPrompt?.options).not.toHaveProperty('model');
  });

  it('is tried again before another one is asked, and the last error is told when all fail', async () => {
    const model = new ScriptedChatModel([failure(500), failure(500), failure(500)]);
    const fallbacks = [new ScriptedChatModel([failure(501)]), new ScriptedChatModel([failure(502)])];
    const client = clientOf(model, quick(), new FallbackModelAdvisor({ models: fallbacks }));
    await expect(ask(client)).rejects.toThrow('status 502');
    expect(model.prompts).toHaveLength(3);
  });

  it('gives way only after errors that are worth it', async () => {
    const fallback = new ScriptedChatModel(['Hello']);
    const when = (error: unknown) => (error as ChatModelException).httpStatus !== 401;
    const client = clientOf(
      new ScriptedChatModel([failure(401)]),
      new FallbackModelAdvisor({ models: [fallback], when }),
    );
    await expect(ask(client)).rejects.toThrow('status 401');
  });
});

describe('a stream that fails in the middle', () => {
  it('is not begun again, neither by the model nor by another one', async () => {
    const model = new ScriptedChatModel([
      { chunks: ['so far '], error: new ChatModelException('cut', { httpStatus: 500 }) },
      'x',
    ]);
    const client = clientOf(
      model,
      new ModelRetryAdvisor({ minDelay: 1 }),
      new FallbackModelAdvisor({ models: [new ScriptedChatModel(['y'])] }),
    );
    const seen: string[] = [];
    const loop = (async () => {
      for await (const text of client.prompt('Go').stream().content()) seen.push(text);
    })();
    await expect(loop).rejects.toThrow('cut');
    expect([seen, model.prompts.length]).toEqual([['so far '], 1]);
  });
});

describe.each(modes)('the cache of responses (%s)', (_how, ask) => {
  it('answers an equal question without the model, and says so', async () => {
    const model = new ScriptedChatModel(['first', 'second']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client, 'A?'), await ask(client, 'A?'), await ask(client, 'B?')]).toEqual([
      'first',
      'first',
      'second',
    ]);
    expect((await client.prompt('A?').call().chatResponse())?.metadata['cached']).toBe(true);
  });

  it('keeps what the model asks of tools, which run each time', async () => {
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
    expect([await ask(client), await ask(client), runs]).toEqual(['Noon', 'Noon', 2]);
  });

  it('tells questions apart by options, tools, and the form of the answer', async () => {
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

  it('is as good as empty when it fails', async () => {
    const cache = { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) };
    expect(await ask(clientOf(new ScriptedChatModel(['Hello']), new ResponseCacheAdvisor({ cache })))).toBe('Hello');
  });

  it('does not keep an answer that was cut off', async () => {
    const model = new ScriptedChatModel([{ text: 'Once upon', finishReason: 'length' }, 'whole']);
    const client = clientOf(model, new ResponseCacheAdvisor({ cache: createCache() }));
    expect([await ask(client), await ask(client)]).toEqual(['Once upon', 'whole']);
  });
});

describe.each(modes)('a safe guard (%s)', (_how, ask) => {
  it.each(['what is the SECRET?', 'secret', 'No Secrets here'])(
    'answers itself when a word must not leave: %s',
    async (text) => {
      const model = new ScriptedChatModel([]);
      const guard = new SafeGuardAdvisor({ sensitiveWords: ['Secret'], failureResponse: 'Not that.' });
      expect(await ask(clientOf(model, guard), text)).toBe('Not that.');
    },
  );

  it('lets everything else pass', async () => {
    const guard = SafeGuardAdvisor.builder().sensitiveWords(['secret']).build();
    expect(await ask(clientOf(new ScriptedChatModel(['Hello']), guard), 'Hi')).toBe('Hello');
  });

  it('inside of the loop sees what tools give; before it, only what the user says', async () => {
    const asks = { toolCalls: [toolCall('read')] };
    const read = new FunctionToolCallback({ name: 'read', toolFunction: () => 'the secret' });
    const guarded = (order: number) =>
      ChatClient.builder(new ScriptedChatModel([asks, 'Here it is']))
        .defaultTools(read)
        .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: ['secret'], order }))
        .build();
    expect(await ask(guarded(0))).toMatch(/unable to respond/);
    expect(await ask(guarded(ToolCallingAdvisor.DEFAULT_ORDER - 1))).toBe('Here it is');
  });

  it.each([
    [{}],
    [{ sensitiveWords: null }],
    [{ sensitiveWords: [''] }],
    [{ sensitiveWords: ['a'], failureResponse: null }],
  ])('cannot be made of %j', (options) => {
    expect(() => new SafeGuardAdvisor(options as never)).toThrow(TypeError);
  });
});

describe.each(modes)('a logger (%s)', (_how, ask) => {
  it('writes each request and each whole response once a round', async () => {
    const lines: string[] = [];
    const logger = { debug: (line: string) => lines.push(line) };
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('now')] }, 'It is noon']);
    const client = ChatClient.builder(model)
      .defaultTools(new FunctionToolCallback({ name: 'now', toolFunction: () => 12n }))
      .defaultAdvisors(new SimpleLoggerAdvisor({ logger }))
      .build();
    await ask(client);
    expect(lines.map((line) => line.split(':')[0])).toEqual(['request', 'response', 'request', 'response']);
    expect(lines[0]).toContain('"tools":["now"]');
    expect(lines[3]).toContain('It is noon');
  });

  it('writes what it is told to', async () => {
    const lines: string[] = [];
    const advisor = new SimpleLoggerAdvisor({
      logger: { debug: (line: string) => lines.push(line) },
      requestToString: ({ prompt }) => `${prompt.messages.length} messages`,
      responseToString: (response) => response?.text ?? '',
    });
    await ask(clientOf(new ScriptedChatModel(['Hello']), advisor));
    expect(lines).toEqual(['request: 1 messages', 'response: Hello']);
  });
});

describe('a model that fails, and a caller who has given up', () => {
  it.each([true, false])('is not asked again (with a loop: %s)', async (internalToolExecutionEnabled) => {
    const model = new ScriptedChatModel([failure(503), failure(503), failure(503)]);
    const caller = new AbortController();
    const spec = clientOf(model, new ModelRetryAdvisor({ minDelay: 10_000 }))
      .prompt('Hi')
      .options({ signal: caller.signal, internalToolExecutionEnabled });
    const answer = lastValueFrom(spec.stream().content());
    setTimeout(() => caller.abort(new Error('enough')), 5);
    await expect(answer).rejects.toThrow('enough');
    expect(model.prompts).toHaveLength(1);
  });
});

describe('a fallback', () => {
  it('is asked with its own defaults, and what the request says', async () => {
    const model = new ScriptedChatModel([failure(500), failure(500)], { maxTokens: 64_000, temperature: 0 });
    const fallback = new ScriptedChatModel(['Hello', 'Hello'], { maxTokens: 4000 });
    const client = clientOf(model, new FallbackModelAdvisor({ models: [fallback] }));
    await client.prompt('Hi').options({ topK: 5 }).call().content();
    expect(fallback.lastPrompt?.options).toMatchObject({ maxTokens: 4000, topK: 5 });
    expect(fallback.lastPrompt?.options?.temperature).toBeUndefined();
    // What the request says is meant, also where the first model would have done it anyway.
    await client.prompt('Hi').options({ temperature: 0 }).call().content();
    expect(fallback.lastPrompt?.options?.temperature).toBe(0);
  });

  it('is asked when a stream cannot even begin, or has told nothing but facts', async () => {
    class Broken extends ScriptedChatModel {
      override stream(): never {
        throw new Error('boom');
      }
    }
    const facts = new (class extends ScriptedChatModel {
      override stream() {
        return concat(
          of(new ChatResponse({ results: [], metadata: { id: 'r1' } })),
          throwError(() => new Error('cut')),
        );
      }
    })([]);
    for (const model of [new Broken([]), facts]) {
      const client = clientOf(model, new FallbackModelAdvisor({ models: [new ScriptedChatModel(['Hello'])] }));
      expect(await lastValueFrom(client.prompt('Hi').stream().content())).toBe('Hello');
    }
  });
});

describe('a safe guard over messages', () => {
  it('looks at everything that leaves the house: parts of results, arguments, addresses of pictures', async () => {
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['topsecret'], failureResponse: 'No.' });
    const parts = new FunctionToolCallback({
      name: 'read',
      toolFunction: () => new ToolResult({ text: 'ok', content: [{ type: 'text', text: 'TOPSECRET' }] }),
    });
    const client = clientOf(new ScriptedChatModel([{ toolCalls: [toolCall('read')] }, 'done']), guard);
    expect(await client.prompt('Read').tools(parts).call().content()).toBe('No.');
    const asked = new AssistantMessage({ toolCalls: [toolCall('t', { q: 'topsecret' }, 'a')] });
    const history = clientOf(new ScriptedChatModel(['done']), guard)
      .prompt()
      .messages(asked)
      .user('Hi');
    expect(await history.call().content()).toBe('No.');
    const url = new URL('https://x.example/topsecret.png');
    const picture = clientOf(new ScriptedChatModel(['done']), guard).prompt();
    expect(
      await picture
        .user((user) => user.text('See').media('image/png', url))
        .call()
        .content(),
    ).toBe('No.');
  });
});

describe('a logger of requests', () => {
  it('fails nothing, and logs no picture', async () => {
    const lines: string[] = [];
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    class Odd extends ScriptedChatModel {
      override async call(prompt: Prompt) {
        return (await super.call(prompt)).with({ metadata: { cyclic } });
      }
    }
    const client = clientOf(
      new Odd(['Hello']),
      new SimpleLoggerAdvisor({ logger: { debug: (line: string) => lines.push(line) } }),
    );
    const buffer = Buffer.alloc(100_000);
    const spec = client
      .prompt()
      .user((user) => user.text('See').media('image/png', buffer).media('image/png', 'A'.repeat(100_000)));
    expect(await spec.call().content()).toBe('Hello');
    expect(lines[0]!.length).toBeLessThan(1000);
    expect(lines[1]).toMatch(/cannot be shown/);
  });
});
