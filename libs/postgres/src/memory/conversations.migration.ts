import type { Migration } from '../migrations/migration.js';

/** A row per conversation, and a row per message. */
export const CONVERSATIONS_MIGRATION: Migration = {
  name: 'conversations',
  sql: (names) => `
CREATE TABLE ${names.of('conversations')} (
  id text COLLATE "C" PRIMARY KEY,
  -- Changes with every write, so that a writer notices another one.
  revision uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX "conversations_used_at" ON ${names.of('conversations')} (used_at);
CREATE TABLE ${names.of('messages')} (
  conversation_id text COLLATE "C" NOT NULL REFERENCES ${names.of('conversations')} ON DELETE CASCADE,
  -- Ascending, but not from 0: when old messages leave the window, the others keep their positions.
  position bigint NOT NULL,
  -- Not jsonb, which refuses NUL characters and halves of surrogate pairs.
  message json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (conversation_id, position)
);`,
};

/**
 * Whether a message stays in view. Earlier versions, which may still run during a roll-out, give
 * system messages no pin. Each message begins with its role, which its contents cannot imitate.
 */
export const IS_PINNED = `(pin IS NOT NULL OR message::text LIKE '{"role":"system"%')`;

/** The pin of such a message. */
export const PIN = "coalesce(pin, 'system')";

/** The turns that the messages belong to. */
export const CONVERSATION_TURNS_MIGRATION: Migration = {
  name: 'conversation turns',
  sql: (names) => `
ALTER TABLE ${names.of('messages')}
  -- The position of the first message of the turn. NULL in messages of earlier versions.
  ADD COLUMN turn_start bigint,
  -- In the first message of a turn.
  ADD COLUMN turn_id text COLLATE "C",
  -- The newest turn of each pin stays in view.
  ADD COLUMN pin text;
CREATE UNIQUE INDEX "messages_turn" ON ${names.of('messages')} (conversation_id, turn_id)
  WHERE turn_id IS NOT NULL;
CREATE INDEX "messages_pinned" ON ${names.of('messages')} (conversation_id, ${PIN}, position) WHERE ${IS_PINNED};`,
};

/** Whose conversations they are. */
export const CONVERSATION_OWNERS_MIGRATION: Migration = {
  name: 'owners of conversations',
  sql: (names) => `
ALTER TABLE ${names.of('conversations')} ADD COLUMN owner text COLLATE "C";
CREATE INDEX "conversations_owner" ON ${names.of('conversations')} (owner, id) WHERE owner IS NOT NULL;`,
};
