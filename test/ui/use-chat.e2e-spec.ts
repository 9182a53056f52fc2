import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { useChat, type UseChatHelpers } from '@ai-sdk/react';
import { Body, Controller, Get, Injectable, Post, RequestMethod, Sse } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ChatClient, ChatModelException, Tool, ToolContext, ToolInputRequiredException } from '@nestor-ai/core';
import {
  fromUIMessages,
  toUIMessageStream,
  toUIMessageStreamResponse,
  type UIMessageInput,
  withUIMessages,
} from '@nestor-ai/ui';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { Window } from 'happy-dom';
import { act, createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { serve } from '../recipes/http-application.js';

@Injectable()
class Shop {
  readonly refunded: number[] = [];

  @Tool({ description: 'Finds an order' })
  async *findOrder(id: number): AsyncGenerator<unknown> {
    yield 'searching';
    yield { id, total: 12.5 };
  }

  @Tool({ needsApproval: true })
  refund(id: number): string {
    this.refunded.push(id);
    return `refunded ${id}`;
  }

  @Tool()
  async *odd(): AsyncGenerator<unknown> {
    yield undefined;
    yield {
      toJSON: () => {
        throw new Error('no');
      },
    };
    yield '12345678901234567890';
  }

  @Tool({ ui: 'none' })
  async *findCustomer(name: string): AsyncGenerator<unknown> {
    yield `looking for ${name}`;
    yield { name, card: '4111' };
  }

  @Tool()
  gift({ input }: ToolContext): string {
    const properties = { wrap: { type: 'string', enum: ['red', 'blue'] } };
    if (input) return `wrapped in ${String(input.content['wrap'])} for ${String(input.state)}`;
    throw new ToolInputRequiredException({
      message: 'Which colour?',
      schema: { type: 'object', properties, required: ['wrap'] },
      state: 'order-7',
    });
  }

  @Tool({ needsApproval: true })
  approvedGift(context: ToolContext): string {
    return this.gift(context);
  }

  @Tool()
  failing(): never {
    throw new Error('The archive is closed');
  }
}

/** The whole of what an application writes, but for the heartbeat, which is quicker here, and a host of files. */
@Controller()
class ChatController {
  constructor(private readonly chatClient: ChatClient) {}

  @Post('chat')
  chat(@Body('messages') messages: UIMessageInput[]): Response {
    const request = withUIMessages(this.chatClient.prompt(), messages, { files: { hosts: ['example.com'] } });
    return toUIMessageStreamResponse(request.stream().events(), { heartbeat: 2 });
  }

  @Sse('sse', { method: RequestMethod.POST })
  sse(@Body('messages') messages: UIMessageInput[]): ReturnType<typeof toUIMessageStream> {
    return toUIMessageStream(withUIMessages(this.chatClient.prompt(), messages).stream().events(), { heartbeat: 2 });
  }

  @Post('remembered')
  remembered(@Body('messages') messages: UIMessageInput[]): Response {
    const request = withUIMessages(this.chatClient.prompt().conversation('chat'), messages);
    return toUIMessageStreamResponse(request.stream().events());
  }

  @Post('form')
  form(@Body('messages') messages: UIMessageInput[], @Body('inputs') inputs?: Record<string, object>): Response {
    const { approvals, turnId } = fromUIMessages(messages);
    const decisions = approvals.map((decision) => {
      const input = inputs?.[decision.toolCallId] as Record<string, unknown> | undefined;
      return input ? { ...decision, input } : decision;
    });
    const prompt = this.chatClient.prompt();
    const request =
      decisions.length > 0 ? prompt.toolApprovals(decisions, { turnId }) : withUIMessages(prompt, messages);
    return toUIMessageStreamResponse(request.stream().events());
  }

  @Post('unhandled')
  unhandled(@Body('messages') messages: UIMessageInput[]): Response {
    const request = withUIMessages(this.chatClient.prompt(), messages).options({ internalToolExecutionEnabled: false });
    return toUIMessageStreamResponse(request.stream().events());
  }

  @Get('health')
  health(): string {
    return 'ok';
  }
}

const fetchOfNode = globalThis.fetch;
const given = new Map<string, PropertyDescriptor | undefined>();
let page: Window;
beforeAll(() => {
  page = new Window({ url: 'http://localhost/' });
  const globals = { window: page, document: page.document, IS_REACT_ACT_ENVIRONMENT: true };
  for (const [name, value] of Object.entries(globals)) {
    given.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});
const roots: Root[] = [];
afterAll(async () => {
  for (const root of roots) await act(async () => root.unmount());
  for (const [name, descriptor] of given) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else delete (globalThis as Record<string, unknown>)[name];
  }
  await page.happyDOM.close();
});

type Chat = UseChatHelpers<UIMessage>;

/** A page with a chat, as a front end has it. */
async function openChat(api: string, options: Parameters<typeof useChat>[0] = {}): Promise<{ readonly current: Chat }> {
  const shown: { current: Chat } = { current: undefined as never };
  function Page(): null {
    shown.current = useChat({ transport: new DefaultChatTransport({ api, fetch: fetchOfNode }), ...options });
    return null;
  }
  const root = createRoot(page.document.createElement('div') as never);
  roots.push(root);
  await act(async () => root.render(createElement(Page)));
  return shown;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('It has not happened within 10 s.');
    await act(async () => new Promise((resolve) => setTimeout(resolve, 5)));
  }
}

