import type { Migration } from '../migrations/migration.js';

/** A row per record. Rows are only added. */
export const AUDIT_MIGRATION: Migration = {
  name: 'tool audit',
  sql: (names) => `
CREATE TABLE ${names.of('tool_audit')} (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  time timestamptz NOT NULL,
  turn_id text NOT NULL,
  tool text NOT NULL,
  -- The exact text that the hash belongs to.
  record json NOT NULL
);
CREATE INDEX "tool_audit_turn_id" ON ${names.of('tool_audit')} (turn_id);
CREATE INDEX "tool_audit_time" ON ${names.of('tool_audit')} (time);`,
};
