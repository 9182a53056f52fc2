import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createConnection } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Scope,
  UnauthorizedException,
  VersioningType,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpFeature, McpNotifier } from '@nestor-ai/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Door, openDoor, platforms } from './door-application.js';

const ME = { name: 'test', version: '1' };
const PING = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function connect(url: string | URL, requestInit: RequestInit = {}) {
  const client = new Client(ME, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

async function connectOld(url: string | URL, requestInit: RequestInit = {}) {
  const client = new OldClient(ME);
  // The optional properties of version 1 do not have the type undefined.
  await client.connect(new OldTransport(new URL(url), { requestInit }) as never);
  return client;
}

const post = (url: string, headers: Record<string, string> = {}, body: string = JSON.stringify(PING)) =>
  fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });

/** Unlike `fetch`, this sends any `Host`. */
function send(url: string, headers: Record<string, string>, method = 'POST', body = JSON.stringify(PING)) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...HEADERS, ...headers } }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((pieces) => resolve({ status: response.statusCode!, text: pieces.join('') }), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

describe.each(platforms)('the endpoint on %s', (platform) => {
  it('answers clients of both protocols', async () => {
    const { url, callers } = await openDoor({ platform });
    const client = await connect(`${url}/mcp`);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['whoami', 'wait']);
    expect(textOf(await client.callTool({ name: 'whoami' }))).toBe('undefined');
    expect(callers.at(-1)!.era).toBe('modern');
    expect(client.getServerVersion()).toMatchObject({ name: 'nest-app', version: '1.0.0' });
    await client.close();
    const old = await connectOld(`${url}/mcp`);
    expect(textOf(await old.callTool({ name: 'whoami' }))).toBe('undefined');
    expect(callers.at(-1)!.era).toBe('legacy');
    await old.close();
  });

  it.each([
    ['a prefix', '/api/tools/mcp', (app: INestApplication) => app.setGlobalPrefix('api')],
    [
      'versions in the path',
      '/tools/mcp',
      (app: INestApplication) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
    ],
    [
      'versions in a header',
      '/tools/mcp',
      (app: INestApplication) =>
        app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' }),
    ],
  ])('is found in an application with %s', async (_, path, configure) => {
    const { url } = await openDoor({ platform, mcp: { path: 'tools/mcp' }, configure });
    const client = await connect(`${url}${path}`);
    expect((await client.listTools()).tools).toHaveLength(2);
    await client.close();
  });

  it('is found with bodies that nobody has parsed', async () => {
    const { url } = await openDoor({ platform, app: { bodyParser: false } });
    for (const client of [await connect(`${url}/mcp`), await connectOld(`${url}/mcp`)]) {
      expect((await client.listTools()).tools).toHaveLength(2);
      await client.close();
    }
  });

  it.each(['null', '5', 'true', '"x"', '[]', '[null]'])('refuses the body %s', async (body) => {
    const { url } = await openDoor({ platform });
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect([400, 405]).toContain((await fetch(`${url}/mcp`, { method, headers: HEADERS, body })).status);
  });

  it('shows the request of Nest to features', async () => {
    const { url, callers } = await openDoor({ platform });
    await post(`${url}/mcp?shop=1`, { 'x-shop': 'two' });
    const request = callers.at(-1)!.request as { headers: object; url: string };
    expect(request.headers).toMatchObject({ 'x-shop': 'two' });
    expect(request.url).toBe('/mcp?shop=1');
  });

  it('refuses other hosts and other origins', async () => {
    const { url, callers } = await openDoor({ platform, mcp: { allowedOrigins: ['localhost', 'page.example'] } });
    const endpoint = `${url}/mcp`;
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1@evil.example', 'a b', '[::2]']) {
      expect(await send(endpoint, { host })).toMatchObject({
        status: expect.any(Number),
        text: expect.not.stringContaining('whoami'),
      });
    }
    expect((await send(endpoint, { host: 'evil.example:3000' })).status).toBe(403);
    for (const origin of ['http://evil.example', 'null', 'file://', 'http://localhost.evil.example']) {
      expect((await send(endpoint, { origin })).status).toBe(403);
    }
    expect(callers).toHaveLength(0);
    expect((await send(endpoint, { host: 'localhost:1' })).status).toBe(200);
    expect((await send(endpoint, { origin: 'https://page.example:8443' })).status).toBe(200);
  });

  it('runs global guards and given guards', async () => {
    const seen: string[] = [];
    @Injectable()
    class Global implements CanActivate {
      canActivate(context: ExecutionContext) {
        seen.push('global');
        if (context.switchToHttp().getRequest().headers['x-role'] === 'none')
          throw new UnauthorizedException('Log in.');
        return true;
      }
    }
    @Injectable()
    class Given implements CanActivate {
      canActivate(context: ExecutionContext) {
        seen.push('given');
        return context.switchToHttp().getRequest().headers['x-role'] === 'admin';
      }
    }
    const { url, callers } = await openDoor({
      platform,
      mcp: { guards: [Given] },
      providers: [{ provide: APP_GUARD, useClass: Global }],
    });
    const refused = await post(`${url}/mcp`, { 'x-role': 'none' });
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { statusCode: 401, message: 'Log in.', error: 'Unauthorized' },
    ]);
    expect((await post(`${url}/mcp`)).status).toBe(403);
    expect(callers).toHaveLength(0);
    expect((await post(`${url}/mcp`, { 'x-role': 'admin' })).status).toBe(200);
    expect(seen).toEqual(['global', 'global', 'given', 'global', 'given']);
    seen.length = 0;
    expect((await send(`${url}/mcp`, { host: 'evil.example', 'x-role': 'admin' })).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it('refuses bodies that are too long, malformed, or of another type', async () => {
    const { url, callers } = await openDoor({ platform, mcp: { maxBodySize: 1000 } });
    const long = JSON.stringify({ ...PING, params: { text: 'x'.repeat(1000) } });
    expect((await post(`${url}/mcp`, {}, long)).status).toBe(413);
    // Without Content-Length.
    const chunked = new Blob([long]).stream();
    expect(
      (await fetch(`${url}/mcp`, { method: 'POST', headers: HEADERS, body: chunked, duplex: 'half' } as RequestInit))
        .status,
    ).toBe(413);
    expect((await post(`${url}/mcp`, {}, '{"jsonrpc":')).status).toBe(400);
    expect((await post(`${url}/mcp`, {}, '')).status).toBe(400);
    expect((await post(`${url}/mcp`, {}, '[]')).status).toBe(400);
    expect((await post(`${url}/mcp`, {}, '{}')).status).toBe(400);
    expect((await post(`${url}/mcp`, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(`${url}/mcp`, { accept: 'text/html' })).status).toBe(406);
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: 'PUT' })).status).toBe(405);
    expect((await send(`${url}/mcp`, {}, 'TRACE', '')).status).toBeGreaterThanOrEqual(404);
    expect(callers.length).toBeLessThanOrEqual(2);
  });

  it('refuses bodies that nobody has parsed in the same way', async () => {
    const { url } = await openDoor({ platform, mcp: { maxBodySize: 1000 }, app: { bodyParser: false } });
    const long = JSON.stringify({ ...PING, params: { text: 'x'.repeat(1000) } });
    expect((await post(`${url}/mcp`, {}, long)).status).toBe(413);
    expect((await post(`${url}/mcp`, {}, '{"jsonrpc":')).status).toBe(400);
    expect((await post(`${url}/mcp`, {}, '')).status).toBe(400);
    expect((await post(`${url}/mcp`)).status).toBe(200);
  });

  it.each([
    ['parsed by the application', true],
    ['that nobody has parsed', false],
  ])('refuses several messages in one body, %s: guards would run once for all', async (_what, bodyParser) => {
    const { url, callers } = await openDoor({ platform, app: { bodyParser } });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
    for (const body of [JSON.stringify([call]), `\uFEFF \n${JSON.stringify([call, call])}`]) {
      const response = await post(`${url}/mcp`, {}, body);
      expect([response.status, await response.text()]).toEqual([400, expect.not.stringContaining('undefined')]);
    }
    expect(callers).toHaveLength(0);
    const response = await post(`${url}/mcp`, {}, JSON.stringify([call]));
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('one message') });
  });

  it('refuses ids and progress tokens that each event would repeat', async () => {
    const { url } = await openDoor({ platform });
    const long = 'x'.repeat(257);
    expect((await post(`${url}/mcp`, {}, JSON.stringify({ ...PING, id: long }))).status).toBe(400);
    expect((await post(`${url}/mcp`, {}, JSON.stringify({ ...PING, id: long.slice(1) }))).status).toBe(200);
    const params = { name: 'whoami', arguments: {}, _meta: { progressToken: long } };
    const answer = await post(`${url}/mcp`, {}, JSON.stringify({ ...PING, method: 'tools/call', params }));
    expect(await answer.text()).toContain('The progress token is longer than 256 characters.');
  });

  it('does not answer under another spelling of the path without the same checks', async () => {
    const { url, callers } = await openDoor({ platform });
    for (const path of ['/mcp/', '/MCP', '/%6dcp', '//mcp', '/mcp//', '/x/../mcp', '/mcp;x', '/mcp?x', '/mcp%2f']) {
      expect((await send(url + path, { host: 'evil.example' })).status).toBeGreaterThanOrEqual(400);
    }
    expect(callers).toHaveLength(0);
  });

  it('runs guards with the scope of a request, after its own checks', async () => {
    let created = 0;
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest implements CanActivate {
      constructor() {
        created++;
      }
      canActivate = () => true;
    }
    const { url, callers } = await openDoor({
      platform,
      mcp: { guards: [PerRequest] },
      providers: [{ provide: APP_GUARD, useClass: PerRequest }],
    });
    expect((await post(`${url}/mcp`)).status).toBe(200);
    expect(created).toBeGreaterThan(0);
    expect((await send(`${url}/mcp`, { host: 'evil.example' })).status).toBe(403);
    expect(callers).toHaveLength(1);
  });

  it('closes although a client does not read its stream', async () => {
    const { app, url, tools } = await openDoor({ platform });
    const params = { name: 'wait', arguments: { size: 20_000_000 }, _meta: { progressToken: 1 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.pause().on('error', () => undefined);
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        `Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await tools.running;
    await app.close();
    await tools.aborted;
    socket.destroy();
  });

  it.each(['modern', 'legacy'])('aborts the call of a client that leaves: %s', async (era) => {
    const { url, tools } = await openDoor({ platform });
    const client = await (era === 'modern' ? connect : connectOld)(`${url}/mcp`);
    const called = (client as Client).callTool({ name: 'wait' }, { onprogress: () => undefined });
    called.catch(() => undefined);
    await tools.running;
    await client.close();
    await tools.aborted;
  });

  it.each(['modern', 'legacy'])('ends running calls and streams when the application closes: %s', async (era) => {
    const { app, url, tools } = await openDoor({ platform });
    const client = await (era === 'modern' ? connect : connectOld)(`${url}/mcp`);
    const called = (client as Client).callTool({ name: 'wait' }, { onprogress: () => undefined });
    called.catch(() => undefined);
    await tools.running;
    await app.close();
    await tools.aborted;
    await client.close();
  });

  it('tells clients that listen what has changed, until the application closes', async () => {
    const { app, url } = await openDoor({ platform });
    const client = await connect(`${url}/mcp`);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    await client.listen({ toolsListChanged: true });
    app.get(McpNotifier).toolsChanged();
    await changed;
    await app.close();
    await client.close();
  });
});

describe('the endpoint', () => {
  it('measures bodies as they are after decompression', async () => {
    const { url } = await openDoor({ mcp: { maxBodySize: 1000 } });
    const body = gzipSync(JSON.stringify({ ...PING, params: { text: 'x'.repeat(2000) } }));
    const headers = { ...HEADERS, 'content-encoding': 'gzip' };
    expect((await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status).toBe(413);
  });

  it('answers a Host with a user name or a path like any other', async () => {
    const { url } = await openDoor();
    for (const host of ['me:secret@localhost', 'localhost/evil', 'localhost#x']) {
      expect([200, 400, 403]).toContain((await send(`${url}/mcp`, { host })).status);
    }
  });

  it('does not take what another guard puts into request.auth for a token', async () => {
    @Injectable()
    class Session implements CanActivate {
      canActivate(context: ExecutionContext) {
        context.switchToHttp().getRequest().auth = { clientId: 'session' };
        return true;
      }
    }
    const { url, callers } = await openDoor({ mcp: { guards: [new Session()] } });
    await post(`${url}/mcp`);
    expect(callers.at(-1)).not.toHaveProperty('auth');
  });

  it('keeps the headers of the application', async () => {
    const { url } = await openDoor({
      configure: (app) => app.enableCors({ origin: 'http://localhost:5173' }),
    });
    const response = await post(`${url}/mcp`, { origin: 'http://localhost:5173' });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });

  it('answers without the text of an error when a feature fails', async () => {
    @Injectable()
    class Broken extends McpFeature {
      readonly capabilities = { prompts: {} };
      serve(): void {
        throw new Error('secret 1234');
      }
    }
    const { url } = await openDoor({ providers: [Broken] });
    const response = await post(`${url}/mcp`);
    expect([response.status, (await response.text()).includes('1234')]).toEqual([500, false]);
  });

  it('answers over HTTP/2, with the same checks', async () => {
    const { app, url } = await openDoor({ adapter: new FastifyAdapter({ http2: true }) });
    const session = connectHttp2(url);
    const ask = async (headers: Record<string, string>) => {
      const stream = session.request({ ':method': 'POST', ':path': '/mcp', ...HEADERS, ...headers });
      stream.end(JSON.stringify(PING));
      const [answer] = (await once(stream, 'response')) as [Record<string, number>];
      const pieces = (await stream.setEncoding('utf8').toArray()) as string[];
      return [answer[':status'], pieces.join('').includes('whoami')];
    };
    expect(await ask({})).toEqual([200, true]);
    expect(await ask({ ':authority': 'evil.example' })).toEqual([403, false]);
    session.close();
    await app.close();
  });
});

describe.each(platforms)('the endpoint with tokens on %s', (platform) => {
  const resource = 'https://shop.example/mcp';
  const later = () => Math.floor(Date.now() / 1000) + 60;
  const info = (token: string, extra: object) => ({
    token,
    clientId: 'ada',
    scopes: ['shop'],
    expiresAt: later(),
    ...extra,
  });
  const verifier = {
    verifyAccessToken: async (token: string) => {
      switch (token) {
        case 'good':
          return info(token, { resource: new URL(resource) });
        case 'other-resource':
          return info(token, { resource: new URL('https://other.example/mcp') });
        case 'no-resource':
          return info(token, {});
        case 'no-scope':
          return info(token, { resource: new URL(resource), scopes: [] });
        case 'old':
          return info(token, { resource: new URL(resource), expiresAt: 1 });
        case 'broken':
          throw new Error('password of the database: 1234');
        default:
          throw new OAuthError(OAuthErrorCode.InvalidToken, 'signed with key 1234');
      }
    },
  };
  const auth = { verifier, resource, authorizationServers: ['https://login.example'], requiredScopes: ['shop'] };

  it('serves requests with a token, and shows who sent them to guards and features', async () => {
    const seen: unknown[] = [];
    @Injectable()
    class Global implements CanActivate {
      canActivate(context: ExecutionContext) {
        seen.push(context.switchToHttp().getRequest().auth?.clientId);
        return true;
      }
    }
    const { url, callers } = await openDoor({
      platform,
      mcp: { auth },
      providers: [{ provide: APP_GUARD, useClass: Global }],
    });
    const headers = { authorization: 'Bearer good' };
    for (const client of [await connect(`${url}/mcp`, { headers }), await connectOld(`${url}/mcp`, { headers })]) {
      expect(textOf(await client.callTool({ name: 'whoami' }))).toBe('ada');
      await client.close();
    }
    expect(new Set(seen)).toEqual(new Set(['ada']));
    expect(callers.at(-1)!.request).toMatchObject({ auth: { clientId: 'ada', token: 'good' } });
  });

  let door: Door;
  beforeAll(async () => {
    door = await openDoor({ platform, mcp: { auth } });
  });

  it.each([
    ['none', undefined, 401],
    ['another scheme', 'Basic good', 401],
    ['a wrong one', 'Bearer wrong', 401],
    ['one for another resource', 'Bearer other-resource', 401],
    ['one for no resource', 'Bearer no-resource', 401],
    ['one without the scope', 'Bearer no-scope', 403],
    ['an old one', 'Bearer old', 401],
    ['one that cannot be checked', 'Bearer broken', 500],
  ])('refuses a request with %s', async (_, authorization, status) => {
    const { url, callers } = door;
    const response = await post(`${url}/mcp`, authorization ? { authorization } : {});
    const text = await response.text();
    expect([response.status, text.includes('1234')]).toEqual([status, false]);
    expect(callers).toHaveLength(0);
    if (status === 500) return;
    const challenge = response.headers.get('www-authenticate')!;
    expect(challenge).toContain('resource_metadata="https://shop.example/.well-known/oauth-protected-resource/mcp"');
    expect(challenge).not.toContain('1234');
    expect(JSON.parse(text)).toHaveProperty('error');
  });

  it('does not mix up callers', async () => {
    const byToken = {
      verifyAccessToken: async (token: string) => ({
        ...info(token, { resource: new URL(resource) }),
        clientId: token,
      }),
    };
    const { url } = await openDoor({ platform, mcp: { auth: { ...auth, verifier: byToken } } });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    });
    const names = Array.from({ length: 20 }, (_, i) => `client-${i}`);
    const answers = await Promise.all(
      names.map(async (name) => (await post(`${url}/mcp`, { authorization: `Bearer ${name}` }, body)).text()),
    );
    for (const [i, name] of names.entries()) expect(answers[i]).toContain(`"text":"${name}"`);
  });

  it('tells clients where tokens come from, without a prefix and without guards', async () => {
    @Injectable()
    class Closed implements CanActivate {
      canActivate = () => false;
    }
    const { url } = await openDoor({
      platform,
      mcp: { auth },
      providers: [{ provide: APP_GUARD, useClass: Closed }],
      configure: (app) => app.setGlobalPrefix('api'),
    });
    const response = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: ['https://login.example'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['shop'],
    });
  });
});
