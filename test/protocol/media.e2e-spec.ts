import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createXai } from '@ai-sdk/xai';
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4';
import { createGoogleGenerativeAI as createGoogleV4 } from 'ai-sdk-google-v4';
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4';
import { type AiSdkLanguageModel, AiSdkChatModel, type AiSdkChatModelSettings } from '@nestor-ai/ai-sdk';
import {
  AssistantMessage,
  ChatClient,
  type ContentPart,
  FunctionToolCallback,
  Prompt,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const BASE64 = PNG.toString('base64');

/** A server of files, on loopback. */
let files: Server;
let host: string;
let downloads = 0;
beforeAll(async () => {
  files = createServer((_request, response) => {
    downloads++;
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(() => void files.close());
afterEach(() => {
  sent.length = 0;
  downloads = 0;
});

/** What went over the wire. Each request is refused, since the answer does not matter. */
const sent: string[] = [];
const refusing: typeof fetch = async (_url, init) => {
  sent.push(String(init?.body));
  return Response.json({ error: { message: 'refused' } }, { status: 400 });
};
const settings = { apiKey: 'test', fetch: refusing };

const MODELS = {
  'OpenAI Chat': () => createOpenAI(settings).chat('gpt-test'),
  'OpenAI Responses': () => createOpenAI(settings).responses('gpt-test'),
  'OpenAI Responses V4': () => createOpenAIV4(settings).responses('gpt-test'),
  Anthropic: () => createAnthropic(settings)('claude-test'),
  'Anthropic V4': () => createAnthropicV4(settings)('claude-test'),
  'Gemini 2.5': () => createGoogleGenerativeAI(settings)('gemini-2.5-flash'),
  'Gemini 3': () => createGoogleGenerativeAI(settings)('gemini-3-pro'),
  'Gemini 3 V4': () => createGoogleV4(settings)('gemini-3-pro'),
  Bedrock: () => createAmazonBedrock({ ...settings, region: 'us-east-1' })('anthropic.claude-test'),
  Mistral: () => createMistral(settings)('mistral-test'),
  Groq: () => createGroq(settings)('groq-test'),
  'xAI Chat': () => createXai(settings).chat('grok-test'),
  'xAI Responses': () => createXai(settings).responses('grok-test'),
  compatible: () => createOpenAICompatible({ name: 'acme', baseURL: 'http://x.example/v1', ...settings })('acme-test'),
};
type Name = keyof typeof MODELS;

const modelOf = (name: Name, given: AiSdkChatModelSettings = { downloads: { hosts: [host] } }) =>
  new AiSdkChatModel(MODELS[name]() as AiSdkLanguageModel, {}, given);

/** The body that a model is sent. */
async function bodyOf(name: Name, prompt: Prompt): Promise<string> {
  await expect(modelOf(name).call(prompt)).rejects.toMatchObject({ httpStatus: 400 });
  return sent.pop()!;
}

const picture = (data: URL | string) => new UserMessage({ text: 'See', media: [{ mimeType: 'image/png', data }] });
const draw = new FunctionToolCallback({ name: 'draw', toolFunction: () => 'Drawn' });
/** A prompt that ends with the result of a tool. Some packages leave results out if there are no tools. */
const resultWith = (...content: readonly ContentPart[]) =>
  new Prompt(
    [
      new UserMessage('Go'),
      new AssistantMessage({ toolCalls: [{ id: 'call_1', name: 'draw', arguments: '{}' }] }),
      new ToolResponseMessage({ responses: [{ id: 'call_1', name: 'draw', responseData: 'Drawn', content }] }),
    ],
    { toolCallbacks: [draw] },
  );

describe('a picture at a URL', () => {
  it.each<[Name, 'url' | 'bytes']>([
    ['OpenAI Chat', 'url'],
    ['OpenAI Responses', 'url'],
    ['OpenAI Responses V4', 'url'],
    ['Anthropic', 'url'],
    ['Anthropic V4', 'url'],
    ['Mistral', 'bytes'],
    ['Groq', 'url'],
    ['Gemini 2.5', 'bytes'],
    ['Bedrock', 'bytes'],
    ['compatible', 'bytes'],
  ])('from a user reaches %s as %s, as its package wants it', async (name, form) => {
    const url = `http://${host}/a.png`;
    const body = await bodyOf(name, new Prompt([picture(new URL(url))]));
    expect([body.includes(url), body.includes(BASE64), downloads]).toEqual(
      form === 'url' ? [true, false, 0] : [false, true, 1],
    );
  });

  it('is downloaded once in all rounds of a turn', async () => {
    let round = 0;
    const fetchOfTurn: typeof fetch = async (_url, init) => {
      sent.push(String(init?.body));
      const message =
        round++ < 2
          ? { tool_calls: [{ id: `c${round}`, type: 'function', function: { name: 'look', arguments: '{}' } }] }
          : { content: 'Done.' };
      return Response.json({
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      });
    };
    const acme = createOpenAICompatible({ name: 'acme', baseURL: 'http://x.example/v1', fetch: fetchOfTurn });
    const client = ChatClient.create(new AiSdkChatModel(acme('m'), {}, { downloads: { hosts: [host] } }));
    const look = new FunctionToolCallback({ name: 'look', toolFunction: () => 'seen' });
    const request = client
      .prompt()
      .messages(picture(new URL(`http://${host}/a.png`)))
      .tools(look);
    expect(await request.call().content()).toBe('Done.');
    expect(sent.map((body) => body.includes(BASE64))).toEqual([true, true, true]);
    expect(downloads).toBe(1);
  });

  it('on this machine is not downloaded by default, and no model is called', async () => {
    const failing = modelOf('compatible', {}).call(new Prompt([picture(new URL(`http://${host}/a.png`))]));
    await expect(failing).rejects.toThrow(/type image\/png cannot be sent .*not on the public internet/);
    expect([sent, downloads]).toEqual([[], 0]);
  });

  it('inside a data: URL is sent as bytes to all models', async () => {
    for (const name of Object.keys(MODELS) as Name[]) {
      expect(await bodyOf(name, new Prompt([picture(new URL(`data:image/png;base64,${BASE64}`))]))).toContain(BASE64);
    }
  });

  it('may be a file that OpenAI has stored', async () => {
    for (const name of ['OpenAI Responses', 'OpenAI Responses V4'] as const) {
      expect(await bodyOf(name, new Prompt([picture('file-abc')]))).toContain('"file_id":"file-abc"');
    }
  });
});

describe('the files of a tool', () => {
  const image = { type: 'image', mimeType: 'image/png', data: BASE64 } as const;
  const audio = { type: 'file', mimeType: 'audio/wav', data: 'UklGRg==' } as const;

  it.each(Object.keys(MODELS) as Name[])('reach %s as far as it takes them, and in words otherwise', async (name) => {
    const body = await bodyOf(name, resultWith(image, audio));
    const takesImages = !/Chat|Mistral|Groq|compatible/.test(name);
    const takesAudio = name === 'Gemini 2.5';
    expect([body.includes(BASE64), body.includes(audio.data)]).toEqual([takesImages, takesAudio]);
    expect(/\[image\/png, \d bytes; not shown\]/.test(body)).toBe(!takesImages);
    expect(/\[audio\/wav, \d bytes; not shown\]/.test(body)).toBe(!takesAudio);
    expect(body).toContain('Drawn');
  });

  it.each(['Bedrock', 'Gemini 2.5', 'Gemini 3 V4'] as const)('at URLs are downloaded for %s', async (name) => {
    const data = new URL(`http://${host}/a.png`);
    const body = await bodyOf(name, resultWith({ ...image, data }));
    expect([body.includes(BASE64), downloads]).toEqual([true, 1]);
  });

  it('never fail a call: what cannot be downloaded is described', async () => {
    const data = new URL('http://169.254.169.254/latest/meta-data');
    const body = await bodyOf('Gemini 3', resultWith({ ...image, data }));
    expect(body).toContain('169.254.169.254/latest/meta-data; could not be loaded]');
  });
});

describe('a file that a provider package cannot send', () => {
  it.each<[Name, string]>([
    ['Anthropic', 'audio/wav'],
    ['Anthropic V4', 'audio/wav'],
    ['OpenAI Chat', 'audio/ogg'],
    ['Mistral', 'audio/wav'],
    ['Groq', 'application/pdf'],
    ['Bedrock', 'image/bmp'],
  ])('fails the call to %s with an error that names %s', async (name, mimeType) => {
    const message = new UserMessage({ text: 'Hear', media: [{ mimeType, data: 'AAAA' }] });
    const error = { name: 'ChatModelException', code: 'AI_UnsupportedFunctionalityError', isRetryable: false };
    const failing = modelOf(name).call(new Prompt([message]));
    await expect(failing).rejects.toMatchObject(error);
    await expect(failing).rejects.toThrow(new RegExp(`its package cannot send the files .* the types ${mimeType}\\.`));
    expect(sent).toEqual([]);
  });
});
