import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { McpCredential } from '../credentials/mcp-credentials.js';
import { MAX_IDLE_TIME, ServerConnections } from './server-connections.js';

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'demo', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  return server;
});

const SERVER = {
  name: 'demo',
  url: 'https://demo.example.com/mcp',
  fetch: ((url, init) => handler.fetch(new Request(url, init))) satisfies typeof fetch,
};

const user = (key: string): McpCredential => ({ key, authProvider: { token: () => Promise.resolve('t') } });
const cancel = () => Promise.resolve({ action: 'cancel' as const });

describe('ServerConnections', () => {
  let connections: ServerConnections;

  afterEach(async () => {
    jest.restoreAllMocks();
    await connections.close();
  });

  it('closes the connections of users that are not used, and keeps those with running calls', async () => {
    connections = new ServerConnections(SERVER);
    const [ada, bob, anonymous] = await Promise.all([
      connections.session(user('ada')),
      connections.session(user('bob')),
      connections.session(undefined),
    ]);
    let end: (() => void) | undefined;
    const call = bob.withElicitation(cancel, () => new Promise<void>((resolve) => (end = resolve)));
    connections.closeIdle(performance.now() + MAX_IDLE_TIME + 1);
    expect(await connections.session(user('bob'))).toBe(bob);
    expect(await connections.session(undefined)).toBe(anonymous);
    expect(await connections.session(user('ada'))).not.toBe(ada);
    expect(connections.state.status).toBe('up');
    end!();
    await call;
  });

  it('replaces the user of longest ago when there are too many', async () => {
    connections = new ServerConnections(SERVER, 2);
    const [ada, bob] = [await connections.session(user('ada')), await connections.session(user('bob'))];
    expect(await connections.session(user('ada'))).toBe(ada);
    await connections.session(user('eve'));
    expect(await connections.session(user('ada'))).toBe(ada);
    expect(await connections.session(user('bob'))).not.toBe(bob);
  });

  it('takes any text as a key', async () => {
    connections = new ServerConnections(SERVER);
    const keys = ['__proto__', 'constructor', ' ', 'a'.repeat(10_000), '\0'];
    const sessions = await Promise.all(keys.map((key) => connections.session(user(key))));
    expect(new Set(sessions).size).toBe(keys.length);
  });
});
