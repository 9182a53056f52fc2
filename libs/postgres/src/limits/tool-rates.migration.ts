import type { Migration } from '../migrations/migration.js';

/** A row per tool, limit and key. */
export const TOOL_RATES_MIGRATION: Migration = {
  name: 'tool rates',
  sql: (names) => `
CREATE TABLE ${names.of('tool_rates')} (
  -- A hash, since keys may be long.
  key text COLLATE "C" PRIMARY KEY,
  calls bigint NOT NULL,
  resets_at timestamptz NOT NULL
);
CREATE INDEX "tool_rates_resets_at" ON ${names.of('tool_rates')} (resets_at);`,
};
