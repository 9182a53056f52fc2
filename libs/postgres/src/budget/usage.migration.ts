import type { Migration } from '../migrations/migration.js';

/** A row per key of a budget. */
export const USAGE_MIGRATION: Migration = {
  name: 'usage',
  sql: (names) => `
CREATE TABLE ${names.of('usage')} (
  key text COLLATE "C" PRIMARY KEY,
  tokens double precision NOT NULL,
  cost double precision NOT NULL,
  -- The window that the amount belongs to. A reservation of an earlier one is gone.
  period uuid NOT NULL,
  -- Without one, the amount is never reset.
  resets_at timestamptz
);
CREATE INDEX "usage_resets_at" ON ${names.of('usage')} (resets_at) WHERE resets_at IS NOT NULL;`,
};
