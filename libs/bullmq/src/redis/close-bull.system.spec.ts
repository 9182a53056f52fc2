import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Injectable, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { InMemoryTurnJournal, TurnJournal } from '@nestor-ai/turns';
import { hasRedisProgram, type Server, startRedis } from '../../../../test/cluster/chaos/servers.js';
import { until } from '../../../../test/until.js';
import { BullAiModule } from '../nest/bull-ai.module.js';
import { ScheduledTurn } from '../schedules/scheduled-turn.decorator.js';

@Injectable()
class Digest {
  ticks = 0;

  @ScheduledTurn({ every: 50 })
  digest(): undefined {
    this.ticks++;
  }
}

async function start(connection: string): Promise<INestApplicationContext> {
  const module = Test.createTestingModule({
    imports: [
      BullAiModule.forRoot({ connection }),
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(() => 'Hello.'),
        providers: [{ provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal }, ...BullAiModule.stores()],
      }),
    ],
    providers: [Digest],
  });
  return (await module.compile()).init();
}

let redis: Server | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await redis?.stop();
  redis = undefined;
});

describe('an application closes while Redis is away', () => {
  const mute = () => jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);

  it('that was never there', async () => {
    const error = mute();
    const application = await start('redis://127.0.0.1:1');
    await until(() => error.mock.calls.length > 0);
    await application.close();
  }, 20_000);

  (hasRedisProgram() ? it : it.skip)(
    'that has gone',
    async () => {
      const error = mute();
      redis = await startRedis();
      const application = await start(redis.url);
      const id = await application.get(ChatClient).prompt('Hi').enqueue();
      await until(async () => (await application.get(TurnJournal).read(id))?.status === 'ended');
      await until(() => application.get(Digest).ticks > 0);
      await redis.stop();
      redis = undefined;
      await until(() => error.mock.calls.length > 0);
      await application.close();
      expect(error).toHaveBeenCalledTimes(1);
    },
    20_000,
  );
});
