import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { InMemoryTurnEventLog, InMemoryTurnJournal, TurnEventLog, TurnJournal, TurnStreams } from '@nestor-ai/turns';
import { BullAiModule, type BullAiModuleOptions } from '@nestor-ai/bullmq';
import { ScriptedChatModel, type ScriptEntry } from '@nestor-ai/testing';
import { firstValueFrom, take, toArray } from 'rxjs';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';

const REDIS = await hasRedis('Streams of turns in a queue');
const applications: INestApplicationContext[] = [];
const prefixes: string[] = [];

afterEach(async () => {
  for (const application of applications.splice(0)) await application.close();
  for (const prefix of prefixes.splice(0)) await deleteKeys(prefix);
});

interface Shared {
  readonly prefix: string;
  readonly journal: TurnJournal;
  readonly log: TurnEventLog;
}

function shared(): Shared {
  const prefix = newPrefix();
  prefixes.push(prefix);
  return { prefix, journal: new InMemoryTurnJournal(), log: new InMemoryTurnEventLog() };
}

async function start(script: ScriptEntry[], { prefix, journal, log }: Shared, options: BullAiModuleOptions = {}) {
  const application = await Test.createTestingModule({
    imports: [
      BullAiModule.forRoot({ connection: TEST_REDIS, prefix, sweepInterval: 200, ...options }),
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(script),
        providers: [
          { provide: SuspendedTurnRepository, useValue: journal },
          { provide: TurnEventLog, useValue: log },
          ...BullAiModule.stores(),
        ],
      }),
    ],
  }).compile();
  await application.init();
  applications.push(application);
  return { client: application.get(ChatClient), streams: application.get(TurnStreams) };
}

const all = (streams: TurnStreams, id: string) => firstValueFrom(streams.events(id).pipe(toArray()));

(REDIS ? describe : describe.skip)('a turn that a worker streams', () => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);

  it('is read in the process that has queued it', async () => {
    const both = shared();
    const web = await start([], both, { role: 'web' });
    await start(['Hello Ann.'], both);
    const id = await web.client.prompt('Hello').enqueue();
    const events = await all(web.streams, id);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.flatMap(({ event }) => (event.type === 'text' ? event.text : [])).join('')).toBe('Hello Ann.');
    expect(events.at(-1)!.event).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('is not over for its readers when an attempt fails, only when the last one does', async () => {
    const both = shared();
    const failing: ScriptEntry = { chunks: ['Half '], error: new Error('The model is down') };
    const { client, streams } = await start([failing, 'Whole.'], both, { attempts: 2 });
    const id = await client.prompt('Hello').enqueue();
    const types = (await all(streams, id)).map(({ event }) => event.type);
    expect(types.filter((type) => type !== 'usage')).toEqual(['text', 'restart', 'text', 'finish']);

    const last = await start([failing], shared(), { attempts: 1 });
    const failed = await all(last.streams, await last.client.prompt('Hello').enqueue());
    expect(failed.at(-1)!.event).toEqual({ type: 'error', message: 'The answer could not be completed.' });
  });

  it('is stopped from another process, and no worker takes it again', async () => {
    const both = shared();
    const web = await start([], both, { role: 'web' });
    await start([{ chunks: Array.from({ length: 10_000 }, () => 'word '), delay: 5 }], both);
    const id = await web.client.prompt('Tell me a story').enqueue();
    await firstValueFrom(web.streams.events(id).pipe(take(1)));
    await web.streams.stop(id);
    expect((await all(web.streams, id)).at(-1)!.event).toMatchObject({ type: 'finish', finishReason: 'stopped' });
    expect((await both.journal.read(id))!.status).toBe('ended');
  });
});
