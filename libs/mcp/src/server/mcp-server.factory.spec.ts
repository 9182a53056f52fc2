import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { InMemoryTransport, type Server } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/client';
import { AiModule, Tool } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import type { McpCaller } from './mcp-caller.js';
import { McpFeature } from './mcp-feature.js';
import { McpServerModule } from './mcp-server.module.js';
import { McpServerFactory } from './mcp-server.factory.js';
import { McpPrompt } from './prompts/mcp-prompt.decorator.js';

const CALLER: McpCaller = { request: {}, era: 'legacy' };

const ai = () => AiModule.forRoot({ chatModel: new ScriptedChatModel([]) });

class Shop {
  @Tool({ mcp: true }) buy(): string {
    return 'bought';
  }
  @McpPrompt() greet(): string {
    return 'Hello';
  }
}

/** A feature of the application itself. */
@Injectable()
class Logs extends McpFeature {
  readonly capabilities = { logging: {} };
  level: string | undefined;
  serve(server: Server): void {
    server.setRequestHandler('logging/setLevel', ({ params }) => {
      this.level = params.level;
      return {};
    });
  }
}

/** A feature of which the application has nothing. */
@Injectable()
class Nothing extends McpFeature {
  readonly capabilities = undefined;
  serve(): never {
    throw new Error('unused');
  }
}

describe('the servers of an application', () => {
  it('have all its features, and introduce themselves as it says', async () => {
    const module = await Test.createTestingModule({
      imports: [ai(), McpServerModule.forRoot({ name: 'shop', version: '2.0.0', instructions: 'Buy.', http: false })],
      providers: [Shop, Logs, Nothing, { provide: 'alias', useExisting: Logs }],
    }).compile();
    const servers = module.get(McpServerFactory, { strict: false });
    const client = new Client({ name: 'test', version: '1' });
    const [mine, other] = InMemoryTransport.createLinkedPair();
    await servers.create(CALLER).connect(other);
    await client.connect(mine);
    expect(client.getServerVersion()).toEqual({ name: 'shop', version: '2.0.0' });
    expect(client.getInstructions()).toBe('Buy.');
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, prompts: {}, logging: {} });
    await client.setLoggingLevel('error');
    expect(module.get(Logs).level).toBe('error');
    expect((await client.listTools()).tools).toMatchObject([{ name: 'buy' }]);
    expect((await client.listPrompts()).prompts).toEqual([{ name: 'greet' }]);
    await client.close();
  });

  it('are new for each caller', async () => {
    const module = await Test.createTestingModule({
      imports: [ai(), McpServerModule.forRoot({ http: false })],
    }).compile();
    const servers = module.get(McpServerFactory, { strict: false });
    expect(servers.create(CALLER)).not.toBe(servers.create(CALLER));
  });
});
