import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../src/app.module.js';

let app: INestApplication;
let url: URL;
let client: Client;

beforeEach(async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app = module.createNestApplication();
  await app.listen(0, '127.0.0.1');
  url = new URL(`${await app.getUrl()}/mcp`);
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
});
afterEach(async () => {
  await client.close();
  await app.close();
});

const withKey = () => new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': 'secret' } } });

test('a client finds and lends a book', async () => {
  await client.connect(withKey());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['findBooks', 'lendBook']);
  const { content } = await client.callTool({ name: 'lendBook', arguments: { id: 'b1' } });
  expect(content).toEqual([{ type: 'text', text: 'The Iliad is yours for four weeks' }]);
  const { contents } = await client.readResource({ uri: 'library://books/b1' });
  expect(contents).toMatchObject([{ text: '{"id":"b1","title":"The Iliad","isLent":true}' }]);
});

test('a client gets a prompt', async () => {
  await client.connect(withKey());
  const { messages } = await client.getPrompt({ name: 'recommend', arguments: { mood: 'tired' } });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
});

test('a client without the key is refused', async () => {
  await expect(client.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow();
});
