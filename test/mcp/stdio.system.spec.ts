import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const ARGS = ['--import', here('../../apps/from-sources.mjs'), here('./stdio-program.ts')];
const PROGRAM = { command: process.execPath, args: ARGS, stderr: 'pipe' as const };
const ME = { name: 'test', version: '1' };

const collect = (stream: Readable | null) => {
  const collected = { text: '' };
  stream!.on('data', (piece: Buffer) => {
    collected.text += piece.toString();
  });
  return collected;
};

describe('a program that serves stdio', () => {
  it('answers a client, and prints everything else on stderr', async () => {
    const transport = new StdioClientTransport(PROGRAM);
    const errors: Error[] = [];
    const stderr = collect(transport.stderr as Readable | null);
    const client = new Client(ME, { versionNegotiation: { mode: 'auto' } });
    Object.assign(client, { onerror: (error: Error) => errors.push(error) });
    await client.connect(transport);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    const updated = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    await client.listen({ toolsListChanged: true, resourceSubscriptions: ['printer://secret', 'printer://paper'] });
    expect((await client.listTools()).tools).toHaveLength(1);
    const { content } = await client.callTool({ name: 'print' });
    const auth = { token: 't', clientId: 'ada', scopes: [] };
    expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual({ auth });
    await changed;
    expect(await updated).toBe('printer://paper');
    expect(errors).toEqual([]);
    await client.close();
    for (const text of [
      'Printed at start',
      'Printed by a tool',
      'Written by a tool',
      'Logged by a tool',
      'Destroyed',
    ]) {
      expect(stderr.text).toContain(text);
    }
  });

  it('answers a client of the first SDK, tells it what has changed, and ends when it is told to terminate', async () => {
    const client = new OldClient(ME);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    const transport = new OldTransport(PROGRAM);
    const stderr = collect(transport.stderr as Readable | null);
    const closed = new Promise<void>((resolve) => {
      Object.assign(client, { onclose: resolve });
    });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(1);
    await client.callTool({ name: 'print' });
    await changed;
    process.kill(transport.pid!, 'SIGTERM');
    await closed;
    expect(stderr.text).toContain('Destroyed');
  });

  it('survives lines that are not messages, closes the application and ends when stdin is closed', async () => {
    const child = spawn(process.execPath, ARGS);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.stdin.write('not json\n{}\n[]\nnull\n{"jsonrpc":"2.0","id":{},"method":1}\n');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    await once(child.stdout, 'data');
    expect(stdout.text).toContain('"id":1');
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
    expect(stderr.text).toContain('Destroyed');
    // After the connection, stdout belongs to the program again.
    const lines = stdout.text.trim().split('\n');
    expect(lines.pop()).toBe('Ended');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('ends although a client does not read', async () => {
    const child = spawn(process.execPath, ARGS);
    collect(child.stderr);
    child.stdout.destroy();
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`);
    const [code] = (await once(child, 'close')) as [number];
    expect(code).not.toBeNull();
  });
});
