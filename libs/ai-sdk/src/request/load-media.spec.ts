import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  ChatClient,
  FunctionToolCallback,
  type Message,
  Prompt,
  ToolResponseMessage,
  ToolResult,
  UserMessage,
} from '@nestor-ai/core';
import { FakeLanguageModel } from '../../../../test/fake-language-model.js';
import { AiSdkChatModel } from '../ai-sdk-chat-model.js';
import type { DownloadRules } from './download.js';
import { loadMedia } from './load-media.js';
import type { AiSdkLanguageModel, SupportedUrls } from '../language-model.js';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const image = { 'content-type': 'image/png' };
const PATHS: Readonly<Record<string, RequestListener>> = {
  '/a.png': (_request, response) => response.writeHead(200, image).end(PNG),
  '/unknown': (_request, response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PNG),
  '/page': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
  '/missing': (_request, response) => response.writeHead(404).end(),
  '/zipped': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(PNG)),
  '/moved': (_request, response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/away': (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/round': (_request, response) => response.writeHead(302, { location: '/round' }).end(),
  '/empty': (_request, response) => response.writeHead(200, image).end(),
  '/silent': () => {},
  '/slow': (_request, response) => void response.writeHead(200, image).write(PNG),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write(PNG);
    setImmediate(() => response.destroy());
  },
};

