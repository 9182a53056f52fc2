import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Injectable, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  type Prompt,
  Tool,
  ToolContext,
  ToolParam,
  type TurnEntry,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import {
  DeferredResults,
  InMemoryTurnEventLog,
  InMemoryTurnJournal,
  TurnEventLog,
  TurnJournal,
  TurnStreams,
} from '@nestor-ai/turns';
import { BullAiModule, type BullAiModuleOptions, BullTurnQueue } from '@nestor-ai/bullmq';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { Redis } from 'ioredis';
import { hasRedisProgram, startRedis } from './chaos/servers.js';
import { contentsOf, deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';
import { until } from '../until.js';

const REDIS = await hasRedis('Turns in a queue');
const ASKS: ScriptEntry = { toolCalls: [toolCall('pay', { amount: 5 }, 'c1')] };

@Injectable()
class Bank {
  readonly paid: string[] = [];
  readonly requests: unknown[] = [];

  @Tool({ description: 'Pays' })
  pay(@ToolParam({ description: 'How much' }) amount: number, context: ToolContext): string {
    this.paid.push(`${amount} for ${String(context.turn.requester)}`);
    this.requests.push(context.request);
    return 'done';
  }
}

@Injectable()
class Reports {
  readonly written: string[] = [];

  @Tool({ description: 'Writes a report', job: { queue: 'reports' } })
  write(@ToolParam({ description: 'Which month' }) month: string): string {
    this.written.push(month);
    return `report of ${month}`;
  }

  @Tool({ description: 'Sends a report', job: { queue: 'mails' }, needsApproval: true })
  send(@ToolParam({ description: 'To whom' }) to: string): string {
    this.written.push(`mail to ${to}`);
    return 'sent';
  }

  @Tool({ description: 'Orders a report from outside' })
  async order(results: ToolContext): Promise<string> {
    this.key = results.idempotencyKey;
    return results.defer();
  }

  key = '';
}

@Module({ providers: [Bank, Reports], exports: [Bank, Reports] })
class BankModule {}

const applications: INestApplicationContext[] = [];
const prefixes: string[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  for (const application of applications.splice(0)) await application.close();
  for (const prefix of prefixes.splice(0)) if (REDIS) await deleteKeys(prefix);
});

interface Options extends BullAiModuleOptions {
  readonly script?: ConstructorParameters<typeof ScriptedChatModel>[0];
  readonly journal?: TurnJournal;
  readonly needsApproval?: boolean;
  readonly log?: TurnEventLog;
  readonly turnLease?: number;
  readonly memory?: boolean;
  /** Whether the application has lost the tool. */
  readonly isGone?: boolean;
}

