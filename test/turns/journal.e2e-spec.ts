import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiShutdownException,
  ChatClient,
  ChatClientBuilder,
  DefaultToolCallingManager,
  MessageWindowChatMemory,
  SuspendedTurnRepository,
  type Message,
  type ToolContext,
  type ToolPolicies,
  AiModule,
  FunctionToolCallback,
  MessageChatMemoryAdvisor,
  ToolCallingAdvisor,
  TOOL_CALLING_ADVISOR_OPTIONS,
} from '@nestor-ai/core';
import { InMemoryTurnJournal, type TurnAppend } from '@nestor-ai/turns';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { until } from '../until.js';

const PAY = toolCall('pay', { amount: 5 }, 'c1');
const textOf = (message: Message): unknown => Reflect.get(message, 'text');
/** It does not end by itself during a test. */
const LEASE = 60_000;

/** A journal of a process that dies at a given append: nothing reaches the store from then on. */
class Journal extends InMemoryTurnJournal {
  readonly turnIds = new Set<string>();
  readonly statements: (readonly string[])[] = [];
  isDead = false;
  diesAt: ((append: TurnAppend) => boolean) | undefined;

  /** Where the process stands still for so long that another one takes its turn over. */
  isTakenAt: ((append: TurnAppend) => boolean) | undefined;

  override append(append: TurnAppend): boolean {
    if (this.isTakenAt?.(append)) {
      this.isTakenAt = undefined;
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + LEASE + 1);
      super.append({ ...append, entries: [{ kind: 'claimed' }], owner: 'another', lease: LEASE });
    }
    if (this.diesAt?.(append)) this.isDead = true;
    if (this.isDead) throw new Error('connection lost');
    this.turnIds.add(append.turnId);
    this.statements.push(append.entries.map(({ kind }) => kind));
    return super.append(JSON.parse(JSON.stringify(append)) as TurnAppend);
  }

  override claim(turnId: string, after: number, owner: string, lease: number): boolean {
    if (this.isDead) throw new Error('connection lost');
    return super.claim(turnId, after, owner, lease);
  }

  get turnId(): string {
    return [...this.turnIds][0]!;
  }
}

interface BankOptions {
  readonly script: ScriptEntry[];
  readonly policies?: ToolPolicies;
  readonly run?: (context: ToolContext) => unknown;
  readonly order: number | undefined;
}

const applications: INestApplicationContext[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  for (const application of applications.splice(0)) await application.close();
});

