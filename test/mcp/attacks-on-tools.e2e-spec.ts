import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AiModule, Tool, ToolContext, ToolResult } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { McpServerModule } from '@nestor-ai/mcp';

const unwritable = {
  toJSON() {
    throw new Error('SECRET');
  },
};

const fileAt = (address: string): ToolResult =>
  new ToolResult({ text: 'A file', content: [{ type: 'file', mimeType: 'text/plain', data: new URL(address) }] });

let isVisible: () => boolean;

@Injectable()
class Bank {
  @Tool({ mcp: true, visible: () => isVisible() }) hidden(): string {
    return 'seen';
  }

  @Tool({ mcp: true, outputSchema: { type: 'object' } }) unwritable(): ToolResult {
    return new ToolResult({ text: 'A value', value: { unwritable } });
  }

  @Tool({ mcp: true }) undecodable(): ToolResult {
    return fileAt('data:text/plain,%zz');
  }

  @Tool({ mcp: true }) local(): ToolResult {
    return fileAt('file:///etc/bank/SECRET');
  }

  @Tool({ mcp: true }) remote(): ToolResult {
    return fileAt('https://files.example.com/a.txt');
  }

  @Tool({ mcp: true }) chatty(context: ToolContext): string {
    for (let progress = 1; progress <= 20_000; progress++) context.reportProgress(progress);
    return 'done';
  }
}

describe('the tools of an application', () => {
  let app: INestApplication;
  let client: Client;
  const logged: string[] = [];

  beforeEach(async () => {
    isVisible = () => true;
    logged.length = 0;
    const module = await Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }), McpServerModule.forRoot()],
      providers: [Bank],
    }).compile();
    const log = (...parts: unknown[]): void => void logged.push(JSON.stringify(parts));
    const logger = { log, error: log, warn: log, debug: log, verbose: log, fatal: log };
    app = module.createNestApplication({ logger });
    await app.listen(0, '127.0.0.1');
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${await app.getUrl()}/mcp`)));
  });

  afterEach(async () => {
    await client.close();
    await app.close();
  });

  const messageOf = (request: Promise<unknown>): Promise<string> =>
    request.then(JSON.stringify, (error: Error) => error.message);

  it('keep the errors of conditions and of conversions from clients and logs', async () => {
    isVisible = () => {
      throw new Error('SECRET');
    };
    const messages = [
      await messageOf(client.listTools()),
      await messageOf(client.callTool({ name: 'hidden' })),
      await messageOf(client.callTool({ name: 'unwritable' })),
    ];
    for (const message of messages) expect(message).toMatch(/The request failed/);
    expect(logged.join('\n')).toMatch(/A request of an MCP client failed: Error/);
    expect(logged.join('\n')).not.toMatch(/SECRET/);
  });

  it('give clients files with an address that is not quite right', async () => {
    const blob = Buffer.from('%zz').toString('base64');
    expect(await client.callTool({ name: 'undecodable' })).toMatchObject({
      content: [{ type: 'text' }, { type: 'resource', resource: { blob } }],
    });
  });

  it('tell clients the addresses of files on the web, but no paths', async () => {
    expect(JSON.stringify(await client.callTool({ name: 'local' }))).not.toMatch(/SECRET|etc/);
    expect(await client.callTool({ name: 'remote' })).toMatchObject({
      content: [{ type: 'text' }, { type: 'resource_link', uri: 'https://files.example.com/a.txt' }],
    });
  });

  it('cannot fill the memory with progress that a client has not read', async () => {
    let reports = 0;
    await client.callTool({ name: 'chatty' }, { onprogress: () => void reports++ });
    expect(reports).toBeGreaterThanOrEqual(100);
    expect(reports).toBeLessThan(10_000);
  });
});
