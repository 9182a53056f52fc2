import { describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, type Provider } from '@nestjs/common';
import {
  ApprovalPolicy,
  ChatClient,
  ChatMemory,
  ConversationLog,
  InMemoryChatMemoryRepository,
  InMemoryConversationLog,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Tool,
  ToolCallingAdvisor,
  ToolContext,
  ToolResponseMessage,
  TurnPrincipal,
  UserMessage,
} from '@nestor-ai/core';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { startApplication } from './application.js';

interface Caller {
  user?: { id: string };
}

@Injectable()
class Bank {
  readonly done: string[] = [];

  constructor(private readonly chatClient: ChatClient) {}

  @Tool({ needsApproval: true })
  transfer(): string {
    this.done.push('transfer');
    return 'transferred';
  }

  @Tool()
  signIn({ request }: ToolContext<object, Caller>): string {
    request!.user = { id: 'ann' };
    return 'signed in';
  }

  @Tool({ needsApproval: true })
  async plan(): Promise<string | undefined> {
    return this.think();
  }

  @Tool()
  async think(): Promise<string | undefined> {
    return this.chatClient.prompt('Think.').conversation('c').call().content();
  }
}

const order = ToolCallingAdvisor.DEFAULT_ORDER + 100;
const insideTheLoop: Provider = {
  provide: MessageChatMemoryAdvisor,
  inject: [ChatMemory],
  useFactory: (chatMemory: ChatMemory) => new MessageChatMemoryAdvisor({ chatMemory, order }),
};
const asList: Provider = { provide: ConversationLog, useFactory: () => new InMemoryChatMemoryRepository() };

const TRANSFER: ScriptEntry = { toolCalls: [toolCall('transfer', {}, 'call')] };
const CLOSED = { name: 'ConversationOwnerException' };

async function start(script: readonly ScriptEntry[], providers: Provider[]) {
  const scene = await startApplication({ providers: [Bank] }, script, { memory: true, providers });
  const { app, client } = scene;
  const of = (user?: string) =>
    client
      .prompt()
      .conversation('c')
      .request(user === undefined ? {} : { user: { id: user } });
  const ask = async (user: string | undefined, text = 'Hello') => of(user).user(text).call().content();
  const waiting = async (user?: string) => {
    const response = await of(user).user('Transfer.').call().chatResponse();
    const turnId = response!.metadata['turnId'] as string;
    const decision = { toolCallId: 'call', approved: true };
    return async (approver = user) => of(approver).toolApprovals([decision], { turnId }).call().content();
  };
  const log = app.get(ConversationLog);
  return { ...scene, of, ask, waiting, log, bank: app.get(Bank), read: async () => log.read('c', { limit: 100 }) };
}

describe.each([
  ['before the tool loop', []],
  ['inside the tool loop', [insideTheLoop]],
])('the user of a turn, with a memory %s,', (_where, providers) => {
  it('has the conversation while its first turn waits for an approval', async () => {
    const { ask, waiting, read, bank } = await start([TRANSFER, 'Done.'], providers);
    const approve = await waiting('ann');
    for (const user of ['bob', undefined]) await expect(ask(user)).rejects.toMatchObject(CLOSED);
    expect(await approve()).toBe('Done.');
    expect(bank.done).toEqual(['transfer']);
    expect((await read()).owner).toBe('ann');
  });

  it('keeps a conversation to which a request without a user would add a turn that has waited', async () => {
    const { ask, waiting, read, bank } = await start([TRANSFER, 'Hello.', 'Done.'], providers);
    const approve = await waiting();
    await ask('ann');
    await expect(approve()).rejects.toMatchObject(CLOSED);
    expect((await read()).turns).toHaveLength(1);
    expect(bank.done).toEqual([]);
  });

  it('speaks in what a tool asks, whoever has approved the call', async () => {
    const plan: ScriptEntry = { toolCalls: [toolCall('plan', {}, 'call')] };
    const policy = { provide: ApprovalPolicy, useValue: { authorize: () => true } };
    const { ask, waiting, read } = await start([plan, 'A plan.', 'Done.', 'Hello.'], [...providers, policy]);
    const approve = await waiting('ann');
    expect(await approve('bob')).toBe('Done.');
    const { turns, owner } = await read();
    expect([turns.length, owner]).toEqual([2, 'ann']);
    await expect(ask('bob')).rejects.toMatchObject(CLOSED);
  });

  it('gets the question about an approval although the conversation cannot be reserved', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    class Failing extends InMemoryConversationLog {
      override append(...given: Parameters<InMemoryConversationLog['append']>): void {
        if (given[2].length === 0) throw new Error('secret');
        super.append(...given);
      }
    }
    const { waiting, ask } = await start(
      [TRANSFER, 'Done.', 'Hello.'],
      [...providers, { provide: ConversationLog, useClass: Failing }],
    );
    const approve = await waiting('ann');
    expect(await approve()).toBe('Done.');
    expect(await ask('ann')).toBe('Hello.');
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^The conversation of a turn that waits .* reserved .*\(Error\)/)],
    ]);
    warn.mockRestore();
  });

  it('has what a tool asks in the conversation of its turn', async () => {
    const think: ScriptEntry = { toolCalls: [toolCall('think')] };
    const { ask, read } = await start(['Hello.', think, 'A thought.', 'Done.'], providers);
    await ask('ann');
    expect(await ask('ann')).toBe('Done.');
    const { turns, owner } = await read();
    expect([turns.length, owner]).toEqual([3, 'ann']);
  });

  it('is the one at its beginning, although a tool signs another one in', async () => {
    const { ask, read } = await start(['Hello.', { toolCalls: [toolCall('signIn')] }, 'Done.', 'More.'], providers);
    await ask(undefined);
    await ask(undefined);
    expect((await read()).owner).toBeUndefined();
    await expect(ask('ann')).rejects.toMatchObject(CLOSED);
  });

  it('may get the conversation before its first turn', async () => {
    const { ask, log, model } = await start(['Hello.'], providers);
    await log.adopt('c', 'ann');
    for (const user of ['bob', undefined]) await expect(ask(user)).rejects.toMatchObject(CLOSED);
    expect(await ask('ann')).toBe('Hello.');
    expect(model.prompts).toHaveLength(1);
  });
});