async function start({
  script = [ASKS, 'Paid.'],
  journal,
  needsApproval = false,
  log,
  turnLease = 1000,
  memory = false,
  isGone = false,
  ...options
}: Options = {}) {
  const own = journal ?? new InMemoryTurnJournal();
  const prefix = options.prefix ?? newPrefix();
  prefixes.push(prefix);
  const application = await Test.createTestingModule({
    imports: [
      BankModule,
      BullAiModule.forRoot({ connection: TEST_REDIS, prefix, sweepInterval: 200, ...options }),
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(script),
        memory,
        providers: [
          { provide: SuspendedTurnRepository, useValue: own },
          ...(log ? [{ provide: TurnEventLog, useValue: log }] : []),
          ...BullAiModule.stores(),
        ],
        properties: {
          chat: { client: { toolCalling: { turnLease } } },
          tools: { overrides: { pay: { needsApproval, enabled: !isGone } } },
        },
      }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  return {
    client: application.get(ChatClient),
    bank: application.get(Bank),
    reports: application.get(Reports),
    results: application.get(DeferredResults),
    journal: own,
    prefix,
    application,
  };
}

const isIn = (journal: TurnJournal, id: string, status: string) => async () =>
  (await journal.read(id))?.status === status;

(REDIS ? describe : describe.skip)('a queued turn', () => {
  it('runs in a worker', async () => {
    const { client, bank, journal } = await start();
    const id = await client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toEqual(['5 for undefined']);
    const kinds = (await journal.read(id))!.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(['queued', 'begun', 'answered', 'call-began', 'call-ended', 'answered', 'ended']);
  });

  it('is one turn for one job id, and keeps its priority and delay', async () => {
    const { client, bank, journal } = await start();
    const begun = Date.now();
    const send = () => client.prompt('Pay').enqueue({ jobId: 'order-7', delay: 150, priority: 2 });
    const ids = await Promise.all([send(), send(), send()]);
    expect(new Set(ids).size).toBe(1);
    await until(isIn(journal, ids[0]!, 'ended'));
    expect(Date.now() - begun).toBeGreaterThanOrEqual(150);
    expect(bank.paid).toHaveLength(1);
  });

  it('is found in the journal after Redis has lost its job', async () => {
    const web = await start({ role: 'web' });
    const id = await web.client.prompt('Pay').enqueue();
    await deleteKeys(web.prefix);
    const { bank } = await start({ journal: new Impatient(web.journal), prefix: web.prefix });
    await until(isIn(web.journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
    expect(web.bank.paid).toEqual([]);
  });

  it('waits for approval, which a worker carries out', async () => {
    const { client, bank, journal } = await start({ needsApproval: true });
    const id = await client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'suspended'));
    expect(bank.paid).toEqual([]);
    const decided = client.prompt().toolApprovals([{ toolCallId: 'c1', approved: true }], { turnId: id });
    expect(await decided.enqueue()).toBe(id);
    await expect(decided.enqueue()).rejects.toThrow(/already/);
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
  });

  it('is tried again when the model fails, from where it was', async () => {
    const { client, bank, journal } = await start({ script: [ASKS, { error: new Error('down') }, 'Paid.'] });
    const id = await client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
  });

  it('of a client that this application lacks waits, and the log says so', async () => {
    const web = await start({ role: 'web' });
    const id = await web.client.prompt('Pay').enqueue();
    const turn = (await web.journal.read(id))!;
    await web.journal.append({
      turnId: 'foreign',
      entries: turn.entries,
      after: 0,
      owner: 'other',
      facts: { status: 'queued', client: 'support', pendingCallIds: [] },
    });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start({ journal: new Impatient(web.journal), prefix: web.prefix });
    await until(isIn(web.journal, id, 'ended'));
    await until(() => warn.mock.calls.length > 0);
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining("The turn 'foreign' waits, since this application does not have its client 'support'"),
    );
    warn.mockRestore();
    expect((await web.journal.read('foreign'))!.status).toBe('queued');
  });

  it('that a newer version has changed waits, and the log says so', async () => {
    const web = await start({ role: 'web' });
    const id = await web.client.prompt('Pay').enqueue();
    const facts = { status: 'running', client: 'default', pendingCallIds: [] } as const;
    const entries = [{ kind: 'paused' } as unknown as TurnEntry];
    await web.journal.append({ turnId: id, entries, after: 1, owner: 'newer', facts });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { bank } = await start({ journal: web.journal, prefix: web.prefix });
    await until(() => warn.mock.calls.length > 0);
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringMatching(
        new RegExp(`The turn '${id}' waits. .* an entry of the kind 'paused' .* update @nestor-ai/core`),
      ),
    ]);
    warn.mockRestore();
    expect(bank.paid).toEqual([]);
    expect(await web.journal.read(id)).toMatchObject({ status: 'running', entries: { length: 2 } });
  });

  it('whose tool is gone after a deployment waits, and the log says so', async () => {
    const before = await start({ needsApproval: true });
    const id = await before.client.prompt('Pay').enqueue();
    await until(isIn(before.journal, id, 'suspended'));
    await before.application.close();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const after = await start({ journal: before.journal, prefix: before.prefix, isGone: true });
    await after.client
      .prompt()
      .toolApprovals([{ toolCallId: 'c1', approved: true }], { turnId: id })
      .enqueue();
    await until(() =>
      warn.mock.calls.some(([text]) => String(text).includes("needs tools that this request does not have: 'pay'")),
    );
    warn.mockRestore();
    expect((await before.journal.read(id))!.status).toBe('running');
    await after.application.close();
    const { bank } = await start({ script: ['Paid.'], journal: new Impatient(before.journal), prefix: before.prefix });
    await until(isIn(before.journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
  });

  it('that always fails is given up, and says how to continue it', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { client, journal } = await start({ script: [{ error: new Error('secret') }], attempts: 1 });
    const id = await client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'failed'));
    await until(() => log.mock.calls.length > 0);
    expect(log).toHaveBeenCalledWith(
      expect.stringMatching(new RegExp(`The turn '${id}' has failed once .*toolApprovals`)),
    );
    expect(JSON.stringify(log.mock.calls)).not.toContain('secret');
  });

  it('waits while a store cannot be reached, and uses up no try', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const journal = new Unreliable(new InMemoryTurnJournal());
    const log = new InMemoryTurnEventLog();
    const script = ({ messages }: Prompt) => {
      if (messages.at(-1)!.role === 'tool') return 'Paid.';
      journal.isAway = warn.mock.calls.length === 0;
      return { toolCalls: [toolCall('pay', { amount: 5 }, 'c1')] };
    };
    const { client, bank } = await start({ script, journal, log, attempts: 1 });
    const id = await client.prompt('Pay').enqueue();
    await until(() => warn.mock.calls.some(([text]) => String(text).includes('waits, since a store')));
    journal.isAway = false;
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
    const events = (log.read(id, 0) ?? []).map(({ data }) => (JSON.parse(data) as { type: string }).type);
    expect(events).not.toContain('error');
  });

  it.each([
    ['queues it', { delay: 300 }, [ASKS, 'Paid.']],
    ['tries it', {}, [{ error: new Error('down') }, ASKS, 'Paid.']],
  ] as const)(
    'does not wait for the clock of a machine that %s, which is an hour ahead',
    async (_what, when, script) => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const now = Date.now.bind(Date);
      let ahead = 3_600_000;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
      /** The clock of the store is right. */
      const inStore = <T>(run: () => T): T => {
        const before = ahead;
        ahead = 0;
        const result = run();
        ahead = before;
        return result;
      };
      const journal = new InMemoryTurnJournal();
      const kept = new Impatient({
        append: (append) => inStore(() => journal.append(append)),
        read: (id) => inStore(() => journal.read(id)),
        claim: (...args) => inStore(() => journal.claim(...args)),
        find: (query) => inStore(() => journal.find(query)),
      });
      const { client, bank } = await start({ journal: kept, script, turnLease: 7_200_000 });
      const id = await client.prompt('Pay').enqueue(when);
      await until(async () => 'delay' in when || (await kept.read(id))!.entries.some(({ kind }) => kind === 'failed'));
      ahead = 0;
      await until(isIn(journal, id, 'ended'));
      expect(bank.paid).toHaveLength(1);
    },
  );

  it('goes on in another process after a shutdown, which uses up no try', async () => {
    const first = await start({ script: [{ text: 'Late.', delay: 60_000 }], attempts: 1 });
    const { journal, prefix } = first;
    const id = await first.client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'running'));
    await first.application.close();
    expect((await journal.read(id))!.status).toBe('running');
    await start({ journal, prefix, script: ['Paid.'], sweepInterval: 60_000 });
    await until(isIn(journal, id, 'ended'));
    expect((await journal.read(id))!.entries.map(({ kind }) => kind)).not.toContain('failed');
  });

  it('of a conversation follows the ones before it after Redis has lost all jobs', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const web = await start({ role: 'web', memory: true });
    const send = () => web.client.prompt('Pay').conversation('lost').enqueue();
    const ids = [await send(), await send(), await send()];
    await deleteKeys(web.prefix);
    const journal = new Impatient(web.journal);
    await start({
      journal,
      prefix: web.prefix,
      memory: true,
      script: ['1', { error: new Error('no') }, '3'],
      attempts: 1,
    });
    await until(isIn(journal, ids[2]!, 'ended'));
    const statuses = await Promise.all(ids.map(async (id) => (await journal.read(id))!.status));
    expect(statuses).toEqual(['ended', 'failed', 'ended']);
  });

  it('that is not due yet holds no other turn of its conversation up, and is not begun by its jobId', async () => {
    const { client, journal } = await start({ script: ['Now.', 'Later.'], memory: true });
    const later = () => client.prompt('Later').conversation('a');
    const id = await later().enqueue({ delay: 3_600_000, jobId: 'later' });
    const now = await client.prompt('Now').conversation('a').enqueue();
    await until(isIn(journal, now, 'ended'));
    expect(await later().enqueue({ jobId: 'later' })).toBe(id);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await journal.read(id))!.status).toBe('queued');
  });

  it('that is not due yet can be stopped', async () => {
    const { client, journal, application } = await start({ log: new InMemoryTurnEventLog() });
    const id = await client.prompt('Pay').enqueue({ delay: 3_600_000 });
    await application.get(TurnStreams).stop(id);
    expect((await journal.read(id))!.status).toBe('ended');
  });

  it('is tried once in the conversation of another user, which the next turn of its user finds as it was', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { client, journal } = await start({ script: () => 'Noted.', memory: true, attempts: 5 });
    const ask = async (user: string) =>
      client
        .prompt('Hi')
        .conversation('c')
        .request({ user: { id: user } })
        .enqueue();
    await until(isIn(journal, await ask('ann'), 'ended'));
    const refused = await ask('bob');
    await until(isIn(journal, refused, 'failed'));
    expect((await journal.read(refused))!.entries).toContainEqual(
      expect.objectContaining({ kind: 'failed', errorType: 'ConversationOwnerException' }),
    );
    await until(isIn(journal, await ask('ann'), 'ended'));
  });

  it('leaves the type of its error in Redis, and no text', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const failure = Object.assign(new TypeError('secret 1234'), { code: 'secret 1234' });
    const { client, journal, prefix } = await start({ script: [{ error: failure }, { error: failure }], attempts: 2 });
    const id = await client.prompt('Pay').enqueue();
    let between = '';
    await until(async () => (between = await contentsOf(prefix)).includes('"failedReason"'));
    await until(isIn(journal, id, 'failed'));
    await until(async () => (await contentsOf(prefix)).includes('"retries-exhausted"'));
    for (const contents of [between, await contentsOf(prefix)]) {
      expect(contents).toContain('"TypeError"');
      expect(contents).not.toContain('secret');
    }
  });

  it('is given up if it fails before it begins, too, and the same job tries it again', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const findUser = jest.fn().mockReturnValue({});
    findUser.mockImplementationOnce(() => {
      throw new Error('There is no such user');
    });
    const { client, bank, journal } = await start({ request: findUser, attempts: 1 });
    const id = await client.prompt('Pay').enqueue({ jobId: 'pay' });
    await until(isIn(journal, id, 'failed'));
    expect(await client.prompt('Pay').enqueue({ jobId: 'pay' })).toBe(id);
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
  });

  it('that has failed is in the journal again when it is queued again, so that Redis may lose its job', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const script = [{ error: new Error('down') }];
    const failing = await start({ script, attempts: 1 });
    const id = await failing.client.prompt('Pay').enqueue({ jobId: 'pay' });
    await until(isIn(failing.journal, id, 'failed'));
    const { journal, prefix } = failing;
    await failing.application.close();
    const web = await start({ role: 'web', journal, prefix: newPrefix() });
    expect(await web.client.prompt('Pay').enqueue({ jobId: 'pay' })).toBe(id);
    expect((await journal.read(id))!.status).toBe('running');
    const { bank } = await start({ journal: new Impatient(journal), prefix });
    await until(isIn(journal, id, 'ended'));
    expect(bank.paid).toHaveLength(1);
  });

  it('shows tools the request that the application makes for it', async () => {
    const { client, bank, journal } = await start({ request: ({ id }) => ({ user: `of ${id}` }) });
    const id = await client.prompt('Pay').enqueue();
    await until(isIn(journal, id, 'ended'));
    expect(bank.requests).toEqual([{ user: `of ${id}` }]);
  });

  it('is not accepted if another process could not run it', async () => {
    const { client } = await start({ role: 'web' });
    await expect(
      client
        .prompt('Pay')
        .toolContext({ since: new Date(0) })
        .enqueue(),
    ).rejects.toThrow(
      "enqueue() cannot store the value 'since' of its toolContext, which is not JSON: another process runs the turn.",
    );
    await expect(client.prompt('Pay').tools(new Bank()).enqueue()).rejects.toThrow('tools that are not names');
    await expect(client.prompt('Pay').enqueue({ delay: -1 })).rejects.toThrow('delay must be');
    await expect(client.prompt('Pay').enqueue({ delay: 1e300 })).rejects.toThrow('delay must be');
    await expect(client.prompt('Pay').enqueue({ priority: 0 })).rejects.toThrow('priority must be');
    await expect(client.prompt('Pay').enqueue({ jobId: '' })).rejects.toThrow('jobId must be');
  });
});

