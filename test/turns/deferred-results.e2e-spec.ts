import { afterEach, describe, expect, it } from '@jest/globals';
import { type HttpException, type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AiModule,
  ChatClient,
  Tool,
  ToolCallers,
  ToolRegistry,
  ToolContext,
  ToolParam,
  type ToolPolicies,
  type ToolResponseMessage,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import { AiTurnsModule, DeferredResults, InMemoryTurnJournal, TurnJournal } from '@nestor-ai/turns';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';

const ASKS: ScriptEntry = { toolCalls: [toolCall('report', { month: 'May' }, 'c1')] };
const ASKS_BOTH: ScriptEntry = {
  toolCalls: [toolCall('report', { month: 'May' }, 'c1'), toolCall('report', { month: 'June' }, 'c2')],
};

@Injectable()
class Reports {
  readonly started = new Map<string, string>();
  reply: ((key: string) => unknown) | undefined;
  isFast = true;

  @Tool({ description: 'Writes a report' })
  async report(@ToolParam({ description: 'Which month' }) month: string, context: ToolContext): Promise<string> {
    this.started.set(month, context.idempotencyKey);
    this.reply?.(context.idempotencyKey);
    if (!this.isFast) await new Promise((resolve) => setTimeout(resolve, 150));
    return context.defer();
  }
}

@Module({ providers: [Reports], exports: [Reports] })
class ReportsModule {}

const applications: INestApplicationContext[] = [];

afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
});

