import { describe, expect, test } from '@jest/globals';
import { Controller, Get, Injectable } from '@nestjs/common';
import { AiEvents, ChatClient, ContentRedactor, Tool, ToolResult, toSse } from '@nestor-ai/core';
import { toUIMessageStreamResponse } from '@nestor-ai/ui';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { startApplication } from '../nest/application.js';
import { aboutTools, ChatController, openPage, says } from './browser.js';

const SECRET = 'auth failed for postgres://app:pw@db.internal/orders';

@Injectable()
class Orders {
  @Tool()
  find(id: number): never {
    throw new Error(`${SECRET}, order ${id}`);
  }

  @Tool()
  list(): ToolResult {
    return new ToolResult({ text: SECRET, isError: true });
  }

  @Tool({ needsApproval: true })
  refund(id: number): string {
    return `refunded ${id}`;
  }

  @Tool({ ui: 'result' })
  pay(card: string): string {
    throw new Error(`${card} has expired`);
  }
}

const FAILING: ScriptEntry[] = [
  {
    toolCalls: [
      toolCall('find', { id: 7 }, 'thrown'),
      toolCall('list', {}, 'returned'),
      toolCall('find', { id: SECRET }, 'refused'),
      toolCall('fnd', {}, 'unknown'),
    ],
  },
  'Sorry.',
];
const providers = [Orders];

describe('A browser does not read why a tool has failed', () => {
  test('in the stream of useChat(); the model does', async () => {
    const page = await openPage({ providers }, FAILING);

    const chunks = await page.read([says('Find order 7')]);

    const errors = aboutTools(chunks).filter(({ type }) => type === 'tool-output-error');
    expect(new Map(errors.map(({ toolCallId, errorText }) => [toolCallId, errorText]))).toEqual(
      new Map(['thrown', 'returned', 'refused', 'unknown'].map((id) => [id, 'The tool has failed.'])),
    );
    expect(JSON.stringify(page.model.lastPrompt!.messages)).toContain(`${SECRET}, order 7`);
  });

  test('in server-sent events', async () => {
    const page = await openPage({ providers }, FAILING);

    const events = await page.read([says('Find order 7')], 'sse');

    const errors = events.filter(({ type }) => type === 'tool-error');
    expect(errors.map(({ response }) => (response as { responseData: string }).responseData)).toEqual(
      Array.from({ length: 4 }, () => 'The tool has failed.'),
    );
    expect(JSON.stringify(errors)).not.toContain('order 7');
  });

  test('nor why somebody has denied a call', async () => {
    @Controller()
    class Deciding {
      constructor(private readonly chatClient: ChatClient) {}
      @Get('denied')
      async denied() {
        const events: unknown[] = [];
        const asked = await this.chatClient.prompt('Refund').call().chatResponse();
        const turnId = asked?.metadata['turnId'] as string;
        const approvals = [{ toolCallId: 'a', approved: false, reason: 'The customer is on our fraud list' }];
        await toSse(this.chatClient.prompt().toolApprovals(approvals, { turnId }).stream().events()).forEach(
          (event) => {
            events.push(event.data);
          },
        );
        return events;
      }
    }
    const page = await openPage({ providers, controllers: [Deciding] }, [
      { toolCalls: [toolCall('refund', { id: 7 }, 'a')] },
      'As you wish.',
    ]);
    const body = await (await fetch(`${await page.app.getUrl()}/denied`)).text();
    expect(body).toContain('The call was not allowed.');
    expect(body).not.toContain('fraud');
  });

  test('nor in events of the application that a ContentRedactor has read', async () => {
    const redactor = { provide: ContentRedactor, useValue: { redact: (text: string) => text } };
    const script = [{ toolCalls: [toolCall('refund', { id: 7 }, 'a')] }, 'As you wish.'];
    const { app, client } = await startApplication({ providers }, script, { providers: [redactor] });
    const told: unknown[] = [];
    toSse(app.get(AiEvents)).subscribe(({ data }) => told.push(data));
    const turnId = (await client.prompt('Refund').call().chatResponse())?.metadata['turnId'] as string;
    const denied = { toolCallId: 'a', approved: false, reason: 'The customer is on our fraud list' };
    await client.prompt().toolApprovals([denied], { turnId }).call().content();
    expect(JSON.stringify(told)).toContain('The call was not allowed.');
    expect(JSON.stringify(told)).not.toContain('fraud');
  });
});

describe('Where an application shows the texts of errors', () => {
  test('ai.ui.errors=message says it for all streams', async () => {
    const ai = { properties: { ui: { errors: 'message' as const } } };
    const page = await openPage({ providers }, [...FAILING, ...FAILING], ai);

    expect(JSON.stringify(await page.read([says('Find order 7')]))).toContain(`${SECRET}, order 7`);
    expect(JSON.stringify(await page.read([says('Find order 7')], 'sse'))).toContain(`${SECRET}, order 7`);
  });

  test('an option says it for one stream, and wins', async () => {
    @Controller()
    class BackOffice {
      constructor(private readonly chatClient: ChatClient) {}
      @Get('shown')
      shown(): Response {
        return toUIMessageStreamResponse(this.chatClient.prompt('Go').stream().events(), { errors: 'message' });
      }
      @Get('masked')
      masked(): Response {
        return toUIMessageStreamResponse(this.chatClient.prompt('Go').stream().events(), { errors: 'masked' });
      }
    }
    const script = [...FAILING, ...FAILING];
    const text = async (path: string, ai = {}): Promise<string> => {
      const page = await openPage({ providers, controllers: [BackOffice] }, script, ai);
      return (await fetch(`${await page.app.getUrl()}/${path}`)).text();
    };
    expect(await text('shown')).toContain(`${SECRET}, order 7`);
    expect(await text('masked', { properties: { ui: { errors: 'message' } } })).not.toContain(`${SECRET}, order 7`);
  });

  test('not those of a tool that hides anything: they often have the arguments', async () => {
    const ai = { properties: { ui: { errors: 'message' as const } } };
    const page = await openPage({ providers }, [{ toolCalls: [toolCall('pay', { card: '4111' })] }, 'Sorry.'], ai);

    expect(JSON.stringify(await page.read([says('Pay')]))).not.toContain('4111');
  });
});

test('A client that was made without AiModule masks errors as well', async () => {
  @Controller()
  class Standalone {
    @Get('standalone')
    answer(): Response {
      const client = ChatClient.builder(page.model).defaultTools(new Orders()).build();
      return toUIMessageStreamResponse(client.prompt('Go').stream().events());
    }
  }
  const page = await openPage({ controllers: [Standalone, ChatController] }, FAILING);
  const body = await (await fetch(`${await page.app.getUrl()}/standalone`)).text();
  expect(body).toContain('The tool has failed.');
  expect(body).not.toContain('order 7');
});
