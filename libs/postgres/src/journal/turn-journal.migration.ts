import type { TableNames } from '../database/table-names.js';
import type { Migration } from '../migrations/migration.js';

/**
 * The tables of turns.
 *
 * - One index begins with the status. So ended turns, which are most, lie apart from the others and
 *   slow nothing down, in the order in which they are deleted.
 * - `data` is text: `jsonb` refuses NUL characters, and changes the order of keys; `json` parses
 *   each value again to check it.
 * - `appended_after` is the number of entries before the last append.
 * - Entries have no foreign key: one statement writes both tables, and the check would cost a
 *   look-up for each append.
 */
export const TURN_JOURNAL_MIGRATION: Migration = {
  name: 'turns',
  sql: (names: TableNames) => `CREATE TABLE ${names.of('turns')} (
  id text COLLATE "C" PRIMARY KEY,
  status text COLLATE "C" NOT NULL,
  requester text COLLATE "C",
  client text COLLATE "C",
  conversation_id text COLLATE "C",
  pending_call_ids text[] COLLATE "C" NOT NULL,
  entry_count integer NOT NULL,
  appended_after integer NOT NULL,
  owner text COLLATE "C",
  lease_ends_at timestamptz,
  changed_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX "turns_status" ON ${names.of('turns')} (status, changed_at);
CREATE INDEX "turns_requester" ON ${names.of('turns')} (requester, changed_at) WHERE requester IS NOT NULL;
CREATE INDEX "turns_conversation" ON ${names.of('turns')} (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE INDEX "turns_pending" ON ${names.of('turns')} USING gin (pending_call_ids) WHERE pending_call_ids <> '{}';
CREATE TABLE ${names.of('turn_entries')} (
  turn_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  owner text COLLATE "C" NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (turn_id, number)
);
CREATE TABLE ${names.of('turn_effects')} (
  turn_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  result text,
  PRIMARY KEY (turn_id, key)
);`,
};