async function start(script: ScriptEntry[], journal?: TurnJournal | null, policies: ToolPolicies = {}) {
  const own = journal === undefined ? new InMemoryTurnJournal() : journal;
  const model = new ScriptedChatModel(script);
  const application = await Test.createTestingModule({
    imports: [
      ReportsModule,
      AiModule.forRoot({
        chatModel: model,
        providers: [
          ...AiTurnsModule.providers(),
          ...(own ? [{ provide: SuspendedTurnRepository, useValue: own }] : []),
        ],
        properties: { tools: { overrides: { report: policies as { needsApproval?: boolean } } } },
      }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  const client = application.get(ChatClient);
  return {
    client,
    model,
    reports: application.get(Reports),
    results: application.get(DeferredResults),
    callers: application.get(ToolCallers),
    registry: application.get(ToolRegistry),
    journal: own as InMemoryTurnJournal,
    goOn: (turnId: string) => client.prompt().toolApprovals([], { turnId }).call().chatResponse(),
  };
}

async function suspended({ client }: Awaited<ReturnType<typeof start>>) {
  const { metadata, result } = (await client.prompt('Report').call().chatResponse())!;
  return { turnId: String(metadata['turnId']), waiting: result!.metadata!['pendingApprovals'] };
}

describe('a result that comes later', () => {
  it('suspends the turn, which continues with the result', async () => {
    const app = await start([ASKS, 'May was good.']);
    const { turnId, waiting } = await suspended(app);
    expect(waiting).toEqual([expect.objectContaining({ id: 'c1', deferred: true })]);
    const key = app.reports.started.get('May')!;
    expect(await app.results.deliver(key, { revenue: 12 })).toBe(true);
    const response = await app.goOn(turnId);
    expect(response!.text).toBe('May was good.');
    expect(app.model.prompts.at(-1)!.messages.at(-1)).toMatchObject({
      responses: [{ id: 'c1', responseData: '{"revenue":12}' }],
    });
    expect(app.reports.started.size).toBe(1);
    expect((await app.journal.read(turnId))!.status).toBe('ended');
  });

  it('may arrive more than once', async () => {
    const app = await start([ASKS, 'Done.']);
    const { turnId } = await suspended(app);
    const key = app.reports.started.get('May')!;
    const delivered = await Promise.all([1, 2, 3].map((value) => app.results.deliver(key, value)));
    expect(delivered.filter(Boolean)).toHaveLength(1);
    await app.goOn(turnId);
    expect(await app.results.deliver(key, 'late')).toBe(false);
  });

  it('may arrive before the turn is suspended', async () => {
    const app = await start([ASKS, 'Done.']);
    app.reports.isFast = false;
    let delivering: Promise<boolean> | undefined;
    app.reports.reply = (key) => (delivering = app.results.deliver(key, 'early'));
    const { turnId } = await suspended(app);
    expect(await delivering).toBe(true);
    expect((await app.goOn(turnId))!.text).toBe('Done.');
  });

  it('may be a failure, which the model reads', async () => {
    const app = await start([ASKS, 'Sorry.']);
    const { turnId } = await suspended(app);
    await app.results.fail(app.reports.started.get('May')!, 'No data for May.');
    await app.goOn(turnId);
    const [response] = (app.model.prompts.at(-1)!.messages.at(-1) as ToolResponseMessage).responses;
    expect(response).toMatchObject({ isError: true, responseData: expect.stringContaining('No data for May.') });
  });

  it('is an event of the stream that continues the turn', async () => {
    const app = await start([ASKS, 'Done.']);
    const { turnId } = await suspended(app);
    await app.results.deliver(app.reports.started.get('May')!, 'good');
    const events = app.client.prompt().toolApprovals([], { turnId }).stream().events();
    const kinds = (await lastValueFrom(events.pipe(toArray()))).map(({ type }) => type);
    expect(kinds).toContain('tool-result');
  });

  it('of several calls, the turn waits for all', async () => {
    const app = await start([ASKS_BOTH, 'Both.']);
    const { turnId } = await suspended(app);
    await app.results.deliver(app.reports.started.get('May')!, 'May');
    expect((await app.journal.read(turnId))!.status).toBe('suspended');
    await app.results.deliver(app.reports.started.get('June')!, 'June');
    expect((await app.journal.read(turnId))!.status).toBe('running');
    expect((await app.goOn(turnId))!.text).toBe('Both.');
  });

  it('keeps the other calls waiting when the turn continues early', async () => {
    const app = await start([ASKS_BOTH, 'Both.']);
    const { turnId } = await suspended(app);
    await app.results.deliver(app.reports.started.get('May')!, 'May');
    const early = await app.goOn(turnId);
    expect(early!.result!.metadata!['pendingApprovals']).toEqual([expect.objectContaining({ id: 'c2' })]);
    await app.results.deliver(app.reports.started.get('June')!, 'June');
    expect((await app.goOn(turnId))!.text).toBe('Both.');
    const asked = app.model.prompts.at(-1)!.messages.at(-1) as ToolResponseMessage;
    expect(asked.responses).toMatchObject([{ responseData: 'May' }, { responseData: 'June' }]);
  });

  it('comes after an approval', async () => {
    const app = await start([ASKS, 'Done.'], undefined, { needsApproval: true });
    const { turnId } = await suspended(app);
    expect(app.reports.started.size).toBe(0);
    await app.client
      .prompt()
      .toolApprovals([{ toolCallId: 'c1', approved: true }], { turnId })
      .call()
      .chatResponse();
    await app.results.deliver(app.reports.started.get('May')!, 'good');
    expect((await app.goOn(turnId))!.text).toBe('Done.');
    expect(app.reports.started.size).toBe(1);
  });

  it('cannot be approved, but cancelled', async () => {
    const app = await start([ASKS, 'Cancelled.']);
    const { turnId } = await suspended(app);
    const decide = (approved: boolean) =>
      app.client
        .prompt()
        .toolApprovals([{ toolCallId: 'c1', approved }], { turnId })
        .call()
        .chatResponse();
    await expect(decide(true)).rejects.toThrow("The tool call 'c1' waits for its result");
    expect((await decide(false))!.text).toBe('Cancelled.');
    await expect(app.results.deliver(app.reports.started.get('May')!, 1)).resolves.toBe(false);
  });
});

describe('mistakes', () => {
  it('a result that cannot be stored rejects the delivery, and the call goes on waiting', async () => {
    const app = await start([ASKS, 'Done.']);
    const { turnId } = await suspended(app);
    const key = app.reports.started.get('May')!;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const delivering = app.results.deliver(key, revoked.proxy);
    await expect(delivering).rejects.toThrow('revoked');
    expect((await app.journal.read(turnId))!.status).toBe('suspended');
    expect(await app.results.deliver(key, 'good')).toBe(true);
  });

  it.each([undefined, null, '', ' ', {}])(
    'a failure with the reason %p is refused, and is no success',
    async (reason) => {
      const app = await start([ASKS, 'Sorry.']);
      const { turnId } = await suspended(app);
      const failing = app.results.fail(app.reports.started.get('May')!, reason as string);
      await expect(failing).rejects.toThrow('fail() needs the reason as a text');
      expect((await app.journal.read(turnId))!.status).toBe('suspended');
    },
  );

  it('a key that no call has is refused', async () => {
    const app = await start([ASKS, 'Done.']);
    const { turnId } = await suspended(app);
    for (const key of ['', 'c1', 'other:c1', `${turnId}:c9`, `${turnId}:`, `${turnId}:__proto__`]) {
      const refused: unknown = await app.results.deliver(key, 1).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: 'DeferredResultException', problem: 'missing' });
      expect((refused as HttpException).getStatus()).toBe(404);
    }
  });

  it('without a journal, the tool cannot defer', async () => {
    const app = await start([ASKS, 'Sorry.'], null);
    expect(await app.client.prompt('Report').call().content()).toBe('Sorry.');
    const [response] = (app.model.prompts.at(-1)!.messages.at(-1) as ToolResponseMessage).responses;
    expect(response).toMatchObject({ isError: true, responseData: expect.stringContaining('needs a turn') });
    await expect(app.results.deliver('a:b', 1)).rejects.toThrow('DeferredResults needs a TurnJournal');
  });

  it('a result that is no JSON becomes what JSON can say', async () => {
    const app = await start([ASKS, 'Done.']);
    const { turnId } = await suspended(app);
    await app.results.deliver(app.reports.started.get('May')!, { big: 10n, none: undefined });
    await app.goOn(turnId);
    const [response] = (app.model.prompts.at(-1)!.messages.at(-1) as ToolResponseMessage).responses;
    expect(response).toMatchObject({ responseData: '{"big":"10"}' });
  });
});

describe('a call from outside', () => {
  it('cannot wait for a result, since no turn continues it', async () => {
    const app = await start([]);
    const caller = app.callers.of('outside');
    const tool = app.registry.get('report')!.callback;
    const answer = await caller.call({ tool, arguments: { month: 'May' }, request: undefined, idempotencyKey: 'key' });
    expect(answer).toMatchObject({ status: 'answered', response: { isError: true } });
    expect(app.reports.started.get('May')).toBe('key');
  });
});
