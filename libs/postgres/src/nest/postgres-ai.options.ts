import type { PoolConfig } from 'pg';
import type { PostgresPool } from '../database/postgres-pool.js';

/** The options of `PostgresAiModule.forRoot()`. The properties `ai.postgres.*` take precedence. */
export interface PostgresAiModuleOptions {
  /**
   * Opens a pool: a connection string, or the options of `pg.Pool`. The module closes the pool when
   * the application shuts down. Default: the environment variables of PostgreSQL, such as `PGHOST`.
   */
  readonly connection?: string | PoolConfig;
  /** A pool of the application, which closes it. It replaces `connection`. */
  readonly pool?: PostgresPool;
  /** The schema of the tables. Default: `nestor`. */
  readonly schema?: string;
  /**
   * What happens to the schema when the application starts: missing migrations are applied
   * (`apply`), the application refuses to start without them (`check`), or nothing (`off`). Default:
   * `apply`.
   */
  readonly migrate?: 'apply' | 'check' | 'off';
  /**
   * How long to keep the events of a turn after the last one, in milliseconds. Readers cannot
   * reconnect after that. Default: 3,600,000 (one hour).
   */
  readonly eventRetention?: number;
}

/** The options that there are. */
export const OPTION_KEYS: readonly string[] = [
  'connection',
  'pool',
  'schema',
  'migrate',
  'eventRetention',
] satisfies (keyof PostgresAiModuleOptions)[];
