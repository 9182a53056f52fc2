import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import {
  AiExtension,
  ConversationLocks,
  ConversationLog,
  type PropertySource,
  ToolRateLimits,
  SuspendedTurnRepository,
} from '@nestor-ai/core';
import { AiTurnsModule, TurnEventLog } from '@nestor-ai/turns';
import { OwnProperties } from '@nestor-ai/core/internal';
import { PostgresToolAuditSink } from '../audit/postgres-tool-audit.sink.js';
import { PostgresUsageLedger } from '../budget/postgres-usage.ledger.js';
import { PostgresConversationLocks } from '../locks/postgres-conversation-locks.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresToolRateLimits } from '../limits/postgres-tool-rate-limits.js';
import { PostgresTurnEventLog } from '../event-log/postgres-turn-event-log.js';
import { PostgresTurnJournal } from '../journal/postgres-turn-journal.js';
import { PostgresConversationLog } from '../memory/postgres-conversation-log.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurablePostgresAiModule,
  type OPTIONS_TYPE,
  POSTGRES_AI_MODULE_OPTIONS,
} from './postgres-ai.module-definition.js';
import type { PostgresAiModuleOptions } from './postgres-ai.options.js';
import { ConnectedDatabase } from './connected-database.js';

/** Each store, by its own class. */
const STORES = [
  PostgresConversationLog,
  PostgresTurnJournal,
  PostgresConversationLocks,
  PostgresToolRateLimits,
  PostgresUsageLedger,
  PostgresToolAuditSink,
];

/**
 * Stores in PostgreSQL what AiModule otherwise keeps in memory, so that it outlives the process and
 * all replicas share it. It applies its migrations when the application starts.
 *
 * @publicApi
 * @example
 * imports: [
 *   PostgresAiModule.forRoot({ connection: 'postgres://app@localhost:5432/app' }),
 *   AiModule.forRoot({ chatModel, memory: true, providers: PostgresAiModule.stores() }),
 * ]
 */
@Module({
  providers: [
    { provide: AiExtension, useValue: new OwnProperties('postgres') },
    {
      provide: ConnectedDatabase,
      inject: [POSTGRES_AI_MODULE_OPTIONS, { token: ConfigService, optional: true }],
      useFactory: (options: PostgresAiModuleOptions | undefined, source: PropertySource | undefined) =>
        ConnectedDatabase.open(options, source),
    },
    {
      provide: PostgresDatabase,
      inject: [ConnectedDatabase],
      useFactory: ({ database }: ConnectedDatabase): PostgresDatabase => database,
    },
    {
      provide: PostgresTurnEventLog,
      inject: [ConnectedDatabase],
      useFactory: ({ database, eventRetention: retention }: ConnectedDatabase): PostgresTurnEventLog =>
        new PostgresTurnEventLog(database, { retention }),
    },
    ...STORES,
  ],
  exports: [PostgresDatabase, PostgresTurnEventLog, ...STORES],
})
export class PostgresAiModule extends ConfigurablePostgresAiModule {
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
   * The providers for `AiModule.forRoot({ providers })` that replace what it keeps in memory. The
   * audit is not among them, since it records calls as soon as there is a sink.
   */
  static stores(): Provider[] {
    return [
      ...AiTurnsModule.providers(),
      { provide: ConversationLog, useExisting: PostgresConversationLog },
      { provide: SuspendedTurnRepository, useExisting: PostgresTurnJournal },
      { provide: TurnEventLog, useExisting: PostgresTurnEventLog },
      { provide: ConversationLocks, useExisting: PostgresConversationLocks },
      { provide: ToolRateLimits, useExisting: PostgresToolRateLimits },
    ];
  }
}
