import type { TableNames } from '../database/table-names.js';
import type { Migration } from '../migrations/migration.js';

/**
 * The events of running turns. A row of `turn_events` has the events of one append, as a JSON list of
 * texts: PostgreSQL does not look into them. `appended_after` is the last number before the last append.
 */
export const TURN_EVENTS_MIGRATION: Migration = {
  name: 'turn events',
  sql: (names: TableNames) => `CREATE TABLE ${names.of('turn_event_logs')} (
  turn_id text COLLATE "C" PRIMARY KEY,
  last_number integer NOT NULL,
  appended_after integer NOT NULL,
  is_to_stop boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX "turn_event_logs_expires_at" ON ${names.of('turn_event_logs')} (expires_at);
CREATE TABLE ${names.of('turn_events')} (
  turn_id text COLLATE "C" NOT NULL,
  first_number integer NOT NULL,
  last_number integer NOT NULL,
  events text NOT NULL,
  PRIMARY KEY (turn_id, last_number)
);`,
};

/** Events of a request that has lost its turn are refused. */
export const TURN_EVENT_FENCES_MIGRATION: Migration = {
  name: 'fences of turn events',
  sql: (names: TableNames) => `ALTER TABLE ${names.of('turn_event_logs')} ADD COLUMN fence integer NOT NULL DEFAULT 0;`,
};
