import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import { ConfigModule } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { AiSdkEmbeddingModel, AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule, ChatModelException, EmbeddingModel } from '@nestor-ai/core';

/** A server that speaks OpenAI's protocol for embeddings: the vector of a text is its length and its first character. */
let server: Server;
let baseURL: string;
const received: { model: string; input: string[] }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const asked = JSON.parse(body) as { model: string; input: string[] };
      received.push(asked);
      if (asked.input.includes('refuse me')) {
        response.writeHead(400, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ error: { message: 'not this text', type: 'invalid_request_error' } }));
      }
      const data = asked.input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: [text.length, text.charCodeAt(0)],
      }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ object: 'list', data, model: asked.model, usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  received.length = 0;
});

describe('an embedding model of the AI SDK', () => {
  it.each([
    ['OpenAI', () => createOpenAI({ apiKey: 'k', baseURL }).embeddingModel('small')],
    ['OpenAI of the next major', () => createOpenAIV4({ apiKey: 'k', baseURL }).embeddingModel('small')],
    ['any that speaks its protocol', () => createOpenAICompatible({ name: 'local', baseURL }).embeddingModel('small')],
  ])('gives the vectors of texts in their order: %s', async (_name, make) => {
    const model = new AiSdkEmbeddingModel(make());
    expect(await model.embed(['abc', 'z'])).toEqual([
      [3, 97],
      [1, 122],
    ]);
    expect(received).toMatchObject([{ model: 'small', input: ['abc', 'z'] }]);
    expect(await model.embed([])).toEqual([]);
  });

  it('sends no halves of characters, for which a provider refuses all texts', async () => {
    const model = new AiSdkEmbeddingModel(createOpenAI({ apiKey: 'k', baseURL }).embeddingModel('small'));
    await model.embed(['abc', 'a\ud83d']);
    expect(received).toMatchObject([{ input: ['abc', 'a\ufffd'] }]);
  });

  it('asks in as many requests as the provider wants, and keeps the order', async () => {
    const model = new AiSdkEmbeddingModel(createOpenAI({ apiKey: 'k', baseURL }).embeddingModel('small'));
    const texts = Array.from({ length: 5000 }, (_, index) => 'x'.repeat(1 + (index % 7)));
    const vectors = await model.embed(texts);
    expect(vectors.map(([length]) => length)).toEqual(texts.map(({ length }) => length));
    expect(received.map(({ input }) => input.length).sort((a, b) => b - a)).toEqual([2048, 2048, 904]);
  });

  it('fails with the status and what the provider says, and with the reason of an abort', async () => {
    const model = new AiSdkEmbeddingModel(createOpenAI({ apiKey: 'k', baseURL }).embeddingModel('small'));
    const failure = await model.embed(['refuse me']).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChatModelException);
    const { message, httpStatus, responseBody } = failure as ChatModelException;
    expect(message).toMatch(
      /^The call to the model 'small' of openai at http:\/\/127\.0\.0\.1:\d+ failed \(status 400\)\./,
    );
    expect(httpStatus).toBe(400);
    expect(responseBody).toContain('not this text');
    const reason = new Error('enough');
    await expect(model.embed(['abc'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('is refused when it is a model of another kind', () => {
    const chat = createOpenAI({ apiKey: 'k', baseURL }).chat('gpt');
    expect(() => new AiSdkEmbeddingModel(chat as never)).toThrow("Pass the result of a provider's embedding()");
  });
});

describe('ai.model.embedding-name', () => {
  const start = async (values: Record<string, unknown>) => {
    const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => values] });
    const module = await Test.createTestingModule({
      imports: [config, AiSdkModule.forRoot(), AiModule.forRoot()],
    }).compile();
    await module.init();
    return module;
  };
  const model = { provider: 'openai-compatible', name: 'llama' };

  it('gives the application an EmbeddingModel of the same provider', async () => {
    const app = await start({ ai: { model: { ...model, 'base-url': baseURL, 'embedding-name': 'nomic' } } });
    expect(await app.get(EmbeddingModel).embed(['abc'])).toEqual([[3, 97]]);
    expect(received[0]!.model).toBe('nomic');
    await app.close();
  });

  it('leaves the application without one where it is not set', async () => {
    const app = await start({ ai: { model: { ...model, 'base-url': baseURL } } });
    expect(app.get(EmbeddingModel)).toBeUndefined();
    await app.close();
  });

  it('is told of at bootstrap where the provider has none', async () => {
    const values = { ai: { model: { provider: 'anthropic', name: 'claude', 'embedding-name': 'none' } } };
    await expect(start(values)).rejects.toThrow('anthropic has no embedding models');
  });
});
