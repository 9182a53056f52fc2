import { afterEach, describe, expect, test } from '@jest/globals';
import { Chat } from '@ai-sdk/react';
import { ChatClient, ChatMemory, ConversationLog, MessageChatMemoryAdvisor, ToolCallingAdvisor } from '@nestor-ai/core';
import { toUIMessages } from '@nestor-ai/ui';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { type Replica, type ReplicaOptions, startReplica } from '../turns/streaming-replica.js';
import { until } from '../until.js';

const replicas: Replica[] = [];

afterEach(async () => {
  for (const { app } of replicas.splice(0)) await app.close();
});

async function start(options?: ReplicaOptions): Promise<Replica> {
  const replica = await startReplica(options);
  replicas.push(replica);
  return replica;
}

/** A page that was loaded again. It has the messages that the server has stored. */
function reloadedPage({ url }: Replica, id: string, user = 'ann'): Chat<UIMessage> {
  const messages: UIMessage[] = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Look' }] }];
  const transport = new DefaultChatTransport({ api: `${url}/turns/conversations`, headers: { 'x-user': user } });
  return new Chat({ id, messages, transport });
}

/** A page that sends its messages to a controller, which queues them. */
function openPage({ url }: Replica, id: string, send: typeof fetch = fetch): Chat<UIMessage> {
  const transport = new DefaultChatTransport({
    fetch: send,
    api: `${url}/ui-chat`,
    headers: { 'x-user': 'ann' },
    prepareReconnectToStreamRequest: ({ id }) => ({ api: `${url}/turns/conversations/${id}/stream` }),
  });
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;
  return new Chat({ id, transport, sendAutomaticallyWhen });
}

const partsOf = (chat: Chat<UIMessage>): unknown[][] =>
  chat.messages.at(-1)!.parts.map((part) => {
    const { type, text, state } = part as { type: string; text?: string; state?: string };
    return [type, text ?? state ?? null];
  });

