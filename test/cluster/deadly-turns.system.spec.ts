import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { TurnJournal } from '@nestor-ai/turns';
import { BullAiModule } from '@nestor-ai/bullmq';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { PostgresTurnJournal } from '@nestor-ai/postgres';
import { hasServer, openTestDatabase, TEST_POSTGRES, type TestDatabase } from '../postgres/test-database.js';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';

const WHAT = 'Turns that end their process';
const hasServices = (await hasRedis(WHAT)) && (await hasServer(WHAT));
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

(hasServices ? describe : describe.skip)('a turn that ends its process', () => {
  let test: TestDatabase;
  let web: TestingModule;
  const prefix = newPrefix();
  const replicas = new Set<ChildProcess>();

  beforeAll(async () => {
    test = await openTestDatabase();
    web = await Test.createTestingModule({
      imports: [
        BullAiModule.forRoot({ connection: TEST_REDIS, prefix, role: 'web' }),
        AiModule.forRoot({
          chatModel: new ScriptedChatModel([]),
          providers: [
            { provide: SuspendedTurnRepository, useValue: new PostgresTurnJournal(test.database) },
            ...BullAiModule.stores(),
          ],
        }),
      ],
    }).compile();
    await web.init();
  });
  afterEach(() => {
    for (const replica of replicas) replica.kill('SIGKILL');
  });
  afterAll(async () => {
    await web.close();
    await deleteKeys(prefix);
    await test.close();
  });

  const start = (where: string): ChildProcess => {
    const args = [
      '--import',
      here('../../apps/from-sources.mjs'),
      here('./deadly-replica.ts'),
      test.schema,
      prefix,
      where,
    ];
    const env = { ...process.env, POSTGRES_URL: TEST_POSTGRES, REDIS_URL: TEST_REDIS };
    const replica = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    replicas.add(replica);
    return replica;
  };

  it.each(['model', 'request'])(
    'in the %s is given up after so many deaths as it has attempts',
    async (where) => {
      const journal = web.get(TurnJournal);
      const id = await web.get(ChatClient).prompt('Die').enqueue();
      const isFailed = async (): Promise<boolean> => (await journal.read(id))!.status === 'failed';
      const deaths: unknown[] = [];
      let replica = start(where);
      while (!(await isFailed()) && deaths.length < 6) {
        if (replica.exitCode === null && replica.signalCode === null) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          continue;
        }
        deaths.push(replica.signalCode);
        replica = start(where);
      }
      expect(await isFailed()).toBe(true);
      expect(deaths).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
      const failures = (await journal.read(id))!.entries.filter(({ kind }) => kind === 'failed');
      expect(failures).toEqual(Array.from({ length: 3 }, () => ({ kind: 'failed', errorType: 'WorkerDiedException' })));
    },
    300_000,
  );
});
