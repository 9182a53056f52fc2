import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, describe, it } from '@jest/globals';
import { AiSdkChatModel, type AiSdkLanguageModel } from '@nestor-ai/ai-sdk';
import type { ChatModel } from '@nestor-ai/core';
import {
  chatModelContract,
  type ContractAnswer,
  type ContractFeature,
  type ContractRequest,
} from '@nestor-ai/testing/contract';
import { StandInServer } from '../stand-in-server.js';

const servers: StandInServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** A server that gives the answers of the contract in the protocol of any provider. */
async function serverOf(answers: readonly ContractAnswer[], path: string): Promise<string> {
  const server = new StandInServer();
  for (const { question, content, usage, failure } of answers) {
    const texts = (type: string) =>
      content.map((piece) => (piece.type === type ? (piece as { text: string }).text : '')).join('');
    const toolCalls = content.flatMap((piece) => (piece.type === 'tool-call' ? [piece.call] : []));
    const reasoning = texts('reasoning');
    const response = {
      content: texts('text'),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(reasoning && { reasoning }),
      // Gemini ends function calls with STOP. The test server has a reason of its own for them.
      ...(path === '/v1beta' && { finishReason: 'stop' }),
      usage: { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
    };
    if (failure?.type === 'refused') {
      const error = { message: 'refused', type: 'refused' };
      server.onMessage(question, { error, status: failure.httpStatus });
    } else if (failure?.type === 'broken') {
      server.onMessage(question, response, { chunkSize: 4, latency: 5, truncateAfterChunks: 6 });
    } else if (failure?.type === 'slow') {
      server.onMessage(question, response, { chunkSize: 4, latency: 100, chaos: { latencyMs: 200 } });
    } else {
      server.onMessage(question, response);
    }
  }
  await server.start();
  servers.push(server);
  return `${server.url}${path}`;
}

type Settings = { apiKey: string; baseURL: string; fetch: typeof fetch };

const PROVIDERS: Record<string, [path: string, create: (settings: Settings) => AiSdkLanguageModel]> = {
  'OpenAI chat': ['/v1', (settings) => createOpenAI(settings).chat('gpt-test')],
  'OpenAI Responses': ['/v1', (settings) => createOpenAI(settings).responses('gpt-test')],
  Anthropic: ['/v1', (settings) => createAnthropic(settings)('claude-sonnet-4-5')],
  'an OpenAI-compatible server': [
    '/v1',
    (settings) => createOpenAICompatible({ name: 'acme', includeUsage: true, ...settings })('acme-test'),
  ],
  Google: ['/v1beta', (settings) => createGoogleGenerativeAI(settings)('gemini-test')],
};

/** What the test server cannot say in every protocol. */
const NOT_OVER_THE_WIRE: Partial<Record<ContractFeature, boolean>> = {
  length: false,
  contentFilter: false,
  headers: false,
  providerToolCalls: false,
  sources: false,
  media: false,
  warnings: false,
};

const TEMPERATURE = /"temperature":([\d.]+)/;
const MAX_TOKENS = /"(?:max_tokens|max_output_tokens|max_completion_tokens|maxOutputTokens)":(\d+)/;
const numberOf = (body: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(body)?.[1];
  return found === undefined ? undefined : Number(found);
};

describe.each(Object.keys(PROVIDERS))('the contract over the wire of %s', (name) => {
  const sent = new WeakMap<ChatModel, { body: string; signal: AbortSignal | null | undefined }[]>();
  const [path, create] = PROVIDERS[name]!;
  const contract = chatModelContract({
    async model(answers, defaultOptions) {
      const requests: { body: string; signal: AbortSignal | null | undefined }[] = [];
      const recordingFetch: typeof fetch = (url, init) => {
        requests.push({ body: String(init?.body), signal: init?.signal });
        return fetch(url, init);
      };
      const baseURL = await serverOf(answers, path);
      const model = new AiSdkChatModel(create({ apiKey: 'test', baseURL, fetch: recordingFetch }), defaultOptions);
      sent.set(model, requests);
      return model;
    },
    requests: (model) =>
      sent.get(model)!.map(({ body, signal }): ContractRequest => ({
        body,
        temperature: numberOf(body, TEMPERATURE),
        maxTokens: numberOf(body, MAX_TOKENS),
        isAborted: signal?.aborted ?? false,
      })),
    // Chat Completions has no reasoning.
    supports: { ...NOT_OVER_THE_WIRE, ...(name === 'OpenAI chat' && { reasoning: false }) },
  });
  for (const { name: title, run } of contract) it(title, run);
});
