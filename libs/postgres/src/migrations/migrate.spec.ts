import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { applyMigrations, checkMigrations } from './migrate.js';
import type { Migration } from './migration.js';
import { MIGRATIONS } from './migrations.js';
import { printMigrations } from './print-migrations.js';

const adding = (name: string, isBreaking = false): Migration => ({
  name,
  isBreaking,
  sql: (names) => `ALTER TABLE ${names.of('usage')} ADD COLUMN "${name}" text;`,
});

describe('migrations', () => {
  let test: TestDatabase;

  beforeEach(async () => void (test = await openTestDatabase({ migrate: false })));
  afterEach(() => test.close());

  const versions = async () =>
    (
      await test.database.query<{ version: number }>(
        'list',
        `SELECT version FROM ${test.database.table('migrations')} ORDER BY 1`,
      )
    ).map(({ version }) => version);
  const all = MIGRATIONS.map((_, at) => at + 1);

  it('are applied once when several replicas start at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, () => applyMigrations(test.database)));
    expect(await versions()).toEqual(all);
    await checkMigrations(test.database);
  });

  it('are checked: the error names those that are missing', async () => {
    await applyMigrations(test.database, MIGRATIONS.slice(0, -1));
    const last = MIGRATIONS.length;
    await expect(checkMigrations(test.database)).rejects.toThrow(
      `lacks the migrations ${last} (${MIGRATIONS[last - 1]!.name}), which this version of @nestor-ai/postgres needs. Start one replica with ` +
        'ai.postgres.migrate=apply, or run the output of printMigrations().',
    );
  });

  it('of a newer version are accepted by the older one during a roll-out', async () => {
    await applyMigrations(test.database, [...MIGRATIONS, adding('newer')]);
    await checkMigrations(test.database);
    await applyMigrations(test.database);
    expect(await versions()).toEqual([...all, all.length + 1]);
  });

  it('of a newer version that break the older one are refused, with the remedy', async () => {
    await applyMigrations(test.database, [...MIGRATIONS, adding('newer'), adding('breaking', true)]);
    for (const start of [applyMigrations, checkMigrations]) {
      await expect(start(test.database)).rejects.toThrow(
        `has migration ${all.length + 2} (breaking) of a newer @nestor-ai/postgres, which this version cannot use: it knows ${all.length} ` +
          'migrations. Update @nestor-ai/postgres in this application.',
      );
    }
  });

  it('leave nothing behind when one of them fails', async () => {
    const broken: Migration = { name: 'broken', sql: () => 'SELECT 1 / 0;' };
    await expect(applyMigrations(test.database, [...MIGRATIONS, broken])).rejects.toThrow(
      'Nestor could not migrate its schema: PostgreSQL has refused the statement with SQLSTATE 22012.',
    );
    await expect(checkMigrations(test.database)).rejects.toThrow('lacks the migrations 1 (conversations)');
  });

  it('are printed as SQL that does the same', async () => {
    const statements = printMigrations({ schema: test.schema }).split(/;\s*\n/);
    const connection = await test.pool.connect();
    for (const statement of statements) if (statement.trim() !== '') await connection.query(statement);
    connection.release();
    await checkMigrations(test.database);
    expect(printMigrations({ after: 1 })).not.toContain('CREATE SCHEMA');
    expect(() => printMigrations({ after: 99 })).toThrow('after must be a whole number');
  });
});