describe('useChat() after the page was loaded again', () => {
  test('shows the answer so far, and goes on', async () => {
    const replica = await start();
    await replica.ask('chat-1');
    const chat = reloadedPage(replica, 'chat-1');
    const resuming = chat.resumeStream();
    await until(() => chat.messages.length === 2 && chat.messages[1]!.parts.length === 3);
    expect(partsOf(chat)).toEqual([
      ['step-start', null],
      ['text', 'Let me look.'],
      ['tool-look', 'input-available'],
    ]);
    replica.archive.open();
    await resuming;
    expect(chat.status).toBe('ready');
    expect(partsOf(chat)).toEqual([
      ['step-start', null],
      ['text', 'Let me look.'],
      ['tool-look', 'output-available'],
      ['step-start', null],
      ['text', 'It is there.'],
    ]);
  });

  test.each([300, 998])('goes on in a conversation whose id has %d characters', async (length) => {
    const replica = await start();
    const id = 'c'.repeat(length);
    await replica.ask(id);
    const chat = reloadedPage(replica, id);
    const resuming = chat.resumeStream();
    await until(() => chat.messages.length === 2);
    replica.archive.open();
    await resuming;
    expect(chat.error).toBeUndefined();
    expect(partsOf(chat).at(-1)).toEqual(['text', 'It is there.']);
  });

  test('gets the answer of a queued turn, leaves, and comes back', async () => {
    const replica = await start();
    const chat = openPage(replica, 'chat-4');
    const sending = chat.sendMessage({ text: 'Look' });
    await until(() => chat.messages.length === 2 && chat.messages[1]!.parts.length === 3);
    await chat.stop();
    await sending;
    const resuming = chat.resumeStream();
    await until(() => chat.status === 'streaming');
    replica.archive.open();
    await resuming;
    expect(replica.archive.aborted).toBe(0);
    expect(chat.messages).toHaveLength(2);
    expect(partsOf(chat)).toEqual([
      ['step-start', null],
      ['text', 'Let me look.'],
      ['tool-look', 'output-available'],
      ['step-start', null],
      ['text', 'It is there.'],
    ]);
  });

  test('has the answer once after a lost connection', async () => {
    const replica = await start();
    const lost = new AbortController();
    const chat = openPage(replica, 'chat-7', async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method !== 'POST') return response;
      const cut = new TransformStream<Uint8Array, Uint8Array>();
      void response.body!.pipeTo(cut.writable, { signal: lost.signal }).catch(() => undefined);
      return new Response(cut.readable);
    });
    const sending = chat.sendMessage({ text: 'Look' });
    await until(() => chat.messages.length === 2 && chat.messages[1]!.parts.length === 3);
    // What a browser says.
    lost.abort(new TypeError('network error'));
    await sending;
    expect(chat.status).toBe('error');
    const resuming = chat.resumeStream();
    // A turn that has ended is not resumed.
    await until(() => chat.status === 'streaming');
    replica.archive.open();
    await resuming;
    expect(chat.messages).toHaveLength(2);
    expect(partsOf(chat).map(([type]) => type)).toEqual(['step-start', 'text', 'tool-look', 'step-start', 'text']);
  });

  test('asks for approval, and goes on in the same message', async () => {
    const replica = await start({ needsApproval: true });
    replica.archive.open();
    const chat = openPage(replica, 'chat-5');
    await chat.sendMessage({ text: 'Look' });
    expect(partsOf(chat).at(-1)).toEqual(['tool-look', 'approval-requested']);
    const part = chat.messages.at(-1)!.parts.at(-1) as { approval: { id: string } };
    await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
    await until(() => chat.status === 'ready' && partsOf(chat).length === 5);
    expect(chat.messages).toHaveLength(2);
    expect(partsOf(chat)).toEqual([
      ['step-start', null],
      ['text', 'Let me look.'],
      ['tool-look', 'output-available'],
      ['step-start', null],
      ['text', 'It is there.'],
    ]);
  });

  test('shows the same answer when it comes from the stored conversation', async () => {
    const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
    const insideTheLoop = {
      provide: MessageChatMemoryAdvisor,
      inject: [ChatMemory],
      useFactory: (chatMemory: ChatMemory) => new MessageChatMemoryAdvisor({ chatMemory, order }),
    };
    const replica = await start({ providers: [insideTheLoop] });
    replica.archive.open();
    const chat = openPage(replica, 'chat-6');
    await chat.sendMessage({ text: 'Look' });
    const { turns } = await replica.app.get(ConversationLog).read('chat-6', { limit: 10 });
    const stored = toUIMessages(turns, { content: 'all' });
    const page = new Chat({ id: 'chat-6', messages: stored as UIMessage[] });
    expect(page.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(page.lastMessage!.id).toBe(chat.lastMessage!.id);
    expect(partsOf(page)).toEqual(partsOf(chat));
  });

  test('shows nothing when no turn runs, and nothing of others', async () => {
    const replica = await start({ script: ['Hello.'] });
    await replica.ask('done');
    await Promise.all(replica.queue.runs);
    const done = reloadedPage(replica, 'done');
    await done.resumeStream();
    expect(done.messages).toHaveLength(1);
    expect(done.status).toBe('ready');

    const running = await start();
    await running.ask('chat-2');
    const foreign = reloadedPage(running, 'chat-2', 'bob');
    await foreign.resumeStream();
    expect(foreign.messages).toHaveLength(1);
    running.archive.open();
  });

  test('shows the whole turn after an approval, also on a page that was there before', async () => {
    const replica = await start({ needsApproval: true });
    const id = await replica.ask('chat-3');
    await Promise.all(replica.queue.runs);
    const client = replica.app.get(ChatClient);
    const approved = client.prompt().toolApprovals([{ toolCallId: 'c1', approved: true }], { turnId: id });
    await approved.request({ user: { id: 'ann' } }).enqueue();
    const chat = reloadedPage(replica, 'chat-3');
    const resuming = chat.resumeStream();
    await until(() => chat.messages.length === 2);
    replica.archive.open();
    await resuming;
    const whole = [
      ['step-start', null],
      ['text', 'Let me look.'],
      ['tool-look', 'output-available'],
      ['step-start', null],
      ['text', 'It is there.'],
    ];
    expect(partsOf(chat)).toEqual(whole);
    expect(chat.messages).toHaveLength(2);
    const stored = await (await replica.send(`turns/${id}/stream`)).text();
    expect(stored.match(/"type":"(?:finish|tool-approval-request)"/g)).toEqual(['"type":"finish"']);
    expect(stored.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});
