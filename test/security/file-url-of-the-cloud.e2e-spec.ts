import { describe, expect, test } from '@jest/globals';
import { Body, Controller, Post } from '@nestjs/common';
import { ChatClient, ChatMemory, MessageChatMemoryAdvisor } from '@nestor-ai/core';
import {
  AiUiModule,
  fromUIMessages,
  toUIMessageStreamResponse,
  type UIMessageInput,
  withUIMessages,
} from '@nestor-ai/ui';
import { bootstrapError } from '../nest/application.js';
import { ChatController, openPage, type Page, says } from './browser.js';

const METADATA = { imports: [AiUiModule], controllers: [ChatController] };
const fileAt = (url: string, mediaType = 'image/png'): object => ({ type: 'file', mediaType, url });
const bytes = (length: number, mediaType = 'image/png'): object =>
  fileAt(`data:${mediaType};base64,${Buffer.alloc(length).toString('base64')}`, mediaType);

async function refusal(page: Page, ...files: readonly object[]): Promise<string> {
  const { status, body } = await page.send([says('Look', ...files)]);
  expect(status).toBe(400);
  expect(page.model.prompts).toEqual([]);
  return (JSON.parse(body) as { message: string }).message;
}

const NOT_ALLOWED =
  'messages[0] has a file with a url that is not allowed. Send the file itself as a data: url, or use an https: url of a host in ' +
  'ai.ui.files.hosts.';

describe('A url that a model server would fetch for a browser is refused', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'https://169.254.169.254/',
    'http://localhost:8080/admin',
    'http://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.7/secrets',
    'https://2852039166/',
    'https://example.com/cat.png',
    'https://user:pass-word@example.com/cat.png',
  ])('%s', async (url) => {
    const message = await refusal(await openPage(METADATA, []), fileAt(url));
    expect(message).toBe(NOT_ALLOWED);
  });

  test.each([
    'http://cdn.example.com/cat.png',
    'https://user:pass-word@cdn.example.com/cat.png',
    'https://cdn.example.com:8443/cat.png',
    'https://cdn.example.com.attacker.example/cat.png',
    'https://cdn.example.com@169.254.169.254/',
    'https://169.254.169.254/?https://cdn.example.com/',
    'https://files.cdn.example.com/cat.png',
    'https://cdn.example.com.\\@169.254.169.254/',
  ])('also where the application names a host: %s', async (url) => {
    const properties = { ui: { files: { hosts: ['cdn.example.com'] } } };
    expect(await refusal(await openPage(METADATA, [], { properties }), fileAt(url))).toBe(NOT_ALLOWED);
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'gopher://169.254.169.254/'])(
    'of a kind that no model server needs: %s',
    async (url) => {
      const { protocol } = new URL(url);
      expect(await refusal(await openPage(METADATA, []), fileAt(url))).toBe(
        `messages[0] has a file with a ${protocol} url. Allowed are data: urls, and https: urls of the hosts in ai.ui.files.hosts.`,
      );
    },
  );

  test('in messages of the past, too, where the browser is the only memory', async () => {
    const page = await openPage(METADATA, []);
    const { status } = await page.send([says('Look', fileAt('http://169.254.169.254/')), says('And?')]);
    expect(status).toBe(400);
  });

  test('by fromUIMessages() itself', () => {
    expect(() => fromUIMessages([says('Look', fileAt('http://169.254.169.254/')) as UIMessageInput])).toThrow(
      NOT_ALLOWED,
    );
  });
});

