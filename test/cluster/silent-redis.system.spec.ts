import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BullAiModule } from '@nestor-ai/bullmq';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { TcpProxy } from '../tcp-proxy.js';
import { hasRedisProgram, type Server, startRedis } from './chaos/servers.js';

/** So long that the sweep does not help. */
const NEVER = 3_600_000;

(hasRedisProgram() ? describe : describe.skip)('turns whose connections to Redis are dropped silently', () => {
  let redis: Server;
  let proxy: TcpProxy;
  let application: INestApplicationContext;
  const warned: unknown[] = [];
  const journal = new InMemoryTurnJournal();

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warned.push(text));
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    redis = await startRedis();
    proxy = await TcpProxy.open(Number(new URL(redis.url).port));
    const module = Test.createTestingModule({
      imports: [
        BullAiModule.forRoot({ connection: `redis://127.0.0.1:${proxy.port}`, sweepInterval: NEVER }),
        AiModule.forRoot({
          chatModel: new ScriptedChatModel(['first', 'second']),
          providers: [{ provide: SuspendedTurnRepository, useValue: journal }, ...BullAiModule.stores()],
        }),
      ],
    });
    application = await (await module.compile()).init();
  });
  afterAll(async () => {
    await application.close();
    await proxy.close();
    await redis.stop();
  });

  it('are queued and run over new ones', async () => {
    const run = async (question: string): Promise<void> => {
      const id = await application.get(ChatClient).prompt(question).enqueue();
      while ((await journal.read(id))?.status !== 'ended') await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await run('before');
    proxy.silence();
    await run('after');
    expect(warned).toEqual([]);
  });
});
