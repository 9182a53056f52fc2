import { expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { InMemoryTurnJournal, TurnJournal } from '@nestor-ai/turns';
import { Redis } from 'ioredis';
import { hasRedisProgram, startRedis } from '../../../../test/cluster/chaos/servers.js';
import { until } from '../../../../test/until.js';
import { BullAiModule } from '../nest/bull-ai.module.js';

(hasRedisProgram() ? it : it.skip)('a worker that Redis refuses rests, and goes on when it is allowed to', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const redis = await startRedis();
  const admin = new Redis(redis.url);
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~foreign:*', '+@all');
  const module = Test.createTestingModule({
    imports: [
      BullAiModule.forRoot({ connection: redis.url.replace('//', '//app:secret@'), sweepInterval: 100 }),
      AiModule.forRoot({
        chatModel: new ScriptedChatModel(() => 'Hello.'),
        providers: [{ provide: SuspendedTurnRepository, useClass: InMemoryTurnJournal }, ...BullAiModule.stores()],
      }),
    ],
  });
  const application = await (await module.compile()).init();
  const refusals = async () => Number(/total_error_replies:(\d+)/.exec(await admin.info('stats'))![1]);

  try {
    await until(() => error.mock.calls.length > 0);
    expect(error).toHaveBeenCalledWith('The worker cannot reach Redis (NOPERM), and tries again.');
    const before = await refusals();
    await sleep(1000);
    expect((await refusals()) - before).toBeLessThan(200);

    await admin.call('ACL', 'SETUSER', 'app', '~nestor:*');
    const id = await application.get(ChatClient).prompt('Hi').enqueue();
    await until(async () => (await application.get(TurnJournal).read(id))?.status === 'ended');
  } finally {
    await application.close();
    admin.disconnect();
    await redis.stop();
  }
});
