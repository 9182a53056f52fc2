/* The SDK's own server, with the same tools, in a controller of a Nest application or on node:http alone. */
import { createServer } from 'node:http';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADD, OTHERS } from './catalogue.js';

type Handle = (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>;

function createHandler(tools: number): Handle {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    const { name, description, inputSchema, run } = ADD;
    server.registerTool(name, { description, inputSchema }, async (input) => ({
      content: [{ type: 'text', text: run(input) }],
    }));
    for (const other of OTHERS.slice(0, tools - 1)) {
      server.registerTool(other.name, other, async () => ({ content: [] }));
    }
    return server;
  });
  // With `exactOptionalPropertyTypes`, the request of Node.js is not of the SDK's type.
  return toNodeHandler(handler) as Handle;
}

export async function startInNest(tools: number): Promise<string> {
  const handle = createHandler(tools);

  @Controller('mcp')
  class McpController {
    @All()
    serve(@Req() request: IncomingMessage & { body: unknown }, @Res() response: ServerResponse): Promise<void> {
      return handle(request, response, request.body);
    }
  }

  @Module({ controllers: [McpController] })
  class AppModule {}

  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/mcp`;
}

export async function startAlone(tools: number): Promise<string> {
  const handle = createHandler(tools);
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
