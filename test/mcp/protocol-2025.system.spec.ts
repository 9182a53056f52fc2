import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { McpServers, McpToolCallbackProvider } from '@nestor-ai/mcp';
import { clientApplication, closeApplications, fixture, textOf } from './fixtures/client-application.js';
import { LegacyHttpServer } from './fixtures/legacy-http-server.js';
import { URL_OF_SERVER } from './fixtures/in-process-server.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeApplications();
});

describe('a server of protocol 2025 over stdio', () => {
  const legacy = { name: 'old', command: process.execPath, args: [fixture('legacy-stdio-server.mjs')] };

  it('asks the user of the call that runs, and is answered cancel if several run or none has a handler', async () => {
    const { sessions } = await clientApplication([legacy]);
    const session = await sessions.session('old', {});
    const ask = async (from: string): Promise<unknown> => {
      return JSON.parse(textOf(await session.client.callTool({ name: 'ask', arguments: { from } })));
    };
    const handler = ({ message }: { message: string }) =>
      Promise.resolve({ action: 'accept' as const, content: { answer: message } });

    expect(await ask('nobody')).toEqual({ action: 'cancel' });
    expect(await session.withElicitation(handler, () => ask('ada'))).toEqual({
      action: 'accept',
      content: { answer: 'Question of ada' },
    });
    const several = ['ada', 'bob'].map((from) => session.withElicitation(handler, () => ask(from)));
    expect((await Promise.all(several))[0]).toEqual({ action: 'cancel' });
    const failing = () => Promise.reject(new Error('s3cret'));
    expect(await session.withElicitation(failing, () => ask('ada'))).toEqual({ action: 'cancel' });
  });

  it('announces changes of its tools', async () => {
    const { sessions } = await clientApplication([legacy]);
    const session = await sessions.session('old', {});
    const before = await session.tools();
    expect(await session.tools()).toBe(before);
    await session.client.callTool({ name: 'grow', arguments: {} });
    expect((await session.tools()).map(({ name }) => name)).toEqual(['ask', 'grow', 'more2']);
  });
});

describe('a server of protocol 2025 over HTTP, with sessions', () => {
  it('asks the user of each call, although several run', async () => {
    const server = new LegacyHttpServer();
    const { sessions } = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    const session = await sessions.session('old', {});
    const users = ['ada', 'bob', 'eve'];
    const answers = users.map((from) =>
      session.withElicitation(
        ({ message }) => Promise.resolve({ action: 'accept', content: { answer: `${from}: ${message}` } }),
        async () => JSON.parse(textOf(await session.client.callTool({ name: 'ask', arguments: { from } }))) as unknown,
      ),
    );
    expect(await Promise.all(answers)).toEqual(
      users.map((user) => ({ action: 'accept', content: { answer: `${user}: Question of ${user}` } })),
    );
    expect(JSON.parse(textOf(await session.client.callTool({ name: 'ask', arguments: {} })))).toEqual({
      action: 'cancel',
    });
  });

  it('announces changes of its tools', async () => {
    const server = new LegacyHttpServer();
    const { sessions } = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    const session = await sessions.session('old', {});
    const list = await session.tools();
    await session.client.callTool({ name: 'grow', arguments: {} });
    let changed = list;
    while (changed === list) {
      await setImmediate();
      changed = await session.tools();
    }
    expect(changed.map(({ name }) => name)).toEqual(['ask', 'grow', 'more2']);
  });

  it.each([404, 400])('that has forgotten its sessions gets a new one with the next request: %s', async (status) => {
    const server = new LegacyHttpServer();
    server.unknownSession = status;
    const application = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    const session = await application.sessions.session('old', {});
    server.restart();
    await expect(session.client.callTool({ name: 'grow', arguments: {} })).rejects.toThrow();
    const next = await application.sessions.session('old', {});
    expect(next).not.toBe(session);
    expect((await next.tools()).map(({ name }) => name)).toEqual(['ask', 'grow']);
  });

  it.each([404, 400])('that has forgotten its sessions is asked again what it has: %s', async (status) => {
    const server = new LegacyHttpServer();
    server.unknownSession = status;
    const application = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    const list = () => application.get(McpToolCallbackProvider).getToolCallbacks();
    expect(await list()).toHaveLength(2);
    // The first list is used for five minutes.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 300_001);
    server.restart();
    expect(await list()).toHaveLength(2);
    server.restart();
    server.unknownSession = 404;
    const asked = application.get(McpServers).getPrompt('old', 'greet');
    await expect(asked).rejects.toThrow("The MCP server 'old' refused the request (-32601).");
  });

  it('is told that the application ends its session', async () => {
    const server = new LegacyHttpServer();
    const application = await clientApplication([{ name: 'old', url: URL_OF_SERVER, fetch: server.fetch }]);
    await application.sessions.session('old', {});
    await application.close();
    expect(server.ended).toBe(1);
  });
});
