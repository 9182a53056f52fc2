import type { PostgresDatabase, PostgresQueries } from '../database/postgres-database.js';
import { quoted } from '../database/table-names.js';
import type { Migration } from './migration.js';
import { MIGRATIONS } from './migrations.js';
import { scriptOf } from './print-migrations.js';
import { type AppliedMigration, missingMigrations, VERSIONS, versionsTable } from './versions.js';

const CHECKING = 'check the version of its schema';
const MIGRATING = 'migrate its schema';

/** The longest statement, in milliseconds: it may make an index of a large table, or wait until another replica has. */
const LONGEST = 3_600_000;

/**
 * Applies the migrations that the schema lacks, all of them or none. Replicas that start at the same
 * time wait for each other.
 *
 * @throws Error when the schema belongs to a newer version that this one cannot use
 * @throws PostgresException when the database refuses, such as for a missing permission
 */
export async function applyMigrations(
  database: PostgresDatabase,
  known: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { names } = database;
  if (missingMigrations(await findApplied(database, database), known).length === 0) return;
  await database.transaction(
    MIGRATING,
    async (queries) => {
      const { schema } = names;
      // Ends with the transaction. Other schemas have locks of their own.
      const lock = `nestor.migrations ${JSON.stringify(schema)}`;
      // A limit of the server is for locks of tables only.
      const wait = `SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) FROM set_config('lock_timeout', '0', true)`;
      await queries.query(MIGRATING, wait, [lock]);
      await queries.query(MIGRATING, 'SET LOCAL lock_timeout TO DEFAULT');
      const missing = missingMigrations(await findApplied(database, queries), known);
      if (missing.length === 0) return;
      // CREATE SCHEMA IF NOT EXISTS needs a permission even if the schema exists.
      const [found] = await queries.query(MIGRATING, 'SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
      if (!found) await queries.query(MIGRATING, `CREATE SCHEMA ${quoted(schema)}`);
      await runAll(queries, versionsTable(names));
      for (const [version, migration] of missing) await runAll(queries, scriptOf(names, version, migration));
    },
    LONGEST,
  );
}

/**
 * Checks that the schema has all that this version needs.
 *
 * @throws Error that names the missing migrations, or the newer version
 */
export async function checkMigrations(
  database: PostgresDatabase,
  known: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const missing = missingMigrations(await findApplied(database, database), known);
  if (missing.length === 0) return;
  const shown = missing.map(([version, { name }]) => `${version} (${name})`).join(', ');
  throw new Error(
    `The PostgreSQL schema '${database.names.schema}' lacks the migrations ${shown}, which this version of @nestor-ai/postgres ` +
      'needs. Start one replica with ai.postgres.migrate=apply, or run the output of printMigrations().',
  );
}

async function findApplied(database: PostgresDatabase, queries: PostgresQueries): Promise<readonly AppliedMigration[]> {
  const { schema } = database.names;
  // Not to_regclass(), which may not see what another session has committed during this transaction.
  const [found] = await queries.query(CHECKING, 'SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [
    schema,
    VERSIONS,
  ]);
  if (!found) return [];
  const sql = `SELECT version, name, is_breaking FROM ${database.table(VERSIONS)} ORDER BY version`;
  return queries.query<AppliedMigration>(CHECKING, sql);
}

/** PostgreSQL accepts only one statement with values at a time. Semicolons occur only between statements. */
async function runAll(queries: PostgresQueries, script: string): Promise<void> {
  for (const statement of script.split(/;\s*(?:\n|$)/)) {
    if (statement.trim() !== '') await queries.query(MIGRATING, statement);
  }
}
