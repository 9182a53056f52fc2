import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import { AiSdkChatModel, type AiSdkLanguageModel } from '@nestor-ai/ai-sdk';
import { ChatModelException } from '@nestor-ai/core';
import { AskAgain } from '../ask-again.js';
import { bothWays, clientOf } from '../both-ways.js';

/** What the provider says, answer by answer. */
type Answer = (response: ServerResponse, isStream: boolean) => void;
let script: Answer[] = [];
let requests = 0;
let provider: Server;
beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const { stream } = JSON.parse(body) as { stream?: boolean };
      const answer = script[requests++];
      if (answer) answer(response, stream === true);
      else response.writeHead(500).end('{"error":{"message":"The script is over."}}');
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  const closed = new Promise((resolve) => provider.close(resolve));
  provider.closeAllConnections();
  await closed;
});
beforeEach(() => {
  requests = 0;
});

const json =
  (text: object | string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof text === 'string' ? text : JSON.stringify(text));
  };
const events =
  (...data: (object | string)[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of data) {
      const type = (event as { type?: string }).type;
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${text}\n\n`);
    }
    response.end();
  };
const either =
  (call: Answer, stream: Answer): Answer =>
  (response, isStream) =>
    (isStream ? stream : call)(response, isStream);

const settings = () => ({ apiKey: 'test', baseURL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` });
const chatModels: [string, () => AiSdkLanguageModel][] = [
  ['OpenAI', () => createOpenAI(settings()).chat('gpt-test')],
  ['OpenAI, version 4', () => createOpenAIV4(settings()).chat('gpt-test') as AiSdkLanguageModel],
  ['an OpenAI-compatible server', () => createOpenAICompatible({ name: 'acme', ...settings() })('acme-test')],
];
const anthropic = () => createAnthropic(settings())('claude-test');

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const base = { id: 'x', created: 1, model: 'gpt-test' };
const message = (finish_reason: string, content?: string) => ({
  ...base,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  usage,
});
const delta = (content: string, finish_reason: string | null = null) => ({
  ...base,
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const HELLO = either(json(message('stop', 'Hello')), events(delta('Hello'), delta('', 'stop'), '[DONE]'));

const retry = new AskAgain();
const failureOf = async (failing: Promise<unknown>): Promise<ChatModelException> => {
  const failure: unknown = await failing.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ChatModelException);
  return failure as ChatModelException;
};

describe.each(bothWays)('over the wire of a provider (%s)', (_how, ask) => {
  describe.each(chatModels)('%s', (_provider, createModel) => {
    it.each<[string, Answer]>([
      ['JSON that is cut off', either(json('{"id":"x","choices":[{"index":0,"mess'), events('{"id":"x","choi'))],
      ['no choices', either(json({ ...base, choices: [], usage }), events({ ...base, choices: [] }, '[DONE]'))],
      ['nothing', either(json(''), events())],
      [
        'an overload that is told with status 200',
        either(
          json({ error: { message: 'overloaded', type: 'server_error', code: 'server_error' } }),
          events({ error: { message: 'overloaded', type: 'server_error', code: 'server_error' } }),
        ),
      ],
    ])('%s is an error that may pass, and is asked again', async (_what, broken) => {
      script = [broken, HELLO];
      const model = new AiSdkChatModel(createModel());
      expect(await failureOf(ask(clientOf(model)))).toMatchObject({ isRetryable: true });
      requests = 0;
      expect(await ask(clientOf(model, retry))).toBe('Hello');
      expect(requests).toBe(2);
    });

    it('a request that is wrong is not asked again', async () => {
      script = [
        (response) =>
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":{"message":"no","type":"invalid_request_error"}}'),
        HELLO,
      ];
      expect(await failureOf(ask(clientOf(new AiSdkChatModel(createModel()), retry)))).toMatchObject({
        isRetryable: false,
      });
      expect(requests).toBe(1);
    });
  });
});

const start = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};
const failing = (type: string) => ({ type: 'error', error: { type, message: 'quoted text' } });
const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const text = (said: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } });
const end = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const spoken = events(start, block, text('Hello'), ...end);
const stream = bothWays[1][1];

describe('a stream of Anthropic', () => {
  it.each(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error'])(
    'that fails with %s before it says anything is begun again',
    async (type) => {
      for (const broken of [events(start, failing(type)), events(start, { type: 'ping' }, block, failing(type))]) {
        script = [broken, spoken];
        requests = 0;
        expect(await stream(clientOf(new AiSdkChatModel(anthropic()), retry))).toBe('Hello');
        expect(requests).toBe(2);
      }
    },
  );

  it('that fails for what the request says is not begun again', async () => {
    script = [events(start, block, failing('invalid_request_error')), spoken];
    expect(await failureOf(stream(clientOf(new AiSdkChatModel(anthropic()), retry)))).toMatchObject({
      isRetryable: false,
    });
    expect(requests).toBe(1);
  });

  it('that has said something fails, without the words of the provider, and is not begun again', async () => {
    script = [events(start, block, text('So far'), failing('overloaded_error')), spoken];
    const seen: string[] = [];
    const client = clientOf(new AiSdkChatModel(anthropic()), retry);
    const loop = (async () => {
      for await (const piece of client.prompt('Hi').stream().content()) seen.push(piece);
    })();
    const failure = await failureOf(loop);
    expect(failure).toMatchObject({ isRetryable: true });
    expect(failure.message).not.toContain('quoted');
    expect([seen, requests]).toEqual([['So far'], 1]);
  });
});
