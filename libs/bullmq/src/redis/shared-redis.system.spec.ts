import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { hasRedis, newPrefix, openSharedRedis, TEST_REDIS } from '../../../../test/cluster/redis.js';
import { TcpProxy } from '../../../../test/tcp-proxy.js';

const REDIS = await hasRedis('Commands to Redis');
const AWAY = 'redis://127.0.0.1:1';

describe('a connection to a Redis that is away', () => {
  let logged: string[];

  beforeEach(() => {
    logged = [];
    Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: (text: string) => logged.push(text) });
  });
  afterEach(() => Logger.overrideLogger(false));

  it('is not opened before the first command', async () => {
    const redis = openSharedRedis('x', AWAY);
    await new Promise(setImmediate);
    await redis.onApplicationShutdown();
    expect(logged).toEqual([]);
  });

  it('fails each command, and logs that once', async () => {
    const redis = openSharedRedis('x', AWAY);
    for (const attempt of [1, 2, 3]) {
      await expect(redis.call(`try ${attempt}`, 'GET', 'secret')).rejects.toMatchObject({
        name: 'RedisException',
        code: 'ECONNREFUSED',
        message: `Nestor could not try ${attempt}: the server does not accept connections. Start Redis, or correct ai.bullmq.connection.`,
      });
    }
    expect(logged).toEqual([expect.stringContaining('Redis cannot be reached (ECONNREFUSED)')]);
    await redis.onApplicationShutdown();
  });

  it('fails in bounded time if the server does not answer', async () => {
    const sockets: Socket[] = [];
    const server = await new Promise<Server>((resolve) => {
      const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1', () => resolve(silent));
    });
    const { port } = server.address() as { port: number };
    const redis = openSharedRedis('x', `redis://127.0.0.1:${port}`);
    await expect(redis.call('ask', 'GET', 'a')).rejects.toThrow('Nestor could not ask: the server does not answer.');
    await redis.onApplicationShutdown();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('fails each command after the shutdown', async () => {
    const redis = openSharedRedis('x', AWAY);
    await redis.onApplicationShutdown();
    await expect(redis.call('ask', 'GET', 'a')).rejects.toThrow('The application is shutting down.');
  });

  it('refuses a client that is not one of ioredis', async () => {
    class Other {
      options = {};
    }
    const redis = openSharedRedis('x', new Other() as never);
    await expect(redis.call('ask', 'GET', 'a')).rejects.toThrow('BullAiModule.shared() needs a client of ioredis');
  });
});

(REDIS ? describe : describe.skip)('a connection to Redis', () => {
  it('is opened with the options of a client of the application, which stays open', async () => {
    const client = new Redis(TEST_REDIS);
    const redis = openSharedRedis(newPrefix(), client);
    expect(await redis.call('ask', 'PING')).toBe('PONG');
    await redis.onApplicationShutdown();
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
  });

  it('is opened with options', async () => {
    const { hostname, port } = new URL(TEST_REDIS);
    const redis = openSharedRedis(newPrefix(), { host: hostname, port: Number(port || 6379) });
    expect(await redis.call('ask', 'PING')).toBe('PONG');
    await redis.onApplicationShutdown();
  });

  it('is opened again after it was lost', async () => {
    const redis = openSharedRedis(newPrefix());
    const id = await redis.call('ask', 'CLIENT', 'ID');
    const client = new Redis(TEST_REDIS);
    await client.client('KILL', 'ID', Number(id));
    client.disconnect();
    expect(await redis.call('ask', 'PING')).toBe('PONG');
    await redis.onApplicationShutdown();
  });

  it('is replaced after it was dropped silently', async () => {
    const url = new URL(TEST_REDIS);
    const proxy = await TcpProxy.open(Number(url.port || 6379));
    url.port = String(proxy.port);
    const redis = openSharedRedis(newPrefix(), url.href);
    for (let dropped = 0; dropped < 2; dropped++) {
      expect(await redis.call('ask', 'PING')).toBe('PONG');
      proxy.silence();
    }
    expect(await redis.call('ask', 'PING')).toBe('PONG');
    await redis.onApplicationShutdown();
    await proxy.close();
  });

  it('says what Redis has refused, without values', async () => {
    const redis = openSharedRedis(newPrefix());
    await expect(redis.call('ask', 'INCRBY', 'secret', 'secret')).rejects.toMatchObject({
      code: 'ERR',
      message: 'Nestor could not ask: Redis has refused the command with ERR. The log of the server may say why.',
    });
    await redis.onApplicationShutdown();
  });

  it('has keys with one hash tag for one id, which shows nothing of the id', async () => {
    const redis = openSharedRedis('app');
    const [one, other] = [redis.key('a', 'secret {x}'), redis.key('b', 'secret {x}')];
    expect(one).toMatch(/^app:a:\{[\da-f]{64}\}$/);
    expect(other.slice('app:b'.length)).toBe(one.slice('app:a'.length));
    expect(new Set(['\ud800', '\udc00', ''].map((id) => redis.key('a', id))).size).toBe(3);
  });
});
