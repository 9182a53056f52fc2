import { once } from 'node:events';
import { createConnection, type Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AiToolExecutionContext } from '@nestor-ai/core';
import { McpNotifier, McpResource } from '@nestor-ai/mcp';
import { openDoor, platforms } from './door-application.js';
import { until } from '../until.js';

type RoleRequest = { readonly headers: Readonly<Record<string, string>> };

const admins = new Set(['admin']);
const isAdmin = ({ headers }: RoleRequest): boolean => admins.has(headers['role']!);

@Injectable()
class ForAdmins implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return isAdmin(context.switchToHttp().getRequest<RoleRequest>());
  }
}

/** Admits to the box of the user. */
@Injectable()
class ForOwner implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { box } = AiToolExecutionContext.of(context).input as { box: string };
    return context.switchToHttp().getRequest<RoleRequest>().headers['role'] === box;
  }
}

@Injectable()
class Resources {
  @McpResource({ uri: 'board://news' })
  news(): string {
    return 'news';
  }

  @McpResource({ uri: 'secret://plans', visible: ({ request }) => isAdmin(request as RoleRequest) })
  plans(): string {
    return 'plans';
  }

  @UseGuards(ForAdmins)
  @McpResource({ uriTemplate: 'vault://{id}' })
  vault(id: number): string {
    return `gold of ${id}`;
  }

  @UseGuards(ForOwner)
  @McpResource({ uriTemplate: 'box://{box}' })
  box({ box }: { box: string }): string {
    throw new Error(`The subscription to ${box} must not read it.`);
  }
}

const ALL = ['board://news', 'secret://plans', 'vault://7', 'box://admin', 'box://guest', 'other://feature'];

describe.each(platforms)('who watches resources on %s', (platform) => {
  it.each([true, false])('hears of those that it may read, with bodies that are parsed: %s', async (bodyParser) => {
    const { app, url } = await openDoor({ platform, providers: [Resources], app: { bodyParser } });
    const watch = async (role: string, resourceSubscriptions: string[]) => {
      const heard: string[] = [];
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
      const requestInit = { headers: { role } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
      await client.listen({ resourceSubscriptions });
      return { client, heard };
    };
    const admin = await watch('admin', ALL);
    const guest = await watch('guest', ALL);
    const reader = await watch('guest', ['board://news']);
    for (const uri of [...ALL, 'vault://seven', 'vault://..']) app.get(McpNotifier).resourceUpdated(uri);
    const hears = async (watcher: typeof admin, uris: string[]): Promise<void> => {
      while (watcher.heard.length < uris.length) await new Promise((resolve) => setImmediate(resolve));
      expect(watcher.heard.splice(0).sort()).toEqual(uris);
    };
    await hears(admin, ['board://news', 'box://admin', 'other://feature', 'secret://plans', 'vault://7']);
    await hears(guest, ['board://news', 'box://guest', 'other://feature']);
    await hears(reader, ['board://news']);
    // Nothing else is on its way.
    app.get(McpNotifier).resourceUpdated('board://news');
    for (const watcher of [admin, guest, reader]) await hears(watcher, ['board://news']);
    await app.close();
    for (const { client } of [admin, guest, reader]) await client.close();
  });

  it('hears nothing more of a resource that it may read no longer', async () => {
    const { app, url } = await openDoor({ platform, providers: [Resources] });
    const heard: string[] = [];
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    const requestInit = { headers: { role: 'chief' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    await client.listen({ resourceSubscriptions: ['vault://1', 'board://news'] });
    const update = async (): Promise<void> => {
      const { length } = heard;
      for (const uri of ['vault://1', 'board://news']) app.get(McpNotifier).resourceUpdated(uri);
      while (!heard.slice(length).includes('board://news')) await new Promise((resolve) => setImmediate(resolve));
    };
    admins.add('chief');
    await update();
    admins.delete('chief');
    await update();
    expect(heard.filter((uri) => uri === 'vault://1')).toHaveLength(1);
    await app.close();
    await client.close();
  });

  it('cannot fill the memory by not reading', async () => {
    const { app, url } = await openDoor({ platform, providers: [Resources] });
    const uri = `other://${'x'.repeat(2000)}`;
    const envelope = {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: {},
    };
    const _meta = Object.fromEntries(
      Object.entries(envelope).map(([key, is]) => [`io.modelcontextprotocol/${key}`, is]),
    );
    const params = { _meta, notifications: { resourceSubscriptions: [uri] } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Method: subscriptions/listen\r\n' +
        'Mcp-Protocol-Version: 2026-07-28\r\nAccept: application/json, text/event-stream\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const [begin] = (await once(socket, 'data')) as [Buffer];
    expect(begin.toString()).toMatch(/^HTTP\/1.1 200/);
    socket.pause();
    const server = app.getHttpServer() as Server;
    await until(async () => {
      for (let sent = 0; sent < 500; sent++) app.get(McpNotifier).resourceUpdated(uri);
      return new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0)));
    });
    socket.destroy();
    await app.close();
  }, 10_000);
});