async function bank({ script, policies = {}, run = () => 'done', order }: BankOptions) {
  const journal = new Journal();
  const done: string[] = [];
  const model = new ScriptedChatModel(script);
  const memory = new MessageWindowChatMemory();
  const pay = new FunctionToolCallback({
    name: 'pay',
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
    toolFunction: (_input, context) => {
      done.push(context.idempotencyKey);
      return run(context);
    },
    toolMetadata: { returnDirect: false, ...policies },
  });
  const chatMemory = new MessageChatMemoryAdvisor({ chatMemory: memory, ...(order !== undefined && { order }) });
  const application = await Test.createTestingModule({
    imports: [
      AiModule.forRoot({
        chatModel: model,
        providers: [
          { provide: SuspendedTurnRepository, useValue: journal },
          { provide: MessageChatMemoryAdvisor, useValue: chatMemory },
          {
            provide: TOOL_CALLING_ADVISOR_OPTIONS,
            inject: [SuspendedTurnRepository],
            useFactory: (suspendedTurnRepository: SuspendedTurnRepository) => ({
              suspendedTurnRepository,
              turnLease: LEASE,
            }),
          },
        ],
        properties: { chat: { memory: { enabled: true } } },
      }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  const client = (await application.resolve(ChatClientBuilder)).defaultTools(pay).build();
  return { journal, done, model, memory, client };
}

const ASKS: ScriptEntry = { toolCalls: [PAY] };
const PLACES = [
  ['around the loop', undefined],
  ['inside of the loop', ToolCallingAdvisor.DEFAULT_ORDER + 100],
] as const;

describe.each(PLACES)('a journal, with a memory %s', (_place, order) => {
  it('has each step of a turn, and its end', async () => {
    const { journal, client } = await bank({ order, script: [ASKS, 'Paid.'] });
    expect(await client.prompt('Pay').conversation('c').call().content()).toBe('Paid.');
    await until(() => journal.read(journal.turnId)!.status === 'ended');
    const kinds = journal.read(journal.turnId)!.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(['begun', 'answered', 'call-began', 'call-ended', 'answered', 'ended']);
    expect(journal.read(journal.turnId)).toMatchObject({ status: 'ended', conversationId: 'c', pendingCallIds: [] });
  });

  it('continues after a crash during the first answer of the model', async () => {
    const { journal, model, memory, client } = await bank({ order, script: ['Lost.', 'Hello.'] });
    journal.diesAt = ({ entries }) => entries.some(({ kind }) => kind === 'answered');
    await client.prompt('Hi').conversation('c').call().content();
    await memory.clear('c');
    revived(journal);
    const again = client.prompt().conversation('c').toolApprovals([], { turnId: journal.turnId });
    expect(await again.call().content()).toBe('Hello.');
    expect(model.prompts.at(-1)!.messages.map(textOf)).toEqual(['Hi']);
    expect((await memory.get('c')).map(textOf)).toEqual(['Hi', 'Hello.']);
  });

  it('does not ask the model again for calls that have not started', async () => {
    const { journal, done, model, client } = await bank({ order, script: [ASKS, 'Paid.'] });
    journal.diesAt = ({ entries }) => entries.some(({ kind }) => kind === 'call-ended');
    const answered = bankCrash(client);
    await answered;
    expect(done).toHaveLength(1);
    expect(model.prompts).toHaveLength(2);
  });

  it('does not run a call again that may have run', async () => {
    const { journal, done, client } = await bank({ order, script: [ASKS, 'Lost.', 'Paid.'] });
    journal.diesAt = ({ entries }) => entries.some(({ kind }) => kind === 'call-ended');
    await bankCrash(client);
    revived(journal);
    const goOn = (approvals: Parameters<ReturnType<ChatClient['prompt']>['toolApprovals']>[0]) =>
      client.prompt().conversation('c').toolApprovals(approvals, { turnId: journal.turnId }).call().content();
    await expect(goOn([])).rejects.toThrow("were interrupted and may have run: 'c1' (pay)");
    expect(await goOn([{ toolCallId: 'c1', approved: false, reason: 'It ran.' }])).toBe('Paid.');
    expect(done).toHaveLength(1);
  });

  it('runs a call again that is safe to repeat, with the same key', async () => {
    const { journal, done, client } = await bank({
      order,
      script: [ASKS, 'Lost.', 'Paid.'],
      policies: { replaySafe: true },
    });
    journal.diesAt = ({ entries }) => entries.some(({ kind }) => kind === 'call-ended');
    await bankCrash(client);
    revived(journal);
    expect(await client.prompt().conversation('c').toolApprovals([], { turnId: journal.turnId }).call().content()).toBe(
      'Paid.',
    );
    expect(done).toEqual([`${journal.turnId}:c1`, `${journal.turnId}:c1`]);
  });

  it('keeps results of calls that ended, and does not pay for the first answer again', async () => {
    const { journal, done, model, memory, client } = await bank({ order, script: [ASKS, 'Lost.', 'Paid.'] });
    journal.diesAt = ({ entries }) => entries.some((entry) => entry.kind === 'answered' && entry.isFinal);
    await bankCrash(client);
    await memory.clear('c');
    revived(journal);
    const again = client.prompt().conversation('c').toolApprovals([], { turnId: journal.turnId });
    expect((await lastValueFrom(again.stream().content().pipe(toArray()))).join('')).toBe('Paid.');
    expect(done).toHaveLength(1);
    expect(model.prompts.at(-1)!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    const inMemory = (await memory.get('c')).map(({ role }) => role);
    expect(inMemory).toEqual(order === undefined ? ['user', 'assistant'] : ['user', 'assistant', 'tool', 'assistant']);
  });

  it('adds a turn once to the memory if the process dies before the end is stored', async () => {
    const { journal, model, memory, client } = await bank({ order, script: [ASKS, 'Paid.'] });
    journal.diesAt = ({ entries }) => entries.some(({ kind }) => kind === 'ended');
    await bankCrash(client);
    revived(journal);
    const before = await memory.get('c');
    const again = client.prompt().conversation('c').toolApprovals([], { turnId: journal.turnId });
    expect(await again.call().content()).toBe('Paid.');
    expect(await memory.get('c')).toEqual(before);
    expect(model.prompts).toHaveLength(2);
    expect(journal.read(journal.turnId)!.status).toBe('ended');
  });

  it('says nothing in the conversation once another process has taken the turn over', async () => {
    const { journal, memory, client } = await bank({ order, script: ['Mine.'] });
    journal.isTakenAt = ({ entries }) => entries.some(({ kind }) => kind === 'answered');
    const asking = client.prompt('Hi').conversation('c').call().content();
    await expect(asking).rejects.toThrow('was already resumed');
    expect(await memory.get('c')).toEqual([]);
    expect(journal.read(journal.turnId)!.entries.map(({ kind }) => kind)).toEqual(['begun', 'claimed']);
  });

  it('goes on with a turn when the clock of the machine is set forward', async () => {
    const { journal, done, client } = await bank({ order, script: [ASKS, 'Paid.'] });
    journal.diesAt = () => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * LEASE);
      return false;
    };
    expect(await client.prompt('Pay').conversation('c').call().content()).toBe('Paid.');
    expect(done).toHaveLength(1);
  });

  it('has a turn that waits for approval, and resumes it', async () => {
    const { journal, done, client } = await bank({ order, script: [ASKS, 'Paid.'], policies: { needsApproval: true } });
    const response = await client.prompt('Pay').conversation('c').call().chatResponse();
    const turnId = response!.metadata.turnId as string;
    expect(journal.read(turnId)).toMatchObject({ status: 'suspended', pendingCallIds: ['c1'] });
    const approvals = [{ toolCallId: 'c1', approved: true }];
    expect(await client.prompt().conversation('c').toolApprovals(approvals).call().content()).toBe('Paid.');
    expect(done).toEqual([`${turnId}:c1`]);
    await until(() => journal.read(turnId)!.status === 'ended');
    await expect(
      client.prompt().conversation('c').toolApprovals(approvals, { turnId }).call().content(),
    ).rejects.toThrow(`No turn '${turnId}' waits`);
  });

  it('keeps a turn whose model fails, which another request continues', async () => {
    const { journal, done, client } = await bank({ order, script: [ASKS, { error: new Error('down') }, 'Paid.'] });
    await expect(client.prompt('Pay').conversation('c').call().content()).rejects.toThrow('down');
    expect(journal.read(journal.turnId)).toMatchObject({ status: 'failed' });
    expect(await client.prompt().conversation('c').toolApprovals([], { turnId: journal.turnId }).call().content()).toBe(
      'Paid.',
    );
    expect(done).toHaveLength(1);
  });
});

it('calls count towards their limit if the process shuts down before their code runs', async () => {
  const journal = new Journal();
  const done: string[] = [];
  const call = (id: string) => ({ toolCalls: [toolCall('pay', {}, id)] });
  const ending = new AbortController();
  const limits = { maxCallsPerTool: 1, onLimitExceeded: 'RETURN_ERROR_RESPONSE' } as const;
  const observers = [{ toolCalled: () => ending.abort(new AiShutdownException()) }] as never;
  const client = ChatClient.builder(new ScriptedChatModel([call('c1'), call('c2'), 'Done.']))
    .defaultTools(new FunctionToolCallback({ name: 'pay', toolFunction: () => `paid ${done.push('pay')}` }))
    .defaultAdvisors(
      new ToolCallingAdvisor({
        suspendedTurnRepository: journal,
        toolCallingManager: new DefaultToolCallingManager({ limits, observers }),
      }),
    )
    .build();
  await expect(client.prompt('Pay').options({ signal: ending.signal }).call().content()).rejects.toThrow();
  expect(await client.prompt().toolApprovals([], { turnId: journal.turnId }).call().content()).toBe('Done.');
  expect(done).toEqual(['pay']);
});

/** A turn whose journal dies on the way. What the caller gets does not matter. */
async function bankCrash(client: ChatClient): Promise<void> {
  await client
    .prompt('Pay')
    .conversation('c')
    .call()
    .content()
    .catch(() => undefined);
}

/** The lease of the dead process has ended. */
function revived(journal: Journal): void {
  const later = Date.now() + LEASE + 1;
  jest.spyOn(Date, 'now').mockReturnValue(later);
  journal.isDead = false;
  journal.diesAt = undefined;
}
