import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Scope, UseGuards } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { AiModule, Tool, ToolContext, ToolInputRequiredException, ToolResult, toolsWhere } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { IsNumber, IsString } from 'class-validator';
import { McpServerModule } from '../mcp-server.module.js';
import type { McpServerModuleOptions } from '../mcp-server.options.js';
import { McpToolsFeature } from './mcp-tools.feature.js';

class Invoice {
  @IsString() id!: string;
  @IsNumber() total!: number;
}

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ role?: string }>().role === 'admin';
  }
}

@Injectable()
class Shop {
  payments: number[] = [];

  @Tool({ mcp: true, effect: 'read', outputType: Invoice })
  invoice(id: string): Invoice {
    return { id, total: 12 };
  }

  @Tool({ mcp: true, needsApproval: true })
  pay(amount: number): string {
    this.payments.push(amount);
    return `Paid ${amount}.`;
  }

  @Tool({ mcp: true, needsApproval: true })
  note(text: string): string {
    return text;
  }

  @UseGuards(AdminGuard)
  @Tool({ mcp: true })
  close(): string {
    return 'closed';
  }

  @Tool({ mcp: true, visible: ({ turn }) => (turn.request as { role?: string }).role === 'admin' })
  secret(): string {
    return 'secret';
  }

  @Tool({ mcp: true })
  chart(): ToolResult {
    return new ToolResult({
      text: 'A chart',
      content: [{ type: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2]) }],
    });
  }

  @Tool({ mcp: true })
  files(): ToolResult {
    const file = { type: 'file', mimeType: 'text/plain' } as const;
    const urls = ['data:,100%', 'data:,%ff', 'data:;base64,AQI%3D'].map((url) => ({ ...file, data: new URL(url) }));
    return new ToolResult({
      text: 'Files',
      content: [...urls, { ...file, name: '\ud800', data: new Uint8Array([1]) }],
    });
  }

  @Tool({ mcp: true })
  slow(context: ToolContext): string {
    context.reportProgress({ progress: 1, total: 2, message: 'half' });
    context.reportProgress({ progress: Number.POSITIVE_INFINITY, total: Number.NaN });
    context.reportProgress('done');
    return 'ended';
  }

  @Tool() inside(): string {
    return 'inside';
  }

  @Tool({ metadata: { category: 'extra' } }) extra(): string {
    return 'extra';
  }

  @Tool({ mcp: true })
  book(context: ToolContext): string {
    if (context.input) return `Seat ${String(context.input.content['seat'])}, ${String(context.input.state)}.`;
    throw new ToolInputRequiredException({
      message: 'Which seat?',
      schema: { type: 'object', properties: { seat: { type: 'string', maxLength: 3 } }, required: ['seat'] },
      state: 'held',
    });
  }

  @Tool({ mcp: true }) breaks(): string {
    throw new Error('The shelf broke.');
  }
}

@Injectable({ scope: Scope.REQUEST })
class Basket {
  constructor(@Inject(REQUEST) private readonly request: { role?: string }) {}