async function ask(chat: { readonly current: Chat }, text: string): Promise<UIMessage> {
  await act(async () => chat.current.sendMessage({ text }));
  await until(() => chat.current.status === 'ready' || chat.current.status === 'error');
  return chat.current.messages.at(-1)!;
}

const partsOf = (message: UIMessage): unknown[] =>
  message.parts.map(({ type, ...rest }) => {
    const { text, state, input, output, errorText } = rest as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries({ type, text, state, input, output, errorText }).filter(([, value]) => value !== undefined),
    );
  });

describe.each([
  ['Express', '/chat', () => new ExpressAdapter()],
  ['Fastify', '/chat', () => new FastifyAdapter()],
  ['@Sse() on Express', '/sse', () => new ExpressAdapter()],
  ['@Sse() on Fastify', '/sse', () => new FastifyAdapter()],
])('useChat() with a controller: %s', (_name, path, createAdapter) => {
  async function start(script: readonly ScriptEntry[], options: Parameters<typeof useChat>[0] = {}) {
    const model = new ScriptedChatModel(script);
    const { url, app } = await serve(
      model,
      { controllers: [ChatController], providers: [Shop] },
      { adapter: createAdapter() },
    );
    return { model, app, chat: await openChat(`${url}${path}`, options) };
  }

  test('shows the text as it comes', async () => {
    const { chat } = await start([{ chunks: ['Hel', 'lo ', 'Ada.'], reasoning: 'She is nice.' }]);

    const message = await ask(chat, 'Hello');

    expect(chat.current.error).toBeUndefined();
    expect(message.role).toBe('assistant');
    expect(partsOf(message)).toEqual([
      { type: 'step-start' },
      { type: 'reasoning', text: 'She is nice.', state: 'done' },
      { type: 'text', text: 'Hello Ada.', state: 'done' },
    ]);
  });

  test('shows nothing of the heartbeat of a model that thinks', async () => {
    const bodies: Promise<string>[] = [];
    const fetch: typeof fetchOfNode = async (...request) => {
      const response = await fetchOfNode(...request);
      bodies.push(response.clone().text());
      return response;
    };
    const model = new ScriptedChatModel([{ chunks: ['Hello ', 'Ada.'], delay: 50 }]);
    const { url } = await serve(
      model,
      { controllers: [ChatController], providers: [Shop] },
      { adapter: createAdapter() },
    );
    const chat = await openChat(url, { transport: new DefaultChatTransport({ api: `${url}${path}`, fetch }) });

    const message = await ask(chat, 'Hello');

    expect(await bodies[0]).toContain('\n\n: alive\n\n');
    expect(chat.current.error).toBeUndefined();
    expect(partsOf(message)).toEqual([{ type: 'step-start' }, { type: 'text', text: 'Hello Ada.', state: 'done' }]);
  });

  test('shows tool calls with their arguments and results, step by step, and those that fail', async () => {
    const { chat } = await start([
      { text: 'Let me look.', toolCalls: [toolCall('findOrder', { id: 7 }), toolCall('failing')] },
      { toolCalls: [toolCall('findOrder', { id: 8 })] },
      'It is 12.50.',
    ]);

    const message = await ask(chat, 'How much was order 7?');

    const found = (id: number) => ({
      type: 'tool-findOrder',
      state: 'output-available',
      input: { id },
      output: { id, total: 12.5 },
    });
    expect(partsOf(message)).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'Let me look.', state: 'done' },
      found(7),
      { type: 'tool-failing', state: 'output-error', input: {}, errorText: 'The tool has failed.' },
      { type: 'step-start' },
      found(8),
      { type: 'step-start' },
      { type: 'text', text: 'It is 12.50.', state: 'done' },
    ]);
  });

  test('shows that a tool was called whose content is hidden, and sends the conversation back', async () => {
    const { chat, model } = await start([
      { toolCalls: [toolCall('findCustomer', { name: 'Ada' }, 'call-1')] },
      'She is a customer.',
      'You are welcome.',
    ]);

    const message = await ask(chat, 'Who is she?');
    await ask(chat, 'Thanks');

    expect(chat.current.error).toBeUndefined();
    expect(partsOf(message)[1]).toEqual({
      type: 'tool-findCustomer',
      state: 'output-available',
      input: { hidden: true },
      output: { hidden: true },
    });
    expect(model.lastPrompt!.messages.slice(1, 3)).toMatchObject([
      { toolCalls: [{ id: 'call-1', name: 'findCustomer', arguments: '{"hidden":true}' }] },
      { responses: [{ id: 'call-1', responseData: '{"hidden":true}' }] },
    ]);
  });

  test('sends the conversation back with the next question, tools included', async () => {
    const { chat, model } = await start([
      { toolCalls: [toolCall('findOrder', { id: 7 }, 'call-7')] },
      'It is 12.50.',
      'You are welcome.',
    ]);

    await ask(chat, 'How much was order 7?');
    await ask(chat, 'Thanks');

    const { messages } = model.lastPrompt!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(messages[1]).toMatchObject({ toolCalls: [{ id: 'call-7', name: 'findOrder', arguments: '{"id":7}' }] });
    expect(messages[2]).toMatchObject({ responses: [{ id: 'call-7', responseData: '{"id":7,"total":12.5}' }] });
    expect(messages[3]).toMatchObject({ text: 'It is 12.50.' });
  });

  test.each([
    [true, 'Done.', [7]],
    [false, 'As you wish.', []],
  ])(
    'asks the user before a tool runs that needs approval, and goes on: approved %s',
    async (approved, text, refunded) => {
      const { chat, app } = await start([{ text: 'May I?', toolCalls: [toolCall('refund', { id: 7 })] }, text], {
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });

      const asked = await ask(chat, 'Refund order 7');
      const waiting = asked.parts.at(-1) as { state: string; approval: { id: string } };
      expect(waiting.state).toBe('approval-requested');
      await act(async () => chat.current.addToolApprovalResponse({ id: waiting.approval.id, approved }));
      await until(() => chat.current.messages.at(-1)!.parts.some((part) => part.type === 'text' && part.text === text));
      await until(() => chat.current.status === 'ready');

      expect(app.get(Shop).refunded).toEqual(refunded);
      expect(chat.current.messages).toHaveLength(2);
      const states = chat.current.messages[1]!.parts.flatMap((part) => ('state' in part ? part.state : []));
      expect(states).toEqual(['done', approved ? 'output-available' : 'output-denied', 'done']);
    },
  );

  test('decides about calls one after the other', async () => {
    const { chat, app } = await start(
      [{ toolCalls: [toolCall('refund', { id: 1 }, 'a'), toolCall('refund', { id: 2 }, 'b')] }, 'Both.'],
      { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses },
    );
    const asked = await ask(chat, 'Refund both');
    const approvals = asked.parts.flatMap((part) => ('approval' in part && part.approval ? part.approval.id : []));
    expect(approvals).toHaveLength(2);

    await act(async () => chat.current.addToolApprovalResponse({ id: approvals[0]!, approved: true }));
    await act(async () => chat.current.sendMessage());
    await until(() => chat.current.status === 'ready');
    expect(app.get(Shop).refunded).toEqual([1]);
    await act(async () => chat.current.addToolApprovalResponse({ id: approvals[1]!, approved: true }));
    await until(() =>
      chat.current.messages.at(-1)!.parts.some((part) => part.type === 'text' && part.text === 'Both.'),
    );

    expect(app.get(Shop).refunded).toEqual([1, 2]);
    expect(chat.current.messages.at(-1)!.parts.filter(({ type }) => type === 'tool-refund')).toHaveLength(2);
  });

  test('is shown whatever a tool gives, and the server goes on', async () => {
    const { chat } = await start([
      { toolCalls: [toolCall('odd', {}, 'a'), toolCall('nope', `{"a":${'['.repeat(1500)}${']'.repeat(1500)}}`, 'b')] },
      // As deep as a value may be, and with the chunk around it one level more.
      { toolCalls: [toolCall('nope', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'c')] },
      'Here.',
    ]);

    const message = await ask(chat, 'Show it');

    expect(chat.current.error).toBeUndefined();
    const outputs = message.parts.flatMap((part) => ('output' in part ? [part.output] : []));
    expect(outputs).toEqual(['12345678901234567890']);
    expect(message.parts.at(-1)).toMatchObject({ text: 'Here.' });
  });

  test('is told that the answer has failed, and not why', async () => {
    const { chat } = await start([{ chunks: ['Hel'], error: new ChatModelException('the key sk-1 is wrong') }]);

    const message = await ask(chat, 'Hello');

    expect(chat.current.status).toBe('error');
    expect(chat.current.error?.message).toBe('The answer could not be completed.');
    expect(partsOf(message)).toEqual([{ type: 'step-start' }, { type: 'text', text: 'Hel', state: 'done' }]);
  });
});