describe('Files are taken', () => {
  test('of hosts that the application names, by https', async () => {
    const properties = { ui: { files: { hosts: ['CDN.example.com', 'files.example.com:8443'] } } };
    const page = await openPage(METADATA, ['A cat.'], { properties });
    const urls = ['https://cdn.example.com/cat.png?size=1', 'https://FILES.example.com:8443/dog.png'];
    await page.read([says('Look', ...urls.map((url) => fileAt(url)))]);
    expect(page.model.lastPrompt!.userMessage?.media?.map(({ data }) => data)).toEqual(urls.map((url) => new URL(url)));
  });

  test('in data: urls, of the types that most models read', async () => {
    const types = ['image/png', 'IMAGE/JPEG', 'application/pdf', 'text/plain', 'text/plain;charset=utf-8', 'audio/wav'];
    const page = await openPage(METADATA, ['Files.']);
    await page.read([says('Look', ...types.map((type) => bytes(3, type)))]);
    expect(page.model.lastPrompt!.userMessage?.media).toHaveLength(types.length);
  });

  test.each(['image/svg+xml', 'text/html', 'application/zip', 'video/mp4'])('but not of the type %s', async (type) => {
    expect(await refusal(await openPage(METADATA, []), bytes(3, type))).toContain(
      `messages[0] has a file of the type ${type}. Allowed types: image/png, image/jpeg,`,
    );
  });

  test('of other types, where the application says so', async () => {
    const properties = { ui: { files: { types: ['video/*'] } } };
    const page = await openPage(METADATA, ['A film.'], { properties });
    await page.read([says('Look', bytes(3, 'video/mp4'))]);
    expect(page.model.prompts).toHaveLength(1);
    expect((await page.send([says('Look', bytes(3))])).status).toBe(400);
  });

  test('up to a size, of all files of a request together', async () => {
    const properties = { ui: { files: { maxBytes: 1000 } } };
    const page = await openPage(METADATA, ['Fine.'], { properties });
    await page.read([says('Look', bytes(500), bytes(500))]);
    expect(page.model.prompts).toHaveLength(1);
    for (const files of [
      [bytes(1001)],
      [bytes(600), bytes(401)],
      [fileAt(`data:text/plain,${'%41'.repeat(1001)}`, 'text/plain')],
    ]) {
      const { status, body } = await page.send([says('Look', ...files)]);
      expect([status, body]).toEqual([
        400,
        expect.stringContaining('the files of a request may have at most 1000 bytes'),
      ]);
    }
  });

  test('of the last message alone, where the server remembers', async () => {
    @Controller()
    class Remembering {
      constructor(
        private readonly chatClient: ChatClient,
        private readonly chatMemory: ChatMemory,
      ) {}
      @Post('chat')
      chat(@Body('messages') messages: UIMessageInput[]): Response {
        const request = withUIMessages(this.chatClient.prompt(), messages, { files: { maxBytes: 1000 } }).advisors(
          new MessageChatMemoryAdvisor({ chatMemory: this.chatMemory }),
          (advisors) => advisors.param(ChatMemory.CONVERSATION_ID, 'conversation-1'),
        );
        return toUIMessageStreamResponse(request.stream().events());
      }
    }
    const page = await openPage({ controllers: [Remembering] }, ['A cat.', 'A dog.']);
    const first = says('Look', bytes(600));
    await page.read([first]);
    const { status } = await page.send([first, says('Look', bytes(600))]);
    expect(status).toBe(200);
  });
});

describe('Rules that would let anything be fetched', () => {
  test.each(['169.254.169.254', 'localhost', 'https://cdn.example.com', '*'])(
    'stop the bootstrap: the host %s',
    async (host) => {
      const error = await bootstrapError(
        { imports: [AiUiModule] },
        { properties: { ui: { files: { hosts: [host] } } } },
      );
      expect(error.message).toContain(
        `ai.ui.files.hosts is [ '${host}' ], but has to be a list of host names such as cdn.example.com`,
      );
    },
  );

  test('fail the request where they are options', () => {
    const files = { hosts: ['127.0.0.1'] };
    expect(() => fromUIMessages([says('Look') as UIMessageInput], { files })).toThrow(
      "files.hosts has to contain host names such as cdn.example.com, but contains '127.0.0.1'. IP addresses and port 443 are not allowed, and other letters need punycode (xn--…).",
    );
    expect(() => fromUIMessages([says('Look') as UIMessageInput], { files: { types: ['*/*'] } })).toThrow(TypeError);
    expect(() => fromUIMessages([says('Look') as UIMessageInput], { files: { maxBytes: 0 } })).toThrow(TypeError);
  });
});
