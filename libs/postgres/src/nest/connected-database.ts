import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type PropertySource, readProperties } from '@nestor-ai/core';
import { Pool } from 'pg';
import { DEFAULT_SCHEMA } from '../database/table-names.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresException } from '../database/postgres.exception.js';
import { POSTGRES_TIMES } from '../database/postgres-times.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import { applyMigrations, checkMigrations } from '../migrations/migrate.js';
import { OPTION_KEYS, type PostgresAiModuleOptions } from './postgres-ai.options.js';
import { POSTGRES_PROPERTIES } from './postgres-properties.js';

/** What one turn of a conversation uses at the same time. */
const LEAST_CONNECTIONS = 3;

const logger = new Logger('PostgresAiModule');

const tooSmall = (max: number): string =>
  `The pool has at most ${max} connections. Turns of conversations fail, since each needs ${LEAST_CONNECTIONS} at the same time. ` +
  'Set max to 10 or more.';

/** The database of the module, and the pool that the module has opened for it. */
@Injectable()
export class ConnectedDatabase implements OnApplicationShutdown {
  private constructor(
    readonly database: PostgresDatabase,
    /** How long to keep the events of turns, in milliseconds. */
    readonly eventRetention: number,
    private readonly own: Pool | undefined,
  ) {}

  /**
   * Opens the pool and migrates or checks the schema.
   *
   * @throws Error that names all mistakes in the options and properties, or what the database refuses
   */
  static async open(
    options: PostgresAiModuleOptions | undefined,
    source: PropertySource | undefined,
  ): Promise<ConnectedDatabase> {
    const { pool, connection, schema, migrate, eventRetention } = read(options, source);
    const own = pool ? undefined : openPool(connection);
    try {
      const database = new PostgresDatabase(pool ?? own!, schema);
      const { maxConnections: max = LEAST_CONNECTIONS } = database;
      if (max < LEAST_CONNECTIONS) logger.warn(tooSmall(max));
      if (migrate === 'apply') await applyMigrations(database);
      else if (migrate === 'check') await checkMigrations(database);
      return new ConnectedDatabase(database, eventRetention, own);
    } catch (error) {
      await own?.end();
      throw error;
    }
  }

  /** After `onModuleDestroy`, in which turns end and still write. */
  async onApplicationShutdown(): Promise<void> {
    await this.own?.end();
  }
}

function openPool(connection: PostgresAiModuleOptions['connection']): Pool {
  const config = typeof connection === 'string' ? { connectionString: connection } : connection;
  try {
    return new Pool({
      connectionTimeoutMillis: POSTGRES_TIMES.connection,
      keepAlive: true,
      application_name: 'nestor',
      ...config,
    });
  } catch (error) {
    throw PostgresException.of('open a connection pool', error);
  }
}

function read(options: PostgresAiModuleOptions | undefined, source: PropertySource | undefined) {
  if (typeof options !== 'object' || options === null) {
    throw new Error('The factory of PostgresAiModule.forRootAsync() returned no options. Return at least {}.');
  }
  const { connection, pool, ...plain } = options;
  const { properties, problems } = readProperties(
    POSTGRES_PROPERTIES,
    'ai.postgres',
    { ...plain, ...(typeof connection === 'string' && { connection }) },
    source,
  );
  const unknown = Object.keys(options).filter((key) => !OPTION_KEYS.includes(key));
  const all = [
    ...new Set([
      ...unknown.map((key) => `PostgresAiModule has no option '${key}'. Known: ${OPTION_KEYS.join(', ')}.`),
      ...(unknown.length > 0 ? [] : problems),
      ...poolProblems(pool),
      ...(pool && properties.connection !== undefined
        ? ['PostgresAiModule has a pool and a connection. Remove one of them.']
        : []),
    ]),
  ];
  if (all.length > 0) throw new Error(all.join('\n'));
  return {
    pool,
    connection: properties.connection ?? connection,
    schema: properties.schema ?? DEFAULT_SCHEMA,
    migrate: properties.migrate,
    eventRetention: properties.eventRetention,
  };
}

function poolProblems(pool: PostgresPool | undefined): readonly string[] {
  if (pool === undefined || (typeof pool?.query === 'function' && typeof pool.connect === 'function')) return [];
  return ['The option pool of PostgresAiModule is no pool. Pass a pg.Pool, or an object with query() and connect().'];
}
