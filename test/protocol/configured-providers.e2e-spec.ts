import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JournalEntry } from '@copilotkit/aimock';
import { Logger } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { Test, type TestingModule } from '@nestjs/testing';
import { AiSdkModule, type ModelProvider } from '@nestor-ai/ai-sdk';
import { AiModule, ChatClient } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { freePort } from '../free-port.mjs';
import { StandInServer } from '../stand-in-server.js';

/** A stand-in that speaks the wire formats of all these providers. */
const mock = new StandInServer();
beforeAll(async () => {
  mock.onMessage('say hello', { content: 'Hello from the model.' });
  await mock.start();
});
afterAll(() => mock.stop());
afterEach(() => {
  mock.clearRequests();
  jest.restoreAllMocks();
});

async function boot(
  environment: Record<string, string>,
  options: Parameters<typeof AiSdkModule.forRoot>[0] = {},
): Promise<TestingModule> {
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, load: [() => environment] }),
      AiSdkModule.forRoot(options),
      AiModule.forRoot(),
    ],
  }).compile();
  await module.init();
  return module;
}

/** What the environment says of each provider, besides its name and the name of the model. */
const PROVIDERS: Partial<Record<ModelProvider, { base: string; path: string; environment?: Record<string, string> }>> =
  {
    openai: { base: '/v1', path: '/v1/chat/completions' },
    'openai-compatible': { base: '/v1', path: '/v1/chat/completions' },
    anthropic: { base: '/v1', path: '/v1/messages' },
    google: { base: '/v1beta', path: '/v1beta/models/test-model:' },
    mistral: { base: '/v1', path: '/v1/chat/completions' },
    'amazon-bedrock': { base: '', path: '/model/test-model/converse' },
    xai: { base: '/v1', path: '/v1/chat/completions' },
    groq: { base: '/v1', path: '/v1/chat/completions' },
    deepseek: { base: '/v1', path: '/v1/chat/completions' },
    azure: { base: '/v1', path: '/v1/chat/completions' },
    ollama: { base: '/api', path: '/api/chat' },
  };

const environmentOf = (provider: ModelProvider, others: Record<string, string> = {}) => ({
  AI_MODEL_PROVIDER: provider,
  AI_MODEL_NAME: 'test-model',
  AI_MODEL_API_KEY: 'test',
  AI_MODEL_BASE_URL: `${mock.url}${PROVIDERS[provider]!.base}`,
  ...others,
});

describe.each(Object.keys(PROVIDERS) as ModelProvider[])('%s, chosen by properties', (provider) => {
  it('answers in one piece and in chunks, at the address of the property', async () => {
    const client = (await boot(environmentOf(provider))).get(ChatClient);
    expect(await client.prompt('say hello').call().content()).toBe('Hello from the model.');
    const pieces = await lastValueFrom(client.prompt('say hello').stream().content().pipe(toArray()));
    expect(pieces.join('')).toBe('Hello from the model.');
    const paths = mock.getRequests().map(({ path }: JournalEntry) => path);
    expect(paths).toHaveLength(2);
    for (const path of paths) expect(path).toContain(PROVIDERS[provider]!.path);
  });
});

describe('the Responses API', () => {
  it.each(['openai', 'azure', 'xai'] as const)('is chosen with ai.model.api: %s', async (provider) => {
    const client = (await boot(environmentOf(provider, { AI_MODEL_API: 'responses' }))).get(ChatClient);
    expect(await client.prompt('say hello').call().content()).toBe('Hello from the model.');
    expect(mock.getRequests().map(({ path }: JournalEntry) => path)).toEqual([
      expect.stringContaining('/v1/responses'),
    ]);
  });

  it('stops the bootstrap with a provider that has none', async () => {
    await expect(boot(environmentOf('groq', { AI_MODEL_API: 'responses' }))).rejects.toThrow(
      "The property ai.model.api is 'responses', but groq has no Responses API.",
    );
  });
});

