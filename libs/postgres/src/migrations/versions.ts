import type { TableNames } from '../database/table-names.js';
import type { Migration } from './migration.js';

/** A row of the table of versions. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly is_breaking: boolean;
}

/** The table of versions. */
export const VERSIONS = 'migrations';

/** The statement that creates the table of versions. */
export function versionsTable(names: TableNames): string {
  return `CREATE TABLE IF NOT EXISTS ${names.of(VERSIONS)} (
  version integer PRIMARY KEY,
  name text NOT NULL,
  is_breaking boolean NOT NULL DEFAULT false,
  applied_at timestamptz NOT NULL DEFAULT now()
);`;
}

/** The statement that records a migration. The name is one of the code, not a value of a user. */
export function recorded(names: TableNames, version: number, { name, isBreaking = false }: Migration): string {
  return `INSERT INTO ${names.of(VERSIONS)} (version, name, is_breaking) VALUES (${version}, '${name}', ${isBreaking});`;
}

/**
 * Compares the schema with the code.
 *
 * @returns the migrations that are missing, with their versions
 * @throws Error when the schema was made by a newer version that this one cannot use
 */
export function missingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): readonly (readonly [version: number, migration: Migration])[] {
  const breaking = applied.find(({ version, is_breaking }) => version > known.length && is_breaking);
  if (breaking) {
    throw new Error(
      `The PostgreSQL schema has migration ${breaking.version} (${breaking.name}) of a newer @nestor-ai/postgres, which this version ` +
        `cannot use: it knows ${known.length} migrations. Update @nestor-ai/postgres in this application.`,
    );
  }
  const versions = new Set(applied.map(({ version }) => version));
  return known.map((migration, index) => [index + 1, migration] as const).filter(([version]) => !versions.has(version));
}
