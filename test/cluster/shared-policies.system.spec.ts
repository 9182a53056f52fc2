import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Inject, Injectable, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  ChatMemoryRepository,
  InMemoryChatMemoryRepository,
  Tool,
  ToolContext,
  ToolParam,
  TurnPrincipal,
} from '@nestor-ai/core';
import { BullAiModule } from '@nestor-ai/bullmq';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';

const REDIS = await hasRedis('Policies and conversations of several applications');
const AWAY = 'redis://127.0.0.1:1';

/** What the tools of all applications have done. */
class Diary {
  readonly entries: string[] = [];
}

@Injectable()
class Bank {
  constructor(@Inject(Diary) private readonly diary: Diary) {}

  @Tool({ rateLimit: { calls: 2, interval: 600_000, key: (_input, context) => String(context.get('tenant')) } })
  pay(): string {
    this.diary.entries.push('paid');
    return 'paid';
  }

  @Tool({ cacheTtl: 600_000 })
  async rate(@ToolParam() currency: string, context: ToolContext): Promise<object> {
    const run = this.diary.entries.push(`${currency} for ${String(context.get('tenant'))}`);
    await sleep(30);
    return { currency, run };
  }

  @Tool()
  async book(@ToolParam() what: string): Promise<string> {
    this.diary.entries.push(`begins ${what}`);
    await sleep(50);
    this.diary.entries.push(`ends ${what}`);
    return 'booked';
  }
}

/** A tool that a request brings, with a state of its own. */
class Owner {
  constructor(private readonly name: string) {}

  @Tool({ cacheTtl: 600_000 })
  whoAmI(): string {
    return this.name;
  }
}

const applications: INestApplicationContext[] = [];
let prefix = '';
let diary: Diary;
let conversations: InMemoryChatMemoryRepository;
/** Who asks now. */
let subject: string;

beforeEach(() => {
  prefix = newPrefix();
  subject = 'ann';
  diary = new Diary();
  conversations = new InMemoryChatMemoryRepository();
});

afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
  if (REDIS) await deleteKeys(prefix);
});

/** Calls the tool that the user names, and answers with what the tool said. */
const model = new ScriptedChatModel(({ messages }) => {
  const last = messages.at(-1)!;
  if (last.role === 'tool') return last.responses[0]!.responseData;
  const { name, input } = JSON.parse(last.role === 'user' ? last.text : '') as { name: string; input: object };
  return { toolCalls: [toolCall(name, input)] };
});

interface Call {
  /** Tools that the request brings. Default: the tools of the application. */
  readonly tools?: object;
  readonly input?: object;
  readonly tenant?: string;
  /** Needs memory. Default: none. */
  readonly conversation?: string;
}

async function start({ connection = TEST_REDIS } = {}) {
  @Module({ providers: [Bank, { provide: Diary, useValue: diary }] })
  class BankModule {}

  const principal = { provide: TurnPrincipal, useValue: { subjectOf: () => subject } };
  const stored = { provide: ChatMemoryRepository, useValue: conversations };
  const application = await Test.createTestingModule({
    imports: [
      BankModule,
      BullAiModule.forRoot({ connection, prefix }),
      AiModule.forRoot({ chatModel: model, memory: true, providers: [stored, principal, ...BullAiModule.shared()] }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  return (name: string, { input = {}, tenant = 'a', tools, conversation }: Call = {}) => {
    const request = application.get(ChatClient).prompt(JSON.stringify({ name, input })).toolContext({ tenant });
    if (tools) request.tools(tools);
    return (conversation === undefined ? request : request.conversation(conversation)).call().content();
  };
}

(REDIS ? describe : describe.skip)('two applications with one Redis', () => {
  it('share a rate limit, for each key', async () => {
    const [one, other] = [await start(), await start()];
    expect([await one('pay'), await other('pay')]).toEqual(['paid', 'paid']);
    expect(await one('pay')).toMatch(/The tool 'pay' takes 2 calls in 600 s\. Try again in \d+ s/);
    expect(await other('pay')).toContain('Try again');
    expect(await other('pay', { tenant: 'b' })).toBe('paid');
    expect(diary.entries).toHaveLength(3);
  });

  it('share a cached result, and compute it once, for each caller', async () => {
    const [one, other] = [await start(), await start()];
    const input = { currency: 'EUR' };
    const answers = await Promise.all([one('rate', { input }), other('rate', { input })]);
    expect([...answers, await other('rate', { input })]).toEqual(Array(3).fill('{"currency":"EUR","run":1}'));
    await other('rate', { input, tenant: 'b' });
    subject = 'bob';
    await one('rate', { input });
    expect(diary.entries).toEqual(['EUR for a', 'EUR for b', 'EUR for a']);
  });

  it('do not share the results of objects that a request brings', async () => {
    const [one, other] = [await start(), await start()];
    expect(await one('whoAmI', { tools: new Owner('Ann') })).toBe('Ann');
    expect(await other('whoAmI', { tools: new Owner('Bob') })).toBe('Bob');
  });

  it('run the turns of a conversation one after the other', async () => {
    const [one, other] = [await start(), await start()];
    const conversation = 'trip';
    await Promise.all([
      one('book', { input: { what: 'flight' }, conversation }),
      other('book', { input: { what: 'room' }, conversation }),
    ]);
    const [first, second, third, fourth] = diary.entries.map((entry) => entry.split(' ')[1]);
    expect([first, third]).toEqual([second, fourth]);
    expect(await conversations.findByConversationId(conversation)).toHaveLength(4);
  });
});

describe('an application whose Redis is away', () => {
  beforeEach(() => Logger.overrideLogger(false));

  it('starts, and answers without policies and conversations', async () => {
    const call = await start({ connection: AWAY });
    expect(await call('book', { input: { what: 'room' } })).toBe('booked');
  });

  it('runs no tool with a rate limit, and says so', async () => {
    const call = await start({ connection: AWAY });
    expect(await call('pay')).toBe(
      'The rate limit of this tool cannot be checked now, so the call was not run. Try again later, or go on without it.',
    );
    expect(diary.entries).toEqual([]);
  });

  it('computes the results of tools itself', async () => {
    const call = await start({ connection: AWAY });
    const input = { currency: 'EUR' };
    expect([await call('rate', { input }), await call('rate', { input })]).toEqual(
      Array(2).fill('{"currency":"EUR","run":1}'),
    );
  });

  it('runs no turn of a conversation, and says what to do', async () => {
    const call = await start({ connection: AWAY });
    await expect(call('book', { conversation: 'trip' })).rejects.toThrow(
      'Nestor could not lock a conversation: the server does not accept connections. Start Redis',
    );
  });
});