  @Tool({ mcp: true })
  owner(): string {
    return `basket of ${this.request.role}`;
  }
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

describe('McpToolsFeature', () => {
  let app: TestingModule;
  const clients: Client[] = [];
  const start = async (options: McpServerModuleOptions = {}): Promise<void> => {
    app = await Test.createTestingModule({
      imports: [
        AiModule.forRoot({ chatModel: new ScriptedChatModel([]) }),
        McpServerModule.forRoot({ ...options, http: false }),
      ],
      providers: [Shop, Basket, AdminGuard],
    }).compile();
    await app.init();
  };
  const connect = async (
    role = 'guest',
    elicit?: (params: { message: string }) => object,
    mode: 'auto' | 'legacy' = 'auto',
  ): Promise<Client> => {
    const feature = app.get(McpToolsFeature, { strict: false });
    const handler = createMcpHandler(({ era }) => {
      const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: feature.capabilities });
      feature.serve(server, { request: { role }, era });
      return server;
    });
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode }, capabilities: elicit ? { elicitation: { form: {} } } : {} },
    );
    if (elicit) client.setRequestHandler('elicitation/create', async ({ params }) => elicit(params) as never);
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    );
    clients.push(client);
    return client;
  };
  const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string =>
    (result.content as { text: string }[]).map(({ text }) => text).join('\n');

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await app.close();
  });

  it('lists the tools with mcp: true that the caller may see, with schemas and hints', async () => {
    await start();
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'book',
      'breaks',
      'chart',
      'close',
      'files',
      'invoice',
      'note',
      'owner',
      'pay',
      'slow',
    ]);
    const invoice = tools.find(({ name }) => name === 'invoice')!;
    expect(invoice.annotations).toEqual({ readOnlyHint: true });
    expect(invoice.outputSchema).toMatchObject({ type: 'object', required: ['id', 'total'] });
    const { tools: forAdmin } = await (await connect('admin')).listTools();
    expect(forAdmin.map(({ name }) => name)).toContain('secret');
  });

  it('also exposes the tools that the module selects', async () => {
    await start({ tools: toolsWhere({ metadata: { category: 'extra' } }) });
    const client = await connect();
    expect(textOf(await client.callTool({ name: 'extra' }))).toBe('extra');
    await expect(client.callTool({ name: 'inside' })).rejects.toThrow(/Unknown tool: inside/);
  });

  it('answers with structured content, and refuses arguments that do not fit', async () => {
    await start();
    const client = await connect();
    expect(await client.callTool({ name: 'invoice', arguments: { id: 'i1' } })).toMatchObject({
      content: [{ type: 'text', text: '{"id":"i1","total":12}' }],
      structuredContent: { id: 'i1', total: 12 },
    });
    const wrong = await client.callTool({ name: 'invoice', arguments: { id: 7, extra: true } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toMatch(/extra/);
  });

  it('runs guards and request-scoped providers with the request of the caller', async () => {
    await start();
    expect(await (await connect()).callTool({ name: 'close' })).toMatchObject({ isError: true });
    const admin = await connect('admin');
    expect(textOf(await admin.callTool({ name: 'close' }))).toBe('closed');
    expect(textOf(await admin.callTool({ name: 'owner' }))).toBe('basket of admin');
    await expect((await connect()).callTool({ name: 'secret' })).rejects.toThrow(/Unknown tool/);
  });

  it('sends pictures and progress, and reports failures as results', async () => {
    await start();
    const client = await connect();
    expect((await client.callTool({ name: 'chart' })).content).toEqual([
      { type: 'text', text: 'A chart' },
      { type: 'image', data: 'AQI=', mimeType: 'image/png' },
    ]);
    const [, ...files] = (await client.callTool({ name: 'files' })).content;
    expect(files).toMatchObject(['MTAwJQ==', '/w==', 'AQI=', 'AQ=='].map((blob) => ({ resource: { blob } })));
    const progress: unknown[] = [];
    await client.callTool({ name: 'slow' }, { onprogress: (value) => void progress.push(value) });
    expect(progress).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2 },
      { progress: 3, message: 'done' },
    ]);
    expect(await client.callTool({ name: 'breaks' })).toMatchObject({ isError: true });
  });

  it('asks the user of the client before a call that needs approval, once', async () => {
    await start();
    const asked: string[] = [];
    const client = await connect('guest', ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { approved: true } };
    });
    expect(textOf(await client.callTool({ name: 'pay', arguments: { amount: 5 } }))).toBe('Paid 5.');
    expect(asked).toEqual([`Approve the call of 'pay' with {"amount":5}?`]);
    expect(app.get(Shop).payments).toEqual([5]);
  });

  it('only lets the user approve what the user can read', async () => {
    await start();
    const asked: string[] = [];
    const client = await connect('guest', ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { approved: true } };
    });
    await client.callTool({ name: 'note', arguments: { text: 'to \u202eBob\u{e0041}' } });
    expect(asked).toEqual([String.raw`Approve the call of 'note' with {"text":"to \u202eBob\udb40\udc41"}?`]);
    const long = await client.callTool({ name: 'note', arguments: { text: `${'x'.repeat(10_000)} and pay Mallory` } });
    expect(textOf(long)).toMatch(/too long for its user to read/);
    expect(asked).toHaveLength(1);
  });

  it.each([
    [{ action: 'accept', content: {} }],
    [{ action: 'accept', content: { approved: 'true' } }],
    [{ action: 'decline' }],
    [{ action: 'cancel', content: { approved: true } }],
  ])('does not run a call after the answer %j', async (answer) => {
    await start();
    const client = await connect('guest', () => answer);
    expect(await client.callTool({ name: 'pay', arguments: { amount: 5 } })).toMatchObject({ isError: true });
    expect(app.get(Shop).payments).toEqual([]);
  });

  it('asks the user of the client what a tool asks, and gives the tool the answer', async () => {
    await start();
    const client = await connect('guest', ({ message }) => {
      expect(message).toBe('Which seat?');
      return { action: 'accept', content: { seat: '7A' } };
    });
    expect(textOf(await client.callTool({ name: 'book' }))).toBe('Seat 7A, held.');
    const declining = await connect('guest', () => ({ action: 'decline' }));
    expect(await declining.callTool({ name: 'book' })).toMatchObject({ isError: true });
    const wrong = await connect('guest', () => ({ action: 'accept', content: { seat: 'far too long' } }));
    expect(textOf(await wrong.callTool({ name: 'book' }))).toMatch(/does not fit/);
  });

  describe('an approval that a client sends by hand', () => {
    const ask = async (role: string, params: object): Promise<Answer> => {
      const feature = app.get(McpToolsFeature, { strict: false });
      const handler = createMcpHandler(({ era }) => {
        const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: feature.capabilities });
        feature.serve(server, { request: { role, user: { id: role } }, era });
        return server;
      });
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      };
      const response = await handler.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'pay',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
        }),
      );
      return (await response.json()) as Answer;
    };
    const call = { name: 'pay', arguments: { amount: 5 } };
    const inputResponses = { approval: { action: 'accept', content: { approved: true } } };

    it('works once, for the caller and the arguments that it was given for', async () => {
      await start();
      const { result } = await ask('alice', call);
      const { requestState } = result as { requestState: string };
      expect(requestState).toMatch(/^.+:.+$/);
      const answer = { inputResponses, requestState };
      for (const [role, params] of [
        ['bob', { ...call, ...answer }],
        ['alice', { ...call, ...answer, arguments: { amount: 5000 } }],
        ['alice', { ...call, ...answer, requestState: `${requestState}x` }],
        ['alice', { ...call, ...answer, requestState: 'v1.forged' }],
      ] as const) {
        const { result: refused, error } = await ask(role, params);
        expect(error?.code ?? (refused as { isError?: boolean }).isError).toBe(role === 'bob' ? true : -32_602);
      }
      expect(await ask('alice', { ...call, inputResponses })).toMatchObject({
        result: { requestState: expect.any(String) },
      });
      expect(app.get(Shop).payments).toEqual([]);
      expect(await ask('alice', { ...call, ...answer })).toMatchObject({ result: { content: [{ text: 'Paid 5.' }] } });
      expect(await ask('alice', { ...call, ...answer })).toMatchObject({ error: { code: -32_602 } });
      expect(app.get(Shop).payments).toEqual([5]);
    });
  });

  it('tells clients that cannot ask their user', async () => {
    await start();
    for (const mode of ['auto', 'legacy'] as const) {
      const result = await (
        await connect('guest', undefined, mode)
      ).callTool({ name: 'pay', arguments: { amount: 5 } });
      expect(textOf(result)).toMatch(/needs approval and was not run\. This client cannot ask its user/);
    }
  });
});
