import type { Migration } from '../migrations/migration.js';

/** A row per conversation, and a row per message. */
export const CHAT_MEMORY_MIGRATION: Migration = {
  name: 'conversations',
  sql: (names) => `
CREATE TABLE ${names.of('conversations')} (
  id text COLLATE "C" PRIMARY KEY,
  -- Changes with every write, so that a writer notices another one.
  revision uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ${names.bare('conversations_used_at')} ON ${names.of('conversations')} (used_at);
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
