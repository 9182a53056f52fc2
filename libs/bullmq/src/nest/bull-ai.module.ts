import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DiscoveryModule } from '@nestjs/core';
import { AiExtension, ConversationLocks, type PropertySource, ToolRateLimits, ToolResultStore } from '@nestor-ai/core';
import { AiTurnsModule, TurnQueue } from '@nestor-ai/turns';
import { OwnProperties } from '@nestor-ai/core/internal';
import { RedisToolRateLimits } from '../limits/redis-tool-rate-limits.js';
import { RedisConversationLocks } from '../locks/redis-conversation-locks.js';
import { SharedRedis } from '../redis/shared-redis.js';
import { RedisToolResultStore } from '../results/redis-tool-result.store.js';
import { ScheduleExplorer } from '../schedules/schedule.explorer.js';
import { ScheduleWorker } from '../schedules/schedule.worker.js';
import { BullTurnQueue } from '../turns/bull-turn.queue.js';
import { TurnSweep } from '../turns/turn.sweep.js';
import { TurnWorker } from '../turns/turn.worker.js';
import {
  type ASYNC_OPTIONS_TYPE,
  BULL_AI_MODULE_OPTIONS,
  ConfigurableBullAiModule,
  type OPTIONS_TYPE,
} from './bull-ai.module-definition.js';
import type { BullAiModuleOptions } from './bull-ai.options.js';
import { BullSettings } from './bull-settings.js';

/** What processes share, each by its own class. */
const SHARED = [RedisToolRateLimits, RedisToolResultStore, RedisConversationLocks];

/**
 * Runs turns as jobs of BullMQ: `client.prompt(…).enqueue()` stores a turn in the `TurnJournal`, and
 * any replica runs it. If that replica dies, another one continues from the journal. With
 * `shared()`, replicas also share rate limits, cached results and the locks of conversations.
 *
 * @publicApi
 * @example
 * imports: [
 *   PostgresAiModule.forRoot({ connection: 'postgres://app@localhost:5432/app' }),
 *   BullAiModule.forRoot({ connection: 'redis://localhost:6379' }),
 *   AiModule.forRoot({ chatModel, providers: [...PostgresAiModule.stores(), ...BullAiModule.stores()] }),
 * ]
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: AiExtension, useValue: new OwnProperties('bullmq') },
    {
      provide: BullSettings,
      inject: [BULL_AI_MODULE_OPTIONS, { token: ConfigService, optional: true }],
      useFactory: (options: BullAiModuleOptions | undefined, source: PropertySource | undefined) =>
        BullSettings.read(options, source),
    },
    BullTurnQueue,
    TurnWorker,
    TurnSweep,
    ScheduleExplorer,
    ScheduleWorker,
    ...SHARED,
    SharedRedis,
  ],
  exports: [BullTurnQueue, ...SHARED],
})
export class BullAiModule extends ConfigurableBullAiModule {
  /** Configures the module with options that you know when you write the module. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /**
   * Configures the module with options from a factory or a class. They can inject the exports of
   * `imports`.
   */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /**
   * The providers for `AiModule.forRoot({ providers })` that queue turns. They need a `TurnJournal`.
   */
  static stores(): Provider[] {
    return [...AiTurnsModule.providers(), { provide: TurnQueue, useExisting: BullTurnQueue }];
  }

  /**
   * The providers for `AiModule.forRoot({ providers })` that replicas share: the rate limits of
   * tools, the results of tools with a `cacheTtl`, and the locks of conversations. They work without
   * `stores()`, too. Write them after `PostgresAiModule.stores()`, which has rate limits and locks of
   * its own: the last provider wins.
   *
   * @example
   * AiModule.forRoot({ chatModel, providers: [...PostgresAiModule.stores(), ...BullAiModule.shared()] })
   */
  static shared(): Provider[] {
    return [
      ...AiTurnsModule.providers(),
      { provide: ToolRateLimits, useExisting: RedisToolRateLimits },
      { provide: ToolResultStore, useExisting: RedisToolResultStore },
      { provide: ConversationLocks, useExisting: RedisConversationLocks },
    ];
  }
}
