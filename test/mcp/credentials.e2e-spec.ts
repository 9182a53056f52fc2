import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { McpCredentials, type McpCredential } from '@nestor-ai/mcp';
import { clientApplication, closeApplications, textOf } from './fixtures/client-application.js';
import { inProcessServer, over } from './fixtures/in-process-server.js';

afterEach(closeApplications);

describe('credentials', () => {
  class HeaderCredentials extends McpCredentials {
    override credentialOf(_server: string, request: unknown): McpCredential | undefined {
      const { user, token = `token-${user}` } = request as { user?: string; token?: string };
      if (user === 'broken') throw new Error('vault says s3cret');
      if (user === 'empty') return {} as McpCredential;
      return user === undefined ? undefined : { key: user, authProvider: { token: () => Promise.resolve(token) } };
    }
  }
  const withCredentials = { providers: [{ provide: McpCredentials, useClass: HeaderCredentials }] };

  it('have a connection each, with the newest token of the user', async () => {
    const server = inProcessServer();
    const tokens: (string | null)[] = [];
    server.intercept = (request) => void tokens.push(request.headers.get('authorization'));
    const { sessions } = await clientApplication([over(server)], withCredentials);
    const ada = await sessions.session('demo', { user: 'ada' });
    const bob = await sessions.session('demo', { user: 'bob' });
    const anonymous = await sessions.session('demo', {});
    expect(new Set([ada, bob, anonymous, await sessions.session('demo', { user: 'bob' })]).size).toBe(3);

    await sessions.session('demo', { user: 'ada', token: 'newer' });
    tokens.length = 0;
    await ada.client.callTool({ name: 'echo', arguments: {} });
    await bob.client.callTool({ name: 'echo', arguments: {} });
    await anonymous.client.callTool({ name: 'echo', arguments: {} });
    expect(tokens).toEqual(['Bearer newer', 'Bearer token-bob', null]);
  });

  it('that cannot be had are an error with the server and without the reason', async () => {
    const { sessions } = await clientApplication([over(inProcessServer())], withCredentials);
    const error = await sessions.session('demo', { user: 'broken' }).catch((thrown: unknown) => thrown as Error);
    expect(String(error)).toBe(
      "McpConnectionException: The MCP server 'demo' has no credential for this request, because McpCredentials failed (Error).",
    );
    expect((error as Error).cause).toBeUndefined();
    await expect(sessions.session('demo', { user: 'empty' })).rejects.toThrow('returned no key or no authProvider');
  });

  it('that a server refuses do not keep other users from it', async () => {
    const server = inProcessServer();
    server.intercept = (request) =>
      request.headers.get('authorization') === 'Bearer token-eve' ? new Response('', { status: 401 }) : undefined;
    const { sessions } = await clientApplication([over(server)], withCredentials);
    await expect(sessions.session('demo', { user: 'eve' })).rejects.toThrow(/refuses the credential \(401\)/);
    await expect(sessions.session('demo', { user: 'eve' })).rejects.toThrow('was not asked');
    await expect(sessions.session('demo', { user: 'ada' })).resolves.toBeDefined();
  });

  it('that fail in the middle of a session show nothing of the token', async () => {
    const tokens = ['good', 's3cret\0x', new Error('s3cret'), 'refused'];
    const server = inProcessServer();
    server.intercept = (request) =>
      request.headers.get('authorization') === 'Bearer refused' ? new Response('s3cret', { status: 401 }) : undefined;
    let current: unknown = 'good';
    const token = () => (current instanceof Error ? Promise.reject(current) : Promise.resolve(current as string));
    const credentials = { credentialOf: () => ({ key: 'ada', authProvider: { token } }) };
    const { sessions } = await clientApplication([over(server)], {
      providers: [{ provide: McpCredentials, useValue: credentials }],
    });
    const { client } = await sessions.session('demo', {});
    const errors = [];
    for (current of tokens.slice(1))
      errors.push(await client.callTool({ name: 'echo', arguments: {} }).catch((error: unknown) => inspect(error)));
    expect(errors).toEqual([
      expect.stringContaining("The MCP server 'demo' has no token for this request (TypeError)."),
      expect.stringContaining("The MCP server 'demo' has no token for this request (Error)."),
      expect.stringContaining("The MCP server 'demo' refuses the credential (401)."),
    ]);
    expect(String(errors)).not.toContain('s3cret');
    await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({ code: '401', status: 401 });
    current = 'good';
    expect(textOf(await client.callTool({ name: 'echo', arguments: {} }))).toBe('echo');
  });

  it('whose token does not come do not keep other users from the server', async () => {
    const server = inProcessServer();
    const credentials = {
      credentialOf: (_server: string, { user }: { user: string }) => ({
        key: user,
        authProvider: { token: () => (user === 'eve' ? new Promise(() => {}) : Promise.resolve(user)) },
      }),
    };
    const providers = [{ provide: McpCredentials, useValue: credentials }];
    const { sessions } = await clientApplication([{ ...over(server), connectTimeout: 500 }], { providers });
    await expect(sessions.session('demo', { user: 'eve' })).rejects.toThrow('did not come within 500 ms');
    await expect(sessions.session('demo', { user: 'ada' })).resolves.toBeDefined();
  });
});