let server: Server;
let origin: string;
let host: string;
let requested: string[];
beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url!);
    PATHS[request.url!]!(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
});
beforeEach(() => {
  requested = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A download that another test has given up may arrive late. */
const timesOf = (path: string): number => requested.filter((one) => one === path).length;

interface Given {
  readonly rules?: DownloadRules | false;
  readonly provider?: string;
  readonly supportedUrls?: SupportedUrls | Promise<SupportedUrls>;
  readonly signal?: AbortSignal;
}

const load = (messages: readonly Message[], { rules, supportedUrls = {}, provider = 'fake', signal }: Given = {}) => {
  const model = { specificationVersion: 'v3', provider, modelId: 'm', supportedUrls } as unknown as AiSdkLanguageModel;
  return loadMedia(new Prompt([...messages]), model, { downloads: rules ?? { hosts: [host] } }, signal);
};
const userFile = (path: string, mimeType = 'image/png') =>
  new UserMessage({ text: 'U', media: [{ mimeType, data: new URL(path, origin) }] });
const toolFile = (path: string, mimeType = 'image/png') =>
  new ToolResponseMessage({
    responses: [
      { id: '1', name: 't', responseData: '', content: [{ type: 'file', mimeType, data: new URL(path, origin) }] },
    ],
  });
const mediaOf = async (message: Message, given?: Given) => {
  const [loaded] = await load([message], given);
  return (loaded as UserMessage).media![0]!;
};
const partOf = async (message: Message, given?: Given) => {
  const [loaded] = await load([message], given);
  return (loaded as ToolResponseMessage).responses[0]!.content![0]!;
};

describe('the files of a prompt', () => {
  it('need no promise if they are all there', () => {
    const messages = [
      new UserMessage({ text: 'U', media: [{ mimeType: 'image/png', data: 'AA==' }] }),
      new AssistantMessage('A'),
      new UserMessage({ text: 'U', media: [{ mimeType: 'image/png', data: new URL('data:image/png;base64,AA==') }] }),
    ];
    expect(load(messages)).toEqual(messages);
  });

  it.each(['/a.png', '/moved', '/unknown'])('are downloaded for a model that only takes bytes: %s', async (path) => {
    expect(await mediaOf(userFile(path))).toEqual({ mimeType: 'image/png', data: PNG });
    const answer = new AssistantMessage({ text: 'A', media: userFile(path).media! });
    expect(await mediaOf(answer)).toMatchObject({ data: PNG });
  });

  it('get the media type of their server if theirs is a family', async () => {
    expect(await mediaOf(userFile('/a.png', 'image/*'))).toEqual({ mimeType: 'image/png', data: PNG });
  });

  it.each<[string, SupportedUrls]>([
    ['all files', { '*': [/^http:/] }],
    ['all files', { '*/*': [/^http:/] }],
    ['images', { 'image/*': [/^http:/] }],
    ['this type', { 'image/PNG': [/^http:/] }],
  ])('stay where they are if the provider fetches %s itself', async (_what, supportedUrls) => {
    const message = userFile('/a.png');
    expect(await mediaOf(message, { supportedUrls: Promise.resolve(supportedUrls) })).toBe(message.media![0]);
    expect(requested).toEqual([]);
  });

  it('stay where they are if downloads are turned off', () => {
    const messages = [userFile('/a.png')];
    expect(load(messages, { rules: false })).toEqual(messages);
  });

  it.each([
    ['/missing', 'its server answered with the status 404'],
    ['/page', 'its server sends text/html instead'],
    ['/zipped', 'its server compresses it'],
    ['/empty', 'it is empty'],
    ['/cut', 'the connection to its server failed'],
    ['/away', 'its host is not among the hosts'],
    ['/round', 'its server redirects more than 5 times'],
    ['ftp://x.example/a', 'a ftp: URL cannot be downloaded'],
    ['http://a:b@x.example/a', 'its URL contains a user or a password'],
  ])('fail the call if they cannot be downloaded, without a word of the URL: %s', async (path, reason) => {
    const error = (await mediaOf(userFile(path)).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'ChatModelException', message: expect.stringContaining(reason) });
    expect(error.message).toContain('A file of the type image/png');
    expect(error.message).not.toMatch(/127\.0\.0\.1|x\.example|169\.254/);
  });

  it.each(['http://localhost:1/a', 'http://2130706433/a', 'http://[::1]/a', 'http://169.254.169.254/a', '/a.png'])(
    'are not downloaded from private networks by default: %s',
    async (path) => {
      const failing = mediaOf(userFile(path), { rules: {} });
      await expect(failing).rejects.toThrow('its host is not on the public internet');
      expect(requested).toEqual([]);
    },
  );

  it('have a limit of size, together', async () => {
    const files = [userFile('/a.png'), userFile('/unknown')];
    const rules = { hosts: [host], maxBytes: 2 * PNG.byteLength };
    expect(await load(files, { rules })).toHaveLength(2);
    const tooMany = load(files, { rules: { ...rules, maxBytes: rules.maxBytes - 1 } });
    await expect(tooMany).rejects.toThrow('may have at most 15 bytes together');
  });

  it.each(['/silent', '/slow'])('have a limit of time: %s', async (path) => {
    const failing = mediaOf(userFile(path), { rules: { hosts: [host], timeout: 50 } });
    await expect(failing).rejects.toMatchObject({
      message: expect.stringContaining('took longer than 50 ms'),
      isRetryable: true,
    });
  });

  it('are downloaded once where several messages have the same one', async () => {
    const loaded = (await load([userFile('/a.png'), userFile('/a.png'), userFile('/a.png')])) as UserMessage[];
    expect(loaded.map(({ media }) => media![0]!.data)).toEqual([PNG, PNG, PNG]);
    expect(timesOf('/a.png')).toBe(1);
  });

  it('are given up when the caller aborts', async () => {
    const caller = new AbortController();
    const failing = mediaOf(userFile('/slow'), { signal: caller.signal });
    setTimeout(() => caller.abort(new Error('no longer needed')), 20);
    await expect(failing).rejects.toThrow('no longer needed');
  });
});

describe('the files of a tool', () => {
  it('are downloaded if the model takes their type, but not their URL', async () => {
    expect(await partOf(toolFile('/a.png'), { provider: 'google.generative-ai' })).toMatchObject({ data: PNG });
    const message = toolFile('/a.png');
    for (const provider of ['anthropic.messages', 'openai.chat']) {
      expect(await partOf(message, { provider })).toBe(message.responses[0]!.content![0]);
    }
    expect(timesOf('/a.png')).toBe(1);
  });

  it.each(['/missing', '/page', '/away'])('are described if they cannot be downloaded: %s', async (path) => {
    expect(await partOf(toolFile(path), { provider: 'google.generative-ai' })).toEqual({
      type: 'text',
      text: `[image/png, ${origin}${path}; could not be loaded]`,
    });
  });

  it('that cannot be downloaded are tried once a turn', async () => {
    const model = new FakeLanguageModel([{ type: 'tool-call', toolCallId: '1', toolName: 'draw', input: '{}' }]);
    const client = ChatClient.create(
      new AiSdkChatModel(model.with({ provider: 'google.generative-ai' }), {}, { downloads: { hosts: [host] } }),
    );
    const content = [{ type: 'image' as const, mimeType: 'image/png', data: new URL('/missing', origin) }];
    const draw = new FunctionToolCallback({
      name: 'draw',
      toolFunction: () => new ToolResult({ text: 'Drawn', content }),
    });
    await client.prompt('Draw').tools(draw).call().content();
    expect(model.asked.length).toBeGreaterThan(2);
    expect(JSON.stringify(model.asked.at(-1)!.prompt)).toContain('/missing; could not be loaded]');
    expect(timesOf('/missing')).toBe(1);
  });

  it('of a failed call are not downloaded', () => {
    const [response] = toolFile('/a.png').responses;
    const messages = [new ToolResponseMessage({ responses: [{ ...response!, isError: true }] })];
    expect(load(messages, { provider: 'google.generative-ai' })).toEqual(messages);
  });
});
