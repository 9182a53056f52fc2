import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  AiProperties,
  type AiModuleOptions,
  ChatClient,
  FallbackModelAdvisor,
  getChatClientToken,
} from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { AskAgain } from '../ask-again.js';
import { bothWays } from '../both-ways.js';
import { useFakeTimeouts, useRealTimeouts } from '../fake-timeouts.js';
import { signalled } from '../recipes/http-application.js';

type Properties = NonNullable<AiModuleOptions['properties']>;

/** A provider that takes every request and answers none. */
let provider: Server;
let gone = signalled();
let requests = 0;
beforeAll(async () => {
  provider = createServer((_request, response) => {
    requests++;
    response.on('close', () => gone.give());
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  // The first request of a process needs much longer than others.
  const leaving = new AbortController();
  const arrived = new Promise((resolve) => provider.once('request', resolve));
  const { port } = provider.address() as AddressInfo;
  const first = fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal }).catch(() => undefined);
  await arrived;
  leaving.abort();
  await first;
});
afterAll(async () => {
  const closed = new Promise((resolve) => provider.close(resolve));
  provider.closeAllConnections();
  await closed;
});

/** An application with the model of the provider, and what the environment says of it. */
async function boot(environment: Record<string, string>, properties: Properties = {}) {
  const { port } = provider.address() as AddressInfo;
  const variables = {
    AI_MODEL_PROVIDER: 'openai',
    AI_MODEL_NAME: 'gpt-test',
    AI_MODEL_API_KEY: 'test',
    AI_MODEL_BASE_URL: `http://127.0.0.1:${port}`,
    ...environment,
  };
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [() => variables] }),
      AiSdkModule.forRoot(),
      AiModule.forRoot({ properties }),
      AiModule.forFeature([{ name: 'support' }]),
    ],
  }).compile();
  await module.init();
  return module;
}

describe.each(bothWays)('a provider that never answers (%s)', (_how, ask) => {
  // The time is up as soon as the provider has the request.
  const timeIsUp = () => void jest.advanceTimersByTimeAsync(700);
  beforeEach(() => void provider.on('request', timeIsUp));
  afterEach(() => {
    provider.off('request', timeIsUp);
    useRealTimeouts();
  });

  it.each(['the client', 'a named client'])(
    'is given up by %s, its connection is closed, and it is replaced',
    async (which) => {
      gone = signalled();
      requests = 0;
      const module = await boot({ AI_MODEL_TIMEOUT: '700ms' });
      useFakeTimeouts();
      const client = module.get<ChatClient>(which === 'the client' ? ChatClient : getChatClientToken('support'));
      const failing = ask(client);
      await expect(failing).rejects.toMatchObject({ name: 'ModelTimeoutException', kind: 'timeout', limit: 700 });
      await gone.seen;
      const replaced = client
        .mutate()
        .defaultAdvisors(new AskAgain(), new FallbackModelAdvisor({ models: [new ScriptedChatModel(['Hello'])] }))
        .build();
      expect(await ask(replaced)).toBe('Hello');
      expect(requests).toBe(3);
      useRealTimeouts();
      await module.close();
    },
  );
});

describe('the times of a model', () => {
  it.each<[string, Record<string, string>, Properties]>([
    ['the environment', { AI_MODEL_FIRST_CHUNK_TIMEOUT: '50ms' }, { model: { firstChunkTimeout: 60_000 } }],
    ['a flat key', { 'ai.model.first-chunk-timeout': '50ms' }, {}],
    ['a nested key', { ai: { model: { 'first-chunk-timeout': 50 } } } as never, {}],
    ['forRoot', {}, { model: { firstChunkTimeout: 50, timeout: 60_000, chunkTimeout: 60_000 } }],
  ])('are read from %s', async (_where, environment, properties) => {
    const module = await boot(environment, properties);
    expect(module.get(AiProperties).model.firstChunkTimeout).toBe(50);
    const stream = bothWays[1][1](module.get(ChatClient));
    await expect(stream).rejects.toMatchObject({ kind: 'firstChunkTimeout', limit: 50 });
    await module.close();
  });

  it('have no advisor where none is set', async () => {
    const module = await boot({});
    expect(module.get(AiProperties).model).toMatchObject({
      timeout: undefined,
      firstChunkTimeout: undefined,
      chunkTimeout: undefined,
    });
    const seen: string[] = [];
    const looking = {
      name: 'looking',
      order: 0,
      adviseCall: (_request: unknown, chain: { advisors: { name: string }[] }) => {
        seen.push(...chain.advisors.map(({ name }) => name));
        return Promise.resolve({ context: {} });
      },
    };
    await module
      .get(ChatClient)
      .prompt('Hi')
      .advisors(looking as never)
      .call()
      .content();
    expect(seen).toContain('looking');
    expect(seen).not.toContain('Model Timeout Advisor');
    await module.close();
  });

  it.each([
    [{ AI_MODEL_TIMEOUT: 'soon' }, "The property ai.model.timeout is 'soon', but has to be a duration"],
    [
      { ai: { model: { timeot: '1s' } } } as never,
      'The property ai.model.timeot is not known. Did you mean ai.model.timeout?',
    ],
    [{ ai: { model: { nam: 'x' } } } as never, 'The property ai.model.nam is not known. Did you mean ai.model.name?'],
  ])('stop the bootstrap once with what is wrong: %j', async (environment, message) => {
    const failure = await boot(environment).then(
      () => undefined,
      (error: unknown) => error as { problems: string[] },
    );
    expect(failure?.problems).toEqual([expect.stringContaining(message)]);
  });
});