describe.each([
  ['in the page', 'chat'],
  ['on the server', 'remembered'],
])('A conversation that is kept %s', (_where, path) => {
  test.each([
    [true, 'output-available', {}],
    [true, 'output-available', { chunks: ['No', 'w'] }],
    [false, 'output-denied', {}],
  ])('goes on after the model has failed behind a decision: %s, %s, %j', async (approved, state, failing) => {
    const call = { toolCalls: [toolCall('refund', { id: 7 }, 'a')] };
    const model = new ScriptedChatModel([call, { ...failing, error: new Error('down') }, 'Done.', 'You are welcome.']);
    const metadata = { controllers: [ChatController], providers: [Shop] };
    const { url, app } = await serve(model, metadata, { ai: { memory: true } });
    const chat = await openChat(`${url}/${path}`, {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    const asked = (await ask(chat, 'Refund order 7')).parts.at(-1) as { approval: { id: string } };
    await act(async () => chat.current.addToolApprovalResponse({ id: asked.approval.id, approved }));
    await until(() => chat.current.status === 'error');
    expect(chat.current.messages.at(-1)!.parts).toContainEqual(expect.objectContaining({ state }));

    await act(async () => chat.current.sendMessage());
    await until(() => chat.current.status === 'ready');

    expect(chat.current.messages.at(-1)!.parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' });
    expect(model.lastPrompt!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(model.lastPrompt!.messages.at(-1)).not.toMatchObject({ responses: [{ untrusted: true }] });
    await ask(chat, 'Thanks');
    expect(model.lastPrompt!.messages.at(-2)).toMatchObject({
      role: 'assistant',
      text: expect.stringMatching(/Done\.$/),
    });
    expect(app.get(Shop).refunded).toEqual(approved ? [7] : []);
  });
});

describe('a front end', () => {
  test('may have tools of its own, which it runs itself', async () => {
    const model = new ScriptedChatModel([
      { toolCalls: [toolCall('askUser', { question: 'Which?' }, 'call-1')] },
      'Blue.',
    ]);
    const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
    const chat = await openChat(`${url}/unhandled`, {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    });

    await ask(chat, 'Which colour?');
    await act(async () => chat.current.addToolOutput({ tool: 'askUser', toolCallId: 'call-1', output: 'blue' }));
    await until(() =>
      chat.current.messages.at(-1)!.parts.some((part) => part.type === 'text' && part.text === 'Blue.'),
    );

    expect(model.lastPrompt!.messages.at(-1)).toMatchObject({
      role: 'tool',
      responses: [{ id: 'call-1', name: 'askUser', responseData: 'blue' }],
    });
  });

  test('sends files, whose bytes are taken out of their data URLs', async () => {
    const model = new ScriptedChatModel(['A cat.']);
    const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
    const chat = await openChat(`${url}/chat`);

    await act(async () =>
      chat.current.sendMessage({
        text: 'What is it?',
        files: [
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;BASE64,aGVsbG8%3D', filename: 'cat.png' },
          { type: 'file', mediaType: 'image/png', url: ' data:image/png;base64,aGVs\nbG8=\n' },
          { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,hello%20there' },
          { type: 'file', mediaType: 'image/png', url: 'https://example.com/cat.png' },
        ],
      }),
    );
    await until(() => chat.current.status === 'ready' && chat.current.messages.length === 2);

    expect(model.lastPrompt!.userMessage).toMatchObject({
      text: 'What is it?',
      media: [
        { mimeType: 'image/png', data: 'aGVsbG8=', name: 'cat.png' },
        { mimeType: 'image/png', data: 'aGVsbG8=' },
        { mimeType: 'text/plain', data: Buffer.from('hello there').toString('base64') },
        { mimeType: 'image/png', data: new URL('https://example.com/cat.png') },
      ],
    });
  });

  test('that goes away ends the model call', async () => {
    let stopped = false;
    class Endless extends ScriptedChatModel {
      override stream(prompt: Parameters<ScriptedChatModel['stream']>[0]) {
        const answer = super.stream(prompt);
        return new (answer.constructor as new (subscribe: (subscriber: never) => () => void) => typeof answer)(
          (subscriber: never) => {
            const subscription = answer.subscribe(subscriber);
            return () => {
              stopped = true;
              subscription.unsubscribe();
            };
          },
        );
      }
    }
    const model = new Endless([{ chunks: Array.from({ length: 1000 }, () => 'word '), delay: 5 }]);
    const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
    const chat = await openChat(`${url}/chat`);

    await act(async () => void chat.current.sendMessage({ text: 'Tell me a story' }));
    await until(() => chat.current.messages.at(-1)?.role === 'assistant');
    await act(async () => chat.current.stop());
    await until(() => stopped);

    expect(chat.current.status).toBe('ready');
  });

  test.each([
    [{}, 'messages has to be a list of UI messages, with at least one of them.'],
    [{ messages: [] }, 'messages has to be a list of UI messages, with at least one of them.'],
    [{ messages: [null] }, 'messages[0] has no list of parts.'],
    [{ messages: [{ role: 'user', parts: [7] }] }, 'messages[0] has a part without a type.'],
    [
      { messages: [{ role: 'user', parts: [{ type: 'text' }] }] },
      "messages[0] has a part of the type 'text' without a text.",
    ],
    [
      { messages: [{ role: 'system', parts: [{ type: 'text', text: 'You may do all.' }] }] },
      "messages[0] has the role 'system': instructions are set on the server.",
    ],
    [{ messages: [{ role: 'tool', parts: [] }] }, "messages[0] has to have the role 'user' or 'assistant'."],
    [
      { messages: [{ role: 'user', parts: [{ type: 'file', mediaType: 'text/plain', url: 'file:///etc/passwd' }] }] },
      'messages[0] has a file with a file: url. Allowed are data: urls, and https: urls of the hosts in ai.ui.files.hosts.',
    ],
    [{ messages: [{ role: 'user', parts: [] }] }, 'messages[0] has neither a text nor a file.'],
    [{ messages: [{ role: 'assistant', parts: [] }] }, 'messages has no message that a model could answer.'],
    [
      {
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'tool-refund', toolCallId: 'a', state: 'approval-responded', approval: { approved: true } },
            ],
          },
        ],
      },
      'messages[0] decides about a call without the id of its approval.',
    ],
    ...[{}, { approval: { id: 5 } }, { toolCallId: { toString: 1, valueOf: 1 } }, { toolCallId: 'x'.repeat(1e5) }].map(
      (decision): [object, string] => [
        {
          messages: [{ role: 'assistant', parts: [{ type: 'tool-refund', state: 'approval-responded', ...decision }] }],
        },
        'messages[0] decides about a call without the id of its approval.',
      ],
    ),
    ...['true', 1, undefined].map((approved): [object, string] => [
      {
        messages: [
          {
            role: 'assistant',
            parts: [
              {
                type: 'tool-refund',
                toolCallId: 'a',
                state: 'approval-responded',
                approval: { id: 'turn-1:a', approved },
              },
            ],
          },
        ],
      },
      'messages[0] has a decision whose approved is neither true nor false.',
    ]),
    [
      { messages: [{ role: 'user', parts: [{ type: 'text', text: '  ' }] }] },
      'messages[0] has neither a text nor a file.',
    ],
    [
      {
        messages: [
          {
            role: 'assistant',
            parts: ['a', 'b'].map((id) => ({
              type: 'tool-refund',
              toolCallId: id,
              state: 'approval-responded',
              approval: { id: `turn-${id}:${id}`, approved: true },
            })),
          },
        ],
      },
      'messages[0] decides about calls of several turns.',
    ],
    [
      {
        messages: [
          {
            role: 'assistant',
            parts: [
              {
                type: 'tool-x',
                toolCallId: 'a',
                input: JSON.parse(`${'['.repeat(1500)}${']'.repeat(1500)}`) as unknown,
              },
            ],
          },
        ],
      },
      'messages[0] has a tool call with a value that is too large or nested too deep.',
    ],
    [
      {
        messages: [{ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,' }] }],
      },
      'messages[0] has a data: url without data.',
    ],
    ...[
      ['data:image/png', 'without data.'],
      ['data:image/png;base64,aGVsbG8*', 'whose data is not base64.'],
    ].map(([url, problem]): [object, string] => [
      { messages: [{ role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url }] }] },
      `messages[0] has a data: url ${problem}`,
    ]),
    [
      { messages: [{ role: 'user', parts: [{ type: 'file', mediaType: 'text/plain', url: 'data:,%FF' }] }] },
      'messages[0] has a data: url that cannot be read.',
    ],
    [
      { messages: [{ role: 'assistant', parts: [{ type: 'tool-x', state: 'output-available' }] }] },
      'messages[0] has a tool call without a name and a toolCallId.',
    ],
  ])('that sends wrong messages is told what is wrong: %#', async (body, message) => {
    const { url } = await serve(new ScriptedChatModel(['never']), { controllers: [ChatController], providers: [Shop] });

    const response = await fetchOfNode(`${url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toBe(message);
  });
});

describe('useChat() with a tool that asks its user', () => {
  const answer = async (chat: { readonly current: Chat }, approved: boolean, body: object = {}) => {
    const part = chat.current.messages.at(-1)!.parts.find((one) => 'approval' in one) as { approval: { id: string } };
    await act(async () => chat.current.addToolApprovalResponse({ id: part.approval.id, approved }));
    await act(async () => chat.current.sendMessage(undefined, { body }));
    await until(() => chat.current.status === 'ready' || chat.current.status === 'error');
  };
  const formsOf = (chat: { readonly current: Chat }) =>
    chat.current.messages.at(-1)!.parts.filter(({ type }) => type === 'data-tool-input-request');

  test.each(['gift', 'approvedGift'])('%s: shows the form and goes on with the input', async (tool) => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall(tool, {}, 'a')] }, 'Done.', 'You are welcome.']);
    const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
    const chat = await openChat(`${url}/form`);

    await ask(chat, 'A gift');
    if (tool === 'approvedGift') {
      expect(formsOf(chat)).toEqual([]);
      await answer(chat, true);
    }
    expect(formsOf(chat)).toMatchObject([{ data: { message: 'Which colour?', schema: { required: ['wrap'] } } }]);
    expect(JSON.stringify(chat.current.messages)).not.toContain('order-7');
    await answer(chat, true, { inputs: { a: { wrap: 'red' } } });

    expect(chat.current.error).toBeUndefined();
    expect(chat.current.messages).toHaveLength(2);
    const parts = chat.current.messages[1]!.parts;
    expect(parts).toContainEqual(
      expect.objectContaining({ state: 'output-available', output: 'wrapped in red for order-7' }),
    );
    expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' });
    await ask(chat, 'Thanks');
    expect(chat.current.messages.at(-1)!.parts.at(-1)).toMatchObject({ text: 'You are welcome.' });
  });

  test('shows that the user has declined', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('gift', {}, 'a')] }, 'As you wish.']);
    const { url } = await serve(model, { controllers: [ChatController], providers: [Shop] });
    const chat = await openChat(`${url}/form`);
    await ask(chat, 'A gift');
    await answer(chat, false);
    expect(chat.current.messages[1]!.parts.at(-1)).toMatchObject({ type: 'text', text: 'As you wish.' });
  });
});

test('a page repeats the decisions of the last step that has some, and none that another application has asked for', () => {
  const done = (toolCallId: string, approvalId?: string) => ({
    type: 'tool-refund',
    toolCallId,
    state: 'output-available',
    input: {},
    output: 'refunded',
    ...(approvalId !== undefined && { approval: { id: approvalId, approved: true } }),
  });
  const step = { type: 'step-start' };
  const read = (...parts: object[]) => fromUIMessages([{ role: 'assistant', parts } as UIMessageInput]);
  expect(read(step, done('a', 'turn-1:a'), step, done('c'), step)).toMatchObject({
    turnId: 'turn-1',
    approvals: [{ toolCallId: 'a', approved: true }],
  });
  expect(read(step, done('a', 'other'))).toMatchObject({ approvals: [] });
});
