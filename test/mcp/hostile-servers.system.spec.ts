import { afterEach, describe, expect, it } from '@jest/globals';
import { clientApplication, closeApplications, fixture, textOf } from './fixtures/client-application.js';
import { inProcessServer, over, tool, URL_OF_SERVER } from './fixtures/in-process-server.js';
import { LegacyHttpServer } from './fixtures/legacy-http-server.js';

afterEach(closeApplications);

describe('a hostile program', () => {
  it('is used in spite of what it writes among its messages, its endless list is refused, and it is killed', async () => {
    const application = await clientApplication([
      { name: 'hostile', command: process.execPath, args: [fixture('hostile-stdio-server.mjs')] },
    ]);
    const session = await application.sessions.session('hostile', {});
    const pid = Number(session.client.getServerVersion()!.version);
    await expect(session.tools()).rejects.toThrow("The MCP server 'hostile' lists more than 64 pages of tools.");
    await expect(application.sessions.session('hostile', {})).rejects.toThrow('was not asked');
    await application.close();
    // The signal may arrive a moment later.
    let isAlive = true;
    while (isAlive) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      try {
        process.kill(pid, 0);
      } catch {
        isAlive = false;
      }
    }
  });
});

const EVENTS = { 'content-type': 'text/event-stream' };

describe('a hostile server over HTTP', () => {
  it('does not take all sockets of the application by asking and not reading the answers', async () => {
    const server = new LegacyHttpServer();
    const question = { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } };
    server.ask = (elicit) => Promise.all(Array.from({ length: 300 }, () => elicit(question)));
    let unread = 0;
    const isAnswer = (body: unknown): boolean => typeof body === 'string' && body.includes('"result"');
    const answer: typeof fetch = (url, init) => {
      if (!isAnswer(init?.body)) return server.fetch(url, init);
      unread++;
      return new Promise(() => {});
    };
    const { sessions } = await clientApplication([{ name: 'demo', url: URL_OF_SERVER, fetch: answer }]);
    const session = await sessions.session('demo', {});
    const call = session.client.callTool({ name: 'ask', arguments: {} }, { timeout: 1000 });
    await expect(call).rejects.toThrow('timed out');
    expect(unread).toBe(100);
  });

  it('does not make a caller wait for ever by changing its tools while it lists them', async () => {
    const server = inProcessServer();
    const { sessions } = await clientApplication([over(server)]);
    const session = await sessions.session('demo', {});
    server.intercept = (request) => {
      if (request.headers.get('mcp-method') === 'tools/list') server.handler.notify.toolsChanged();
    };
    const lists = await Promise.all(Array.from({ length: 20 }, () => session.tools()));
    expect(lists.every((list) => list.length === 1)).toBe(true);
  });

  it.each([
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['no JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['deep JSON', () => new Response('['.repeat(1_000_000), { headers: { 'content-type': 'application/json' } })],
    ['another message', () => Response.json({ jsonrpc: '2.0', id: 999, result: {} })],
    ['a list of messages', () => Response.json([{ jsonrpc: '2.0', id: 0, result: {} }])],
    ['an error that is too long', () => new Response('\n'.repeat(20_000_000), { status: 500, headers: EVENTS })],
    ['an empty stream', () => new Response('', { headers: EVENTS })],
    ['a redirect to itself', () => new Response('', { status: 307, headers: { location: URL_OF_SERVER } })],
    ['a redirect to a file', () => new Response('', { status: 301, headers: { location: 'file:///etc/passwd' } })],
    [
      'prototypes',
      () => Response.json({ jsonrpc: '2.0', id: 0, result: JSON.parse('{"__proto__":{"a":1}}') as object }),
    ],
  ])('that answers with %s is an error that names it', async (_title, answer) => {
    const server = inProcessServer();
    server.intercept = answer;
    const { sessions } = await clientApplication([
      { name: 'demo', url: URL_OF_SERVER, fetch: server.fetch, connectTimeout: 500 },
    ]);
    await expect(sessions.session('demo', {})).rejects.toThrow(/^The MCP server 'demo' [^<{[]+\.$/);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it.each(['0', '99999999999'])('is not asked for the rest of a stream again and again: retry %s', async (retry) => {
    const server = inProcessServer();
    let rests = 0;
    const end = () => new Response(`id: 1\nretry: ${retry}\ndata:\n\n`, { headers: EVENTS });
    server.intercept = (request) => {
      if (request.method === 'GET') rests++;
      return request.method === 'GET' || request.headers.get('mcp-method') === 'tools/call' ? end() : undefined;
    };
    const { sessions } = await clientApplication([over(server)]);
    const session = await sessions.session('demo', {});
    const call = session.client.callTool({ name: 'echo', arguments: {} }, { timeout: 600 });
    await expect(call).rejects.toThrow('timed out');
    expect(rests).toBeLessThanOrEqual(1);
  });

  it('keeps its tools apart from the lists that others have', async () => {
    const server = inProcessServer();
    server.tools = [{ ...tool('echo'), annotations: { title: 'Echo' } }];
    const { sessions } = await clientApplication([over(server)]);
    const list = await (await sessions.session('demo', {})).tools();
    expect(() => (list as unknown[]).push(tool('more'))).toThrow(TypeError);
    expect(() => ((list[0] as { name: string }).name = 'other')).toThrow(TypeError);
  });
});

describe('a call that the caller cancels', () => {
  it('does not end the connection, over protocol 2026-07-28', async () => {
    const server = inProcessServer((name) => (name === 'echo' ? name : new Promise(() => {})));
    const { sessions } = await clientApplication([over(server)]);
    const session = await sessions.session('demo', {});
    const controller = new AbortController();
    const call = session.client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
    controller.abort('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    expect(textOf(await session.client.callTool({ name: 'echo', arguments: {} }))).toBe('echo');
    expect(await sessions.session('demo', {})).toBe(session);
  });

  it('does not end the connection, over protocol 2025', async () => {
    const server = new LegacyHttpServer();
    const { sessions } = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    const session = await sessions.session('old', {});
    const controller = new AbortController();
    let asked: (() => void) | undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const answerNever = () => {
      asked!();
      return new Promise<never>(() => {});
    };
    const call = session.withElicitation(answerNever, () =>
      session.client.callTool({ name: 'ask', arguments: {} }, { signal: controller.signal }),
    );
    await isAsked;
    controller.abort('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    await session.client.callTool({ name: 'grow', arguments: {} });
    expect(await sessions.session('old', {})).toBe(session);
  });
});
