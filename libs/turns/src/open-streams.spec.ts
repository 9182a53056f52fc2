import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenStreams } from './http/open-streams.js';

const BLOCK = `data: ${'x'.repeat(100_000)}\n\n`;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Opens a stream of blocks without end, and counts those that were taken. */
async function open() {
  const streams = new OpenStreams();
  const made = { blocks: 0, hasEnded: false };
  let sending: Promise<void> = Promise.resolve();
  const server = createServer((_request, response) => {
    sending = streams.send(response, { 'content-type': 'text/event-stream' }, async function* (signal) {
      try {
        while (!signal.aborted) {
          made.blocks++;
          yield BLOCK;
          await sleep(0);
        }
      } finally {
        made.hasEnded = true;
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, resolve);
  });
  return { streams, made, response, sent: () => sending };
}

describe('OpenStreams', () => {
  it('makes no blocks that a slow client does not take', async () => {
    const { made } = await open();
    let before = -1;
    while (before !== made.blocks) {
      before = made.blocks;
      await sleep(200);
    }
    expect(made.blocks).toBeLessThan(200);
    expect(made.hasEnded).toBe(false);
  });

  it('ends when the client leaves, even if it was slow', async () => {
    const { made, response, sent } = await open();
    await sleep(50);
    response.destroy();
    await sent();
    expect(made.hasEnded).toBe(true);
  });

  it('ends at shutdown', async () => {
    const { streams, made, response, sent } = await open();
    response.resume();
    streams.onModuleDestroy();
    await sent();
    expect(made.hasEnded).toBe(true);
  });
});