(REDIS ? describe : describe.skip)('a long tool', () => {
  const WRITES = toolCall('write', { month: 'May' }, 'w1');
  const SENDS = toolCall('send', { to: 'ann' }, 's1');

  it('runs in a worker of its queue, for a turn of another process', async () => {
    const web = await start({ script: [{ toolCalls: [WRITES] }], role: 'web' });
    const worker = await start({ script: ['Written.'], journal: web.journal, prefix: web.prefix });
    const response = (await web.client.prompt('Write').call().chatResponse())!;
    expect(response.result!.metadata!['pendingApprovals']).toEqual([expect.objectContaining({ deferred: true })]);
    const id = String(response.metadata['turnId']);
    await until(isIn(web.journal, id, 'ended'));
    expect(worker.reports.written).toEqual(['May']);
    expect(web.reports.written).toEqual([]);
  });

  it('runs on the workers that have its queue', async () => {
    // Both have workers for turns.
    const script = ({ messages }: Prompt) => (messages.at(-1)!.role === 'tool' ? 'Written.' : { toolCalls: [WRITES] });
    const first = await start({ script, queues: { reports: 0, mails: 0 } });
    const second = await start({ script, journal: first.journal, prefix: first.prefix });
    const id = await first.client.prompt('Write').enqueue();
    await until(isIn(first.journal, id, 'ended'));
    expect(first.reports.written).toEqual([]);
    expect(second.reports.written).toEqual(['May']);
  });

  it('goes through the queues of several tools, and keeps its approval', async () => {
    const { client, reports, journal } = await start({ script: [{ toolCalls: [WRITES, SENDS] }, 'Done.'] });
    const id = await client.prompt('Write').enqueue();
    await until(() => reports.written.length === 1);
    await until(isIn(journal, id, 'suspended'));
    await client
      .prompt()
      .toolApprovals([{ toolCallId: 's1', approved: true }], { turnId: id })
      .enqueue();
    await until(isIn(journal, id, 'ended'));
    expect(reports.written).toEqual(['May', 'mail to ann']);
    const begun = (await journal.read(id))!.entries.flatMap((entry) =>
      entry.kind === 'call-began' ? entry.call.id : [],
    );
    expect(begun).toEqual(['w1', 's1']);
  });

  it('is found in the journal after Redis has lost its job', async () => {
    const web = await start({ script: [{ toolCalls: [WRITES] }], role: 'web' });
    const id = String((await web.client.prompt('Write').call().chatResponse())!.metadata['turnId']);
    await deleteKeys(web.prefix);
    const journal = new Impatient(web.journal);
    const { reports } = await start({ script: ['Written.'], journal, prefix: web.prefix });
    await until(isIn(web.journal, id, 'ended'));
    expect(reports.written).toEqual(['May']);
  });

  it('whose result comes from outside is continued by a worker', async () => {
    const script = [{ toolCalls: [toolCall('order', {}, 'o1')] }, 'Ordered.'];
    const { client, reports, results, journal } = await start({ script });
    const id = await client.prompt('Order').enqueue();
    await until(isIn(journal, id, 'suspended'));
    expect(await results.deliver(reports.key, 'the report')).toBe(true);
    await until(isIn(journal, id, 'ended'));
  });

  it('beside a call whose result comes from outside does not keep the turn from going on', async () => {
    const both = [WRITES, toolCall('order', {}, 'o1')];
    const web = await start({ script: [{ toolCalls: both }], role: 'web' });
    const id = String((await web.client.prompt('Both').call().chatResponse())!.metadata['turnId']);
    await web.results.deliver(web.reports.key, 'the order');
    const { reports } = await start({ script: ['Both.'], journal: web.journal, prefix: web.prefix });
    await until(isIn(web.journal, id, 'ended'));
    expect(reports.written).toEqual(['May']);
  });

  it('can be cancelled before it runs', async () => {
    const { client, reports, journal } = await start({ script: [{ toolCalls: [WRITES] }, 'No.'], role: 'web' });
    const id = String((await client.prompt('Write').call().chatResponse())!.metadata['turnId']);
    const denied = client.prompt().toolApprovals([{ toolCallId: 'w1', approved: false }], { turnId: id });
    expect(await denied.call().content()).toBe('No.');
    expect((await journal.read(id))!.status).toBe('ended');
    expect(reports.written).toEqual([]);
  });

  it('that no tool has stops the application', async () => {
    await expect(start({ queues: { repots: 2 } })).rejects.toThrow(
      'names queues that no tool has: repots. Tools of this application have: reports, mails.',
    );
    await expect(start({ queues: { reports: -1 } })).rejects.toThrow('queues.reports of BullAiModule must be');
  });
});

