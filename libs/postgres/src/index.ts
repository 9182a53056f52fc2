/** @module @nestor-ai/postgres */
export { PostgresToolAuditSink } from './audit/postgres-tool-audit.sink.js';
export { PostgresUsageLedger } from './budget/postgres-usage.ledger.js';
export { PostgresDatabase, type PostgresQueries } from './database/postgres-database.js';
export type {
  PostgresClient,
  PostgresConnection,
  PostgresNotification,
  PostgresPool,
  PostgresResult,
} from './database/postgres-pool.js';
export { PostgresException } from './database/postgres.exception.js';
export { TableNames } from './database/table-names.js';
export { PostgresTurnEventLog, type PostgresTurnEventLogOptions } from './event-log/postgres-turn-event-log.js';
export { type DeleteEndedTurns, PostgresTurnJournal } from './journal/postgres-turn-journal.js';
export { PostgresToolRateLimits } from './limits/postgres-tool-rate-limits.js';
export { PostgresConversationLocks } from './locks/postgres-conversation-locks.js';
export { PostgresConversationLog } from './memory/postgres-conversation-log.js';
export { printMigrations, type PrintMigrationsOptions } from './migrations/print-migrations.js';
export { PostgresAiModule } from './nest/postgres-ai.module.js';
export type {
  PostgresAiModuleAsyncOptions,
  PostgresAiModuleExtras,
  PostgresAiOptionsFactory,
} from './nest/postgres-ai.module-definition.js';
export type { PostgresAiModuleOptions } from './nest/postgres-ai.options.js';
