import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import type { JournalEntry } from '@copilotkit/aimock';
import { Injectable } from '@nestjs/common';
import { AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { AiModule, ChatClient, ChatModel, Tool, ToolContext, ToolParam } from '@nestor-ai/core';
import { Test } from '@nestjs/testing';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { StandInServer } from '../stand-in-server.js';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

@Injectable()
class WeatherTools {
  @Tool({ description: 'Get the weather of a city' })
  getWeather(@ToolParam({ description: 'The city' }) city: string, context: ToolContext) {
    if (city === 'Atlantis') throw new Error('Atlantis has sunk');
    return { city, temperature: 21, by: context.toolCall.name };
  }

  @Tool({ description: 'Draw a chart' })
  chart() {
    return PNG;
  }

  @Tool({ description: 'Take a step' })
  step(n: number) {
    return `step ${n} done`;
  }
}

const mock = new StandInServer();

beforeAll(async () => {
  const weather = (id: string, city: string) => ({ id, name: 'getWeather', arguments: JSON.stringify({ city }) });
  mock
    .onMessage('say hello', {
      content: 'Hello from the model.',
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    })
    .on({ userMessage: 'weather in Paris', hasToolResult: false }, { toolCalls: [weather('w1', 'Paris')] })
    .on({ userMessage: 'weather in Paris', hasToolResult: true }, { content: 'It is 21 degrees in Paris.' })
    .on(
      { userMessage: 'two cities', hasToolResult: false },
      { content: 'Checking both. ', toolCalls: [weather('a', 'Paris'), weather('b', 'Rome')] },
    )
    .on({ userMessage: 'two cities', hasToolResult: true }, { content: 'Both are warm.' })
    .on({ userMessage: 'steps', turnIndex: 0 }, { toolCalls: [{ id: 's0', name: 'step', arguments: '{"n":1}' }] })
    .on({ userMessage: 'steps', turnIndex: 1 }, { toolCalls: [{ id: 's1', name: 'step', arguments: '{"n":2}' }] })
    .on({ userMessage: 'steps', turnIndex: 2 }, { content: 'Two steps taken.' })
    .on({ userMessage: 'Atlantis', hasToolResult: false }, { toolCalls: [weather('x', 'Atlantis')] })
    .on({ userMessage: 'Atlantis', hasToolResult: true }, { content: 'It has sunk.' })
    .on(
      { userMessage: 'unknown tool', hasToolResult: false },
      { toolCalls: [{ id: 'u', name: 'getWether', arguments: '{}' }] },
    )
    .on({ userMessage: 'unknown tool', hasToolResult: true }, { content: 'Sorry.' })
    .on(
      { userMessage: 'broken arguments', hasToolResult: false },
      { toolCalls: [{ id: 'j', name: 'getWeather', arguments: '{"city": ' }] },
    )
    .on({ userMessage: 'broken arguments', hasToolResult: true }, { content: 'I will do better.' })
    .on(
      { userMessage: 'a picture', hasToolResult: false },
      { toolCalls: [{ id: 'p', name: 'chart', arguments: '{}' }] },
    )
    .on({ userMessage: 'a picture', hasToolResult: true }, { content: 'A nice chart.' })
    .onMessage('too many', {
      error: { message: 'slow down', type: 'rate_limit_error', code: 'rate_limited' },
      status: 429,
      retryAfter: 3,
    })
    .onMessage('tell a story', { content: 'Once upon a time there was a counsellor' }, { chunkSize: 4, latency: 40 })
    .onMessage('cut off', { content: 'AAAABBBBCCCCDDDD' }, { chunkSize: 4, latency: 20, truncateAfterChunks: 3 })
    .onMessage('slow answer', { content: 'late' }, { chaos: { latencyMs: 5000 } });
  await mock.start();
});
afterAll(() => mock.stop());
afterEach(() => {
  mock.clearRequests();
  wire.length = 0;
});

/** What went over the wire: the mock's own record leaves out what it does not know. */
const wire: string[] = [];
const recordingFetch: typeof fetch = (url, init) => {
  wire.push(String(init?.body));
  return fetch(url, init);
};
const settings = () => ({ apiKey: 'test', baseURL: `${mock.url}/v1`, fetch: recordingFetch });
const MODELS = {
  OpenAI: () => createOpenAI(settings()).chat('gpt-test'),
  'OpenAI Responses': () => createOpenAI(settings()).responses('gpt-test'),
  Anthropic: () => createAnthropic(settings())('claude-test'),
  'an OpenAI-compatible server': () =>
    createOpenAICompatible({ name: 'acme', includeUsage: true, ...settings() })('acme-test'),
  'OpenAI, version 4 of the specification': () => createOpenAIV4(settings()).chat('gpt-test'),
};

async function clientOf(name: keyof typeof MODELS): Promise<ChatClient> {
  const module = await Test.createTestingModule({
    // A test of the wire sees each failure: model-retries.e2e-spec.ts tests the retries.
    imports: [AiModule.forRoot({ chatModel: new AiSdkChatModel(MODELS[name]()), properties: { model: { retry: 0 } } })],
    providers: [WeatherTools],
  }).compile();
  await module.init();
  return module.get(ChatClient);
}

const bodies = (): Record<string, unknown>[] =>
  mock.getRequests().map((entry: JournalEntry) => entry.body as unknown as Record<string, unknown>);

describe.each(Object.keys(MODELS) as (keyof typeof MODELS)[])('over the wire of %s', (name) => {
  it('a question is answered, with usage and the reason why the model stopped', async () => {
    const response = await (await clientOf(name)).prompt('say hello').call().chatResponse();
    expect(response?.text).toBe('Hello from the model.');
    expect(response?.result?.metadata?.finishReason).toBe('stop');
    expect(response?.metadata.usage).toMatchObject({ promptTokens: 11, completionTokens: 7, totalTokens: 18 });
    expect(response?.metadata.model).toMatch(/-test$/);
  });

  it('a picture that a tool gives is shown to models that take it, and described to the others', async () => {
    expect(await (await clientOf(name)).prompt('Show a picture').call().content()).toBe('A nice chart.');
    const sent = wire[1]!;
    const isShown = name === 'Anthropic' || name === 'OpenAI Responses';
    expect(sent.includes(PNG.toString('base64'))).toBe(isShown);
    expect(sent.includes('[image/png, 8 bytes; not shown]')).toBe(!isShown);
  });

  it('a question is answered through a tool call', async () => {
    const client = await clientOf(name);
    const request = client.prompt('What is the weather in Paris?').toolContext({ tenant: 'top secret' });
    expect(await request.call().content()).toBe('It is 21 degrees in Paris.');
    const [first, second] = bodies();
    expect(JSON.stringify(first?.tools)).toContain('"additionalProperties":false');
    expect(JSON.stringify(second?.messages)).toContain('temperature');
    expect(JSON.stringify(bodies())).not.toContain('top secret');
  });

  it('a question is answered through a tool call, streaming', async () => {
    const stream = (await clientOf(name)).prompt('What is the weather in Paris?').stream().content();
    expect((await lastValueFrom(stream.pipe(toArray()))).join('')).toBe('It is 21 degrees in Paris.');
  });

  it('several tools are called in one message, call and stream', async () => {
    const client = await clientOf(name);
    expect(await client.prompt('two cities').call().content()).toBe('Both are warm.');
    const pieces = await lastValueFrom(client.prompt('two cities').stream().content().pipe(toArray()));
    expect(pieces.join('')).toBe('Checking both. Both are warm.');
    const results = (bodies().at(-1)!.messages as { role: string; content: string }[]).filter(
      ({ role }) => role === 'tool',
    );
    expect(results.map(({ content }) => JSON.stringify(content).match(/Paris|Rome/)?.[0])).toEqual(['Paris', 'Rome']);
  });

  it('several rounds are gone through, call and stream', async () => {
    const client = await clientOf(name);
    expect(await client.prompt('steps').call().content()).toBe('Two steps taken.');
    const pieces = await lastValueFrom(client.prompt('steps').stream().content().pipe(toArray()));
    expect(pieces.join('')).toBe('Two steps taken.');
    expect(bodies()).toHaveLength(6);
  });

  it.each([
    ['Atlantis', 'It has sunk.', 'Atlantis has sunk'],
    ['unknown tool', 'Sorry.', "Did you mean 'getWeather'?"],
  ])('what goes wrong is told to the model, and the turn goes on: %s', async (question, answer, told) => {
    expect(await (await clientOf(name)).prompt(question).call().content()).toBe(answer);
    expect(JSON.stringify(bodies().at(-1)?.messages)).toContain(told.slice(0, 8));
  });

  it('an error status reaches the caller with its body, and nothing is asked again', async () => {
    const client = await clientOf(name);
    const error = { name: 'ChatModelException', httpStatus: 429, isRetryable: true };
    await expect(client.prompt('too many').call().content()).rejects.toMatchObject(error);
    await expect(lastValueFrom(client.prompt('too many').stream().content())).rejects.toMatchObject({
      ...error,
      message: expect.stringMatching(
        /^The call to the model '.+-test' of \w+ at http:\S+ failed \(status 429\)\. The reason is in responseBody/,
      ),
      responseBody: expect.stringContaining('rate_limit_error'),
      responseHeaders: expect.objectContaining({ 'retry-after': '3' }),
    });
    expect(bodies()).toHaveLength(2);
  });

  it('an abort ends the call with the reason of the caller', async () => {
    const caller = new AbortController();
    const answer = (await clientOf(name)).prompt('slow answer').options({ signal: caller.signal }).call().content();
    setTimeout(() => caller.abort(new Error('no longer needed')), 30);
    await expect(answer).rejects.toThrow('no longer needed');
  });

  it('an abort in the middle of a stream ends it with the reason of the caller', async () => {
    const caller = new AbortController();
    const stream = (await clientOf(name)).prompt('tell a story').options({ signal: caller.signal }).stream().content();
    const pieces: string[] = [];
    const run = new Promise((resolve, reject) => {
      stream.subscribe({
        next: (text) => {
          pieces.push(text);
          caller.abort(new Error('enough of it'));
        },
        error: reject,
        complete: () => resolve('complete'),
      });
    });
    await expect(run).rejects.toThrow('enough of it');
    expect(pieces.length).toBeGreaterThan(0);
  });

  it('a listener that leaves gets no more, and no error', async () => {
    const stream = (await clientOf(name)).prompt('tell a story').stream().content();
    expect(await firstValueFrom(stream)).toBe('Once');
  });

  it('a connection that is lost in the middle is an error, not an end', async () => {
    const stream = (await clientOf(name)).prompt('cut off').stream().content();
    await expect(lastValueFrom(stream)).rejects.toMatchObject({ name: 'ChatModelException' });
  });
});

describe('arguments that are no JSON', () => {
  it('are told to the model, which is sent a history that its provider accepts', async () => {
    const client = await clientOf('OpenAI');
    expect(await client.prompt('broken arguments').call().content()).toBe('I will do better.');
    const sent = JSON.stringify(bodies().at(-1)?.messages);
    expect(sent).toContain('not valid JSON');
    expect(sent).toContain('invalidArguments');
  });
});

describe('AiSdkModule', () => {
  const boot = async (environment: Record<string, string>) => {
    const { ConfigModule } = await import('@nestjs/config');
    const { AiSdkModule } = await import('@nestor-ai/ai-sdk');
    const saved = { ...process.env };
    Object.assign(process.env, environment);
    try {
      const module = await Test.createTestingModule({
        imports: [
          ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true }),
          AiSdkModule.forRoot(),
          AiModule.forRoot(),
        ],
        providers: [WeatherTools],
      }).compile();
      await module.init();
      return module;
    } finally {
      for (const key of Object.keys(environment)) delete process.env[key];
      Object.assign(process.env, saved);
    }
  };

  it.each(['openai', 'anthropic', 'openai-compatible'])('makes the model of the properties: %s', async (provider) => {
    const module = await boot({
      AI_MODEL_PROVIDER: provider,
      AI_MODEL_NAME: 'some-model',
      AI_MODEL_BASE_URL: `${mock.url}/v1`,
      AI_MODEL_API_KEY: 'test',
    });
    expect(await module.get(ChatClient).prompt('weather in Paris').call().content()).toBe('It is 21 degrees in Paris.');
    expect(module.get(ChatModel)).toBeInstanceOf(AiSdkChatModel);
  });

  it.each([
    [
      { AI_MODEL_PROVIDER: 'closedai' },
      /ai\.model\.provider is 'closedai', but has to be openai or anthropic or openai-compatible/,
    ],
    [{}, /ai\.model\.provider is not set\. Set AI_MODEL_PROVIDER.* one of: openai, anthropic, openai-compatible/],
    [{ AI_MODEL_PROVIDER: 'openai' }, /ai\.model\.name is not set\. Set AI_MODEL_NAME.* a model of openai/],
    [
      { AI_MODEL_PROVIDER: 'openai-compatible', AI_MODEL_NAME: 'x' },
      /ai\.model\.base-url is not set.*AI_MODEL_BASE_URL.*localhost:11434/,
    ],
    [
      { AI_MODEL_PROVIDER: 'openai', AI_MODEL_NAME: 'x', AI_MODEL_API_KEY: 'sk-proj-…' },
      /ai\.model\.api-key has a character that HTTP headers cannot carry\. Set AI_MODEL_API_KEY/,
    ],
  ])('stops the bootstrap with %j, and says what to do', async (environment, message) => {
    await expect(boot(environment as Record<string, string>)).rejects.toThrow(message);
  });
});