/** A journal of a turn that another process ends while a worker begins to continue it. */
class EndedMeanwhile extends InMemoryTurnJournal {
  override async findById(turnId: string) {
    const { entries } = this.read(turnId)!;
    const facts = { status: 'ended', client: 'default', pendingCallIds: [] } as const;
    this.append({ turnId, entries: [{ kind: 'ended' }], after: entries.length, owner: 'other', facts });
    return super.findById(turnId);
  }
}

(REDIS ? describe : describe.skip)('a turn that another process ends first', () => {
  it.each([[undefined], [new InMemoryTurnEventLog()]])('is not reported as failed', async (log) => {
    const journal = new EndedMeanwhile();
    const { application } = await start({ journal, attempts: 1, ...(log && { log }) });
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const begun: TurnEntry = { kind: 'begun', messages: [{ role: 'user', text: 'Hi' }], options: {}, context: {} };
    const facts = { status: 'running', client: 'default', pendingCallIds: [] } as const;
    journal.append({ turnId: 't', entries: [begun], after: 0, owner: 'first', facts });
    await application.get(BullTurnQueue).add('t', {});
    await until(isIn(journal, 't', 'ended'));
    await application.close();
    expect(error).not.toHaveBeenCalled();
  });
});

describe('a queue that cannot be reached', () => {
  it('does not lose the turn, and says where it is', async () => {
    const { client, journal } = await start({ role: 'web', connection: 'redis://127.0.0.1:1' });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const id = await client.prompt('Pay').enqueue();
    expect((await journal.read(id))!.status).toBe('queued');
    expect(warn).toHaveBeenCalledTimes(1);
    const lost = `The turn '${id}' was not queued, since Redis cannot be reached (ECONNREFUSED).`;
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(lost));
    warn.mockRestore();
  });

  (hasRedisProgram() ? it : it.skip)('says what to do about a cluster that refuses its keys', async () => {
    const nodes = join(tmpdir(), `${newPrefix()}.conf`);
    const server = await startRedis(['--cluster-enabled', 'yes', '--cluster-config-file', nodes]);
    const redis = new Redis(server.url);
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await until(async () => String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { client } = await start({ role: 'web', connection: server.url });
    await client.prompt('Pay').enqueue();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Write ai.bullmq.prefix in braces, such as {nestor}.'));
    warn.mockRestore();
    redis.disconnect();
    await server.stop();
    rmSync(nodes, { force: true });
  });
});

