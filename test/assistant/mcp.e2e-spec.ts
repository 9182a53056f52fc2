import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../../apps/assistant/src/app.module.js';

let app: INestApplication;

beforeAll(async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
  app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

it('the assistant serves tools to MCP clients, except those that need its own context', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${await app.getUrl()}/mcp`)));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(['getCurrentDateTime', 'getWeather']);
  const { content } = await client.callTool({ name: 'getWeather', arguments: { city: 'Paris' } });
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('"sky":"changeable"') }]);
  await client.close();
});

it('the assistant answers with a tool of an MCP server', async () => {
  const message = 'Convert the length 26 from mile to kilometre';
  const { body } = await request(app.getHttpServer()).post('/chat').send({ message }).expect(200);
  expect(body.answer).toContain('41.843 kilometre');
});
