import type { Migration } from '../migrations/migration.js';

/** A row per document. The vectors have length 1. */
export const VECTORS_MIGRATION: Migration = {
  name: 'vectors',
  sql: (names) => `
CREATE TABLE ${names.of('vectors')} (
  id text COLLATE "C" PRIMARY KEY,
  -- Not the type of pgvector, which may be installed later, or never.
  embedding real[] NOT NULL,
  text text NOT NULL,
  metadata json,
  created_at timestamptz NOT NULL DEFAULT now()
);`,
};

/** A row per session of the tool search. */
export const SESSIONS_MIGRATION: Migration = {
  name: 'tool search sessions',
  sql: (names) => `
CREATE TABLE ${names.of('tool_search_sessions')} (
  id text COLLATE "C" PRIMARY KEY,
  tool_names text[] NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX "tool_search_sessions_used_at" ON ${names.of('tool_search_sessions')} (used_at);`,
};
