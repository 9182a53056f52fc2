import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module, Scope, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { InMemoryTurnJournal, TurnJournal } from '@nestor-ai/turns';
import { BullAiModule, ScheduledTurn, type ScheduledTurnOptions, type ScheduledTurnTick } from '@nestor-ai/bullmq';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';
import { until } from '../until.js';

const REDIS = await hasRedis('Scheduled turns');

const applications: INestApplicationContext[] = [];
const prefixes: string[] = [];

afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
  for (const prefix of prefixes.splice(0)) if (REDIS) await deleteKeys(prefix);
});

function digestOf(options: ScheduledTurnOptions, result?: unknown) {
  @Injectable()
  class Digest {
    readonly ticks: ScheduledTurnTick[] = [];

    constructor(private readonly client: ChatClient) {}

    @ScheduledTurn(options)
    digest(tick: ScheduledTurnTick) {
      this.ticks.push(tick);
      return (result === undefined ? this.client.prompt('Digest') : result === null ? undefined : result) as undefined;
    }
  }

  @Module({ providers: [Digest], exports: [Digest] })
  class DigestModule {}

  return { Digest, DigestModule };
}

async function start(
  { Digest, DigestModule }: ReturnType<typeof digestOf>,
  journal: TurnJournal = new InMemoryTurnJournal(),
  prefix = newPrefix(),
  options: object = {},
  imports: readonly Type[] = [],
) {
  prefixes.push(prefix);
  const application = await Test.createTestingModule({
    imports: [
      DigestModule,
      ...imports,
      BullAiModule.forRoot({ connection: TEST_REDIS, prefix, sweepInterval: 150, ...options }),
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(() => 'Digested.'),
        providers: [{ provide: SuspendedTurnRepository, useValue: journal }, ...BullAiModule.stores()],
      }),
    ],
  }).compile();
  applications.push(application);
  await application.init();
  return { digest: application.get(Digest), journal, prefix };
}

const turnsOf = async (journal: TurnJournal) => (await journal.find({ limit: 100 })).map(({ id }) => id);

(REDIS ? describe : describe.skip)('a scheduled turn', () => {
  it('runs once for all replicas', async () => {
    const digest = digestOf({ every: 300, name: 'digest' });
    const first = await start(digest);
    const second = await start(digest, first.journal, first.prefix);
    const ticks = () => [...first.digest.ticks, ...second.digest.ticks];
    await until(() => ticks().length >= 4);
    const due = ticks().map(({ dueAt }) => dueAt.getTime());
    expect(new Set(due).size).toBe(due.length);
    await until(async () => (await turnsOf(first.journal)).length >= 4);
  });

  it('follows a pattern, and is restored after Redis has lost its data', async () => {
    const app = await start(digestOf({ pattern: '* * * * * *', tz: 'Europe/Berlin' }));
    await until(() => app.digest.ticks.length >= 1);
    expect(app.digest.ticks[0]!.name).toBe('Digest.digest');
    await deleteKeys(app.prefix);
    const before = app.digest.ticks.length;
    await until(() => app.digest.ticks.length > before + 1);
  });

  it('is left out when its method returns no request', async () => {
    const app = await start(digestOf({ every: 50 }, null));
    await until(() => app.digest.ticks.length >= 2);
    expect(await turnsOf(app.journal)).toEqual([]);
  });

  it('does not run in a process that only queues', async () => {
    const digest = digestOf({ every: 50 });
    const web = await start(digest, undefined, undefined, { role: 'web' });
    const worker = await start(digest, web.journal, web.prefix);
    await until(() => worker.digest.ticks.length >= 2);
    expect(web.digest.ticks).toEqual([]);
  });
});

describe('mistakes', () => {
  it.each<[ScheduledTurnOptions, string]>([
    [{}, 'Digest.digest: set either the pattern or every'],
    [{ every: 0 }, 'every must be a number of milliseconds'],
    [{ every: 5, pattern: '* * * * *' }, 'set either the pattern or every'],
    [{ every: 5, name: 'a:b' }, 'cannot be empty or contain a colon'],
  ])('%j stops the application', async (options, text) => {
    await expect(start(digestOf(options), undefined, undefined, { role: 'web' })).rejects.toThrow(text);
  });

  it('two classes of one name need names for their schedules', async () => {
    const [one, other] = [digestOf({ every: 50 }), digestOf({ every: 50 })];
    const imports = [other.DigestModule];
    await expect(start(one, undefined, undefined, { role: 'web' }, imports)).rejects.toThrow(
      "Digest.digest: Digest.digest has the same name 'Digest.digest'. Set another one: @ScheduledTurn({ name }).",
    );
  });

  it('a request-scoped provider cannot have a schedule', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      @ScheduledTurn({ every: 50 })
      digest() {
        return undefined;
      }
    }

    @Module({ providers: [Scoped] })
    class ScopedModule {}

    const application = await Test.createTestingModule({
      imports: [
        ScopedModule,
        BullAiModule.forRoot({ connection: TEST_REDIS, role: 'web' }),
        AiModule.forRoot({
          chatModel: new ScriptedChatModel([]),
          providers: [{ provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal }, ...BullAiModule.stores()],
        }),
      ],
    }).compile();
    applications.push(application);
    await expect(application.init()).rejects.toThrow('Scoped.digest: a request-scoped provider cannot have');
  });
});
