import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, Tool, SuspendedTurnRepository } from '@nestor-ai/core';
import {
  AiTurnsModule,
  InMemoryTurnEventLog,
  InMemoryTurnJournal,
  TurnEventLog,
  TurnJournal,
  TurnQueue,
  TurnRunner,
  TurnStreams,
} from '@nestor-ai/turns';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { AiUiModule } from '@nestor-ai/ui';
import { LocalQueue } from '../turns/streaming-replica.js';
import { extractSamples } from './samples.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'test/docs/generated/two-users');

/** What the fragments of the guides leave out. */
const BEFORE = `import { Body, Controller, Post, Req, RequestMethod, Sse } from '@nestjs/common';
import { ChatClient } from '@nestor-ai/core';
import { TurnStreams } from '@nestor-ai/turns';
import { fromUIMessages, UI_MESSAGE_FORMAT, type UIMessageInput, withUIMessages } from '@nestor-ai/ui';
interface SignedInRequest { readonly user: { readonly id: string } }
interface Question { readonly text: string; readonly chatId: string }
interface UIChatRequest { readonly id: string; readonly messages: UIMessageInput[] }
`;

/** Imports a class that is made of a fragment of a guide. */
async function classOf(page: string, name: string, fragment: RegExp, make: (text: string) => string): Promise<Type> {
  const found = fragment.exec(readFileSync(join(root, page), 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${page} has no sample ${String(fragment)}.`);
  mkdirSync(target, { recursive: true });
  const file = join(target, `${name}.ts`);
  writeFileSync(file, `${BEFORE}${make(found)}`);
  return ((await import(file)) as Record<string, Type>)[name]!;
}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

class Bank {
  static readonly paid: number[] = [];

  @Tool({ description: 'Pays an invoice', needsApproval: true })
  pay(invoice: number): string {
    Bank.paid.push(invoice);
    return 'paid';
  }
}

/** An application whose model repeats all that it was told, and pays when it is asked to check. */
async function start(controllers: Type[]) {
  const chatModel = new ScriptedChatModel(({ messages }) => {
    const last = messages.at(-1)!;
    if (last.text?.startsWith('Check')) return { toolCalls: [toolCall('pay', { invoice: 7 }, 'c1')] };
    return `I know: ${messages.map((message) => message.text ?? '').join(', ')}`;
  });
  const queue = new LocalQueue();
  const testing = await Test.createTestingModule({
    imports: [
      AiModule.forRoot({
        chatModel,
        memory: true,
        providers: [
          ...AiTurnsModule.providers(),
          { provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal },
          { provide: TurnEventLog, useClass: InMemoryTurnEventLog },
          { provide: TurnQueue, useValue: queue },
        ],
      }),
      AiTurnsModule.forRoot(),
      AiUiModule,
    ],
    controllers,
    providers: [Bank],
  }).compile();
  app = testing.createNestApplication({ logger: false, forceCloseConnections: true });
  app.use((request: { headers: Record<string, string>; user?: object }, _response: unknown, next: () => void) => {
    request.user = { id: request.headers['x-user'] };
    next();
  });
  await app.listen(0, '127.0.0.1');
  queue.runner = { turns: app.get(TurnRunner), streams: app.get(TurnStreams) };
  const url = await app.getUrl();
  return {
    queue,
    journal: app.get<TurnJournal>(TurnJournal),
    async send(user: string, path: string, body?: object) {
      const headers = { 'x-user': user, ...(body && { 'content-type': 'application/json' }) };
      const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers };
      const response = await fetch(`${url}/${path}`, init);
      return { status: response.status, text: await response.text() };
    },
  };
}

describe('two users of a sample', () => {
  it('have conversations of their own: questions in scaling-out.md', async () => {
    const fragment = /^(@Controller\(\)\n@UseGuards\(AuthGuard\)\nexport class ChatController \{.*?^\})$/ms;
    const controller = await classOf('docs/guides/scaling-out.md', 'ChatController', fragment, (text) =>
      text.replace('@UseGuards(AuthGuard)\n', ''),
    );
    const { queue, send } = await start([controller]);
    const ask = async (user: string, text: string): Promise<string> =>
      (JSON.parse((await send(user, 'questions', { text, chatId: 'c1' })).text) as { turnId: string }).turnId;
    const turnId = await ask('ann', 'My secret is blue.');
    await Promise.all(queue.runs);
    const own = await ask('ann', 'What is it?');
    const foreign = await ask('bob', 'What is it?');
    await Promise.all(queue.runs);
    expect((await send('ann', `turns/${own}/events`)).text).toContain('blue');
    expect((await send('bob', `turns/${foreign}/events`)).text).not.toContain('blue');
    expect((await send('bob', `turns/${turnId}/events`)).status).toBe(404);
  });

  it('have conversations of their own: useChat() in scaling-out.md', async () => {
    const fragment = /^(@Sse\('chat'.*?^\})$/ms;
    const controller = await classOf('docs/guides/scaling-out.md', 'UseChatController', fragment, (method) =>
      [
        '@Controller()',
        'export class UseChatController {',
        'constructor(readonly chatClient: ChatClient, readonly turnStreams: TurnStreams) {}',
        method,
        '}',
      ].join('\n'),
    );
    const { queue, send } = await start([controller]);
    const ask = async (user: string, text: string): Promise<string> => {
      const messages = [{ id: text, role: 'user', parts: [{ type: 'text', text }] }];
      return (await send(user, 'chat', { id: 'c1', messages })).text;
    };
    await ask('ann', 'My secret is blue.');
    expect(await ask('ann', 'What is it?')).toContain('blue');
    expect(await ask('bob', 'What is it?')).not.toContain('blue');
    await Promise.all(queue.runs);
  });

  it('own their turns: scaling-out.md', async () => {
    const samples = join(target, 'samples');
    extractSamples(root, samples);
    const page = join(samples, 'docs/guides/scaling-out');
    const { InvoicesController } = (await import(join(page, 'invoices.controller.ts'))) as Record<string, Type>;
    const { ApprovalsController } = (await import(join(page, 'approvals.controller.ts'))) as Record<string, Type>;
    const { queue, send, journal } = await start([InvoicesController!, ApprovalsController!]);
    const check = async (user: string): Promise<string> =>
      (JSON.parse((await send(user, 'invoices/7/check', {})).text) as { turnId: string }).turnId;
    const turnId = await check('ann');
    expect(await check('bob')).not.toBe(turnId);
    expect(await check('ann')).toBe(turnId);
    await Promise.all(queue.runs);
    expect(await journal.read(turnId)).toMatchObject({ status: 'suspended', requester: 'ann' });
    expect(await send('ann', `invoices/turns/${turnId}`)).toEqual({ status: 200, text: '{"status":"suspended"}' });
    expect((await send('bob', `invoices/turns/${turnId}`)).status).toBe(404);
    expect((await send('bob', `turns/${turnId}/events`)).status).toBe(404);
    expect((await send('bob', `turns/${turnId}/calls/c1/approve`, {})).status).toBeGreaterThanOrEqual(400);
    await Promise.all(queue.runs);
    expect(Bank.paid).toEqual([]);
    expect((await send('ann', `turns/${turnId}/calls/c1/approve`, {})).status).toBe(201);
    await Promise.all(queue.runs);
    expect(Bank.paid).toEqual([7]);
  });
});
