import { DEFAULT_SCHEMA, quoted, TableNames } from '../database/table-names.js';
import type { Migration } from './migration.js';
import { MIGRATIONS } from './migrations.js';
import { recorded, versionsTable } from './versions.js';

/** The options of {@link printMigrations}. */
export interface PrintMigrationsOptions {
  /** The schema of the tables. Default: `nestor`. */
  readonly schema?: string;
  /** The version that the database has: only later migrations are printed. Default: 0. */
  readonly after?: number;
}

/**
 * The SQL of the migrations, for a tool that applies it with the rights of an administrator. The
 * application then runs with `migrate: 'check'`.
 *
 * @throws RangeError when `after` is not the number of a migration
 */
export function printMigrations({ after = 0, schema = DEFAULT_SCHEMA }: PrintMigrationsOptions = {}): string {
  if (!Number.isInteger(after) || after < 0 || after > MIGRATIONS.length) {
    throw new RangeError(`after must be a whole number from 0 to ${MIGRATIONS.length}.`);
  }
  const names = new TableNames(schema);
  return [
    'BEGIN;',
    ...(after === 0 ? [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)};`, versionsTable(names)] : []),
    ...MIGRATIONS.slice(after).map((migration, index) => scriptOf(names, after + index + 1, migration)),
    'COMMIT;',
    '',
  ].join('\n\n');
}

/** The statements of a migration and of its record. */
export function scriptOf(names: TableNames, version: number, migration: Migration): string {
  return `-- ${version}: ${migration.name}\n${migration.sql(names)}\n${recorded(names, version, migration)}`;
}