describe('mistakes', () => {
  it('without a journal, the application does not start', async () => {
    const application = await Test.createTestingModule({
      imports: [
        BullAiModule.forRoot({ connection: 'redis://127.0.0.1:1', role: 'web' }),
        AiModule.forRoot({ chatModel: new ScriptedChatModel([]), providers: BullAiModule.stores() }),
      ],
    }).compile();
    applications.push(application);
    await expect(application.init()).rejects.toThrow('BullAiModule needs a TurnJournal');
  });

  it('without AiModule, the application does not start', async () => {
    const imports = [BullAiModule.forRoot({ connection: 'redis://127.0.0.1:1', role: 'web' })];
    const application = await Test.createTestingModule({ imports }).compile();
    applications.push(application);
    await expect(application.init()).rejects.toThrow('BullAiModule needs AiModule');
  });

  it('without a queue, enqueue() says what to import', async () => {
    const application = await Test.createTestingModule({
      imports: [AiModule.forRoot({ chatModel: new ScriptedChatModel([]) })],
    }).compile();
    await application.init();
    applications.push(application);
    await expect(application.get(ChatClient).prompt('Pay').enqueue()).rejects.toThrow('enqueue() needs a TurnJournal');
  });

  it.each([
    [{ rolle: 'web' }, "BullAiModule has no option 'rolle'"],
    [{ concurrency: 0 }, 'ai.bullmq.concurrency'],
    [{ role: 'boss' }, 'ai.bullmq.role'],
    [{ request: 'me' }, 'request of BullAiModule is no function'],
  ])('an option that is wrong is named: %j', async (options, text) => {
    const starting = Test.createTestingModule({ imports: [BullAiModule.forRoot(options as BullAiModuleOptions)] });
    await expect(starting.compile()).rejects.toThrow(text);
  });
});

/** The same journal, in which turns seem to be unchanged for a long time. */
class Impatient extends TurnJournal {
  constructor(private readonly journal: Pick<TurnJournal, 'append' | 'read' | 'claim' | 'find'>) {
    super();
  }

  append = (append: Parameters<TurnJournal['append']>[0]) => this.journal.append(append);
  read = (id: string) => this.journal.read(id);
  claim = (...args: Parameters<TurnJournal['claim']>) => this.journal.claim(...args);
  find = ({ unchangedFor: _long, ...query }: Parameters<TurnJournal['find']>[0]) => this.journal.find(query);
}

/** The same journal, whose server can be away. */
class Unreliable extends TurnJournal {
  isAway = false;

  constructor(private readonly journal: TurnJournal) {
    super();
  }

  append = (append: Parameters<TurnJournal['append']>[0]) => this.#reach().append(append);
  read = (id: string) => this.#reach().read(id);
  claim = (...args: Parameters<TurnJournal['claim']>) => this.#reach().claim(...args);
  find = (query: Parameters<TurnJournal['find']>[0]) => this.#reach().find(query);

  #reach(): TurnJournal {
    if (this.isAway) throw Object.assign(new Error('Away'), { isConnectionFailure: true });
    return this.journal;
  }
}