describe('the settings of a provider', () => {
  it('are named by a call that reaches no server', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const environment = {
      ...environmentOf('openai-compatible', { AI_MODEL_RETRY: '0' }),
      AI_MODELS_FAST_NAME: 'fast-model',
      AI_MODELS_FAST_BASE_URL: `${origin}/v1`,
    };
    const client = (await boot(environment)).get(ChatClient);
    const failureOf = (model: string) =>
      client
        .prompt('say hello')
        .options({ model })
        .call()
        .content()
        .catch((error: unknown) => (error as Error).message);
    expect(await failureOf('fast')).toBe(
      `The call to the model 'fast-model' of openai-compatible at ${origin} failed (ECONNREFUSED). ` +
        'Check ai.models.fast.base-url (AI_MODELS_FAST_BASE_URL), the network, and whether a server runs there.',
    );
    expect(await failureOf('openai:gpt-x')).toBe(
      "The call to the model 'gpt-x' of openai failed (AI_LoadAPIKeyError). Set the API key.",
    );
  });

  it('headers are sent with every request', async () => {
    const environment = environmentOf('openai', { AI_MODEL_HEADERS: 'x-team=blue, x-trace=on' });
    await (await boot(environment)).get(ChatClient).prompt('say hello').call().content();
    expect(mock.getRequests()[0]!.headers).toMatchObject({ 'x-team': 'blue', 'x-trace': 'on' });
  });

  it.each([['authorization: Bearer secret'], ['x-key=secret\r\nx-admin: 1'], ['x-key=secretЖ']])(
    'headers that are none stop the bootstrap, and the error does not show them: %j',
    async (headers) => {
      const starting = boot(environmentOf('openai', { AI_MODEL_HEADERS: headers }));
      const { message } = await starting.then(
        () => new Error('The application started.'),
        (error: unknown) => error as Error,
      );
      expect(message).toContain('The property ai.model.headers has a value that is not allowed.');
      expect(message).not.toContain('secret');
    },
  );

  it('fetch in code sends the requests', async () => {
    const seen: string[] = [];
    const send: typeof fetch = (url, init) => {
      seen.push(String(url));
      return fetch(url, init);
    };
    const module = await boot(environmentOf('anthropic'), { fetch: send });
    expect(await module.get(ChatClient).prompt('say hello').call().content()).toBe('Hello from the model.');
    expect(seen).toEqual([`${mock.url}/v1/messages`]);
  });

  it('a proxy carries the requests', async () => {
    const through: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url }, socket) => {
      through.push(url!);
      const [host, port] = url!.split(':') as [string, string];
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      socket.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const client = (await boot(environmentOf('openai', { AI_MODEL_PROXY: address }))).get(ChatClient);
      expect(await client.prompt('say hello').call().content()).toBe('Hello from the model.');
      const pieces = await lastValueFrom(client.prompt('say hello').stream().content().pipe(toArray()));
      expect(pieces.join('')).toBe('Hello from the model.');
      expect(new Set(through)).toEqual(new Set([new URL(mock.url).host]));
    } finally {
      proxy.close();
    }
  });

  it('one model by its provider and id, and another id at the same provider', async () => {
    const client = (await boot(environmentOf('openai'))).get(ChatClient);
    const ask = (model: string) => client.prompt('say hello').options({ model }).call().chatResponse();
    await ask('openai:gpt-other');
    await ask('gpt-third');
    expect(mock.getRequests().map(({ body }: JournalEntry) => (body as { model?: string }).model)).toEqual([
      'gpt-other',
      'gpt-third',
    ]);
  });
});

describe('a missing API key', () => {
  const warningsOf = async (environment: Record<string, string>, options = {}): Promise<string> => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { AI_MODEL_API_KEY: _key, ...others } = environment as { AI_MODEL_API_KEY?: string };
    await boot(others, options);
    return warn.mock.calls.flat().join('\n');
  };

  it.each([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['mistral', 'MISTRAL_API_KEY'],
    ['xai', 'XAI_API_KEY'],
    ['groq', 'GROQ_API_KEY'],
    ['deepseek', 'DEEPSEEK_API_KEY'],
    ['azure', 'AZURE_API_KEY'],
  ] as const)('of %s is a warning at startup that names the property and %s', async (provider, variable) => {
    const warnings = await warningsOf(environmentOf(provider));
    expect(warnings).toContain(`${provider} needs an API key`);
    expect(warnings).toContain('ai.model.api-key (AI_MODEL_API_KEY)');
    expect(warnings).toContain(variable);
  });

  it('gives the turn to the option fallback, and says so', async () => {
    const fallback = new ScriptedChatModel(['From the script.']);
    const warnings = await warningsOf({}, { provider: 'openai', name: 'test-model', fallback });
    expect(warnings).toContain('openai needs an API key, but there is none: the option fallback answers. Set');
    const options = { provider: 'openai', name: 'test-model', fallback } as const;
    const ask = async (environment: Record<string, string>) =>
      (await boot(environment, options)).get(ChatClient).prompt('say hello').call().content();
    expect(await ask({})).toBe('From the script.');
    expect(await ask(environmentOf('openai'))).toBe('Hello from the model.');
  });

  it.each(['ollama', 'amazon-bedrock', 'openai-compatible'] as const)('of %s is none', async (provider) => {
    expect(await warningsOf(environmentOf(provider))).not.toContain('API key');
  });

  it('is none where a header or fetch carries the key, and the request has no other', async () => {
    const environment = environmentOf('anthropic', { AI_MODEL_HEADERS: 'authorization=Bearer other' });
    expect(await warningsOf(environment)).not.toContain('API key');
    expect(await warningsOf(environmentOf('openai'), { fetch })).not.toContain('API key');
    const { AI_MODEL_API_KEY: _key, ...withoutKey } = environment;
    await (await boot(withoutKey)).get(ChatClient).prompt('say hello').call().content();
    expect(mock.getRequests()[0]!.headers).toHaveProperty('authorization');
    expect(mock.getRequests()[0]!.headers).not.toHaveProperty('x-api-key');
  });
});

it.each(['cohere', 'google-vertex', 'perplexity', 'togetherai', 'fireworks'] as const)(
  'the package of %s, which is not installed, is named at startup',
  async (provider) => {
    await expect(boot({ AI_MODEL_PROVIDER: provider, AI_MODEL_NAME: 'a', AI_MODEL_API_KEY: 'k' })).rejects.toThrow(
      `Run: npm install @ai-sdk/${provider}`,
    );
  },
);