it('a list cannot be reserved: a turn that has waited is refused before its tools run', async () => {
  const { ask, waiting, bank } = await start([TRANSFER, 'Hello.', 'Done.'], [asList]);
  const approve = await waiting('ann');
  await ask('bob');
  await expect(approve()).rejects.toMatchObject(CLOSED);
  expect(bank.done).toEqual([]);
});

it('nobody else continues a turn whose tools its caller runs', async () => {
  const { of, model } = await start([TRANSFER, 'Done.'], []);
  const options = { internalToolExecutionEnabled: false };
  await of('ann').user('My code is 1234').options(options).call().content();
  const result = new ToolResponseMessage({ responses: [{ id: 'call', name: 'transfer', responseData: 'ok' }] });
  const answer = async (user?: string) => of(user).messages(result).options(options).call().content();
  for (const user of ['bob', undefined]) await expect(answer(user)).rejects.toMatchObject(CLOSED);
  expect(await answer('ann')).toBe('Done.');
  expect(model.prompts).toHaveLength(2);
});

it('the principal is asked once in a turn', async () => {
  let asked = 0;
  class Once extends TurnPrincipal {
    override subjectOf(): string {
      if (++asked > 1) throw new Error('The session has ended.');
      return 'ann';
    }
  }
  const { ask, read } = await start(['Hello.'], [{ provide: TurnPrincipal, useClass: Once }]);
  expect(await ask('ann')).toBe('Hello.');
  expect((await read()).owner).toBe('ann');
});

describe('a list of messages', () => {
  it('keeps its owner for itself', async () => {
    const { ask, read, app, log } = await start(['Hello.', 'Again.'], [asList]);
    await ask('ann');
    await ask('ann');
    const messages = await app.get(ChatMemory).get('c');
    expect(JSON.stringify(messages)).not.toContain('ann');
    await app
      .get(ChatMemory)
      .add('copy', await (app.get(ConversationLog) as InMemoryChatMemoryRepository).findByConversationId('c'));
    await log.adopt('copy', 'bob');
    expect((await log.read('copy', { limit: 9 })).owner).toBe('bob');
    expect((await read()).owner).toBe('ann');
  });

  it('belongs to its owner although nothing of it fits the window', async () => {
    const { log } = await start([], [asList]);
    const memory = new MessageWindowChatMemory({ log, maxTokens: 10 });
    const ann = { subject: 'ann' };
    await memory.add('c', new UserMessage('Far too long. '.repeat(50)), undefined, ann);
    await expect(memory.get('c', { subject: 'bob' })).rejects.toMatchObject(CLOSED);
    await expect(memory.get('c', ann)).resolves.toBeDefined();
  });

  it('is a page of one turn, with its owner', async () => {
    const { ask, log } = await start(['Hello.'], [asList]);
    await ask('ann');
    const page = await log.read('c', { limit: 1, before: Infinity });
    expect([page.turns.length, page.owner]).toEqual([1, 'ann']);
    const earlier = await log.read('c', { limit: 1, before: page.turns[0]!.position });
    expect([earlier.turns.length, earlier.owner]).toEqual([0, 'ann']);
  });

  it('cannot be given away before it has messages', async () => {
    const { log } = await start([], [asList]);
    await expect(log.adopt('c', 'ann')).rejects.toThrow('cannot give away a conversation without messages');
  });
});

it.each([7, '', undefined, { id: 1 }])('a conversation cannot belong to %p', async (owner) => {
  const { log } = await start([], []);
  expect(() => log.adopt('c', owner as never)).toThrow(
    /^The owner of a conversation must be a text.*String\(user\.id\)/,
  );
});
