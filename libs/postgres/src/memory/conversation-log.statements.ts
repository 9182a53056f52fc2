import type { TableNames } from '../database/table-names.js';
import { IS_PINNED, PIN } from './conversations.migration.js';

/** Above all positions. */
const END = '9223372036854775807';

export type ConversationLogStatements = ReturnType<typeof conversationLogStatements>;

export function conversationLogStatements(names: TableNames) {
  const conversations = names.of('conversations');
  const messages = names.of('messages');
  const row = 'position, turn_start, turn_id, pin, message::text AS message';
  // A row with the owner, also if there are no messages.
  const whose = `FROM (SELECT (SELECT owner FROM ${conversations} WHERE id = $1) AS owner) AS whose
LEFT JOIN ${messages} ON conversation_id = $1`;
  return {
    /**
     * Conversation, a new revision, turn, messages as JSON texts, pin, the turn that must be there,
     * the subject that has said it, whether it must own the conversation. Says whether the conversation
     * was there, and whose, whether there is nothing to add, and whether the turn was added. If neither,
     * another writer was faster.
     */
    append: `WITH seen AS (
  SELECT revision, owner FROM ${conversations} WHERE id = $1
), known AS (
  SELECT FROM ${messages} WHERE conversation_id = $1 AND turn_id = $3
  UNION ALL
  SELECT WHERE $6::text IS NOT NULL AND NOT EXISTS (SELECT FROM ${messages} WHERE conversation_id = $1 AND turn_id = $6)
  UNION ALL
  SELECT FROM seen WHERE $8::boolean AND owner IS DISTINCT FROM $7
), updated AS (
  UPDATE ${conversations} SET revision = $2::uuid, used_at = now()
  WHERE id = $1 AND revision = (SELECT revision FROM seen) AND NOT EXISTS (SELECT FROM known) RETURNING id
), inserted AS (
  INSERT INTO ${conversations} (id, revision, owner) SELECT $1, $2::uuid, $7 WHERE NOT EXISTS (SELECT FROM seen UNION ALL SELECT FROM known)
  ON CONFLICT (id) DO NOTHING RETURNING id
), locked AS MATERIALIZED (
  SELECT id FROM updated UNION ALL SELECT id FROM inserted
), last AS (
  SELECT coalesce(max(position), -1) AS position FROM ${messages} WHERE conversation_id = $1
), written AS (
  INSERT INTO ${messages} (conversation_id, position, turn_start, turn_id, pin, message)
  SELECT locked.id, last.position + ordinality, last.position + 1, CASE WHEN ordinality = 1 THEN $3 END, $5, message::json
  FROM locked, last, unnest($4::text[]) WITH ORDINALITY AS given (message, ordinality)
)
SELECT EXISTS (SELECT FROM seen) AS "isThere", (SELECT owner FROM seen), EXISTS (SELECT FROM known) AS "isDone", EXISTS (SELECT FROM locked) AS "isAdded"`,
    /** Conversation, number of messages. Each row says whether earlier messages are pinned. */
    newest: `WITH page AS MATERIALIZED (
  SELECT coalesce(turn_start, 0) AS start FROM ${messages} WHERE conversation_id = $1 ORDER BY position DESC LIMIT $2
), first AS MATERIALIZED (
  SELECT min(start) AS position FROM page
)
SELECT ${row}, (
  SELECT true FROM ${messages} WHERE conversation_id = $1 AND ${IS_PINNED} AND position < (SELECT position FROM first)
  ORDER BY ${PIN}, position LIMIT 1 -- not EXISTS, for which the planner may read the table
) AS "hasPinned", whose.owner
${whose} AND position >= (SELECT position FROM first) ORDER BY position`,
    /** Conversation, number of messages, position before which to read. */
    earlier: `WITH bound AS MATERIALIZED (
  SELECT coalesce((
    SELECT position FROM ${messages} WHERE conversation_id = $1 AND position >= $3::bigint
    AND (turn_start IS NULL OR turn_start >= $3::bigint) ORDER BY position LIMIT 1
  ), ${END}) AS position
), page AS MATERIALIZED (
  SELECT coalesce(turn_start, 0) AS start FROM ${messages}
  WHERE conversation_id = $1 AND position < (SELECT position FROM bound) ORDER BY position DESC LIMIT $2
)
SELECT ${row}, whose.owner ${whose}
AND position >= (SELECT min(start) FROM page) AND position < (SELECT position FROM bound) ORDER BY position`,
    /** Conversation, position before which to read. The newest turn of each pin, without reading all pinned ones. */
    pinned: `WITH RECURSIVE names (pin) AS (
  (SELECT ${PIN} AS pin FROM ${messages} WHERE conversation_id = $1 AND ${IS_PINNED} ORDER BY ${PIN} LIMIT 1)
  UNION ALL
  SELECT (SELECT ${PIN} FROM ${messages} WHERE conversation_id = $1 AND ${IS_PINNED} AND ${PIN} > names.pin ORDER BY ${PIN} LIMIT 1)
  FROM names WHERE names.pin IS NOT NULL
)
SELECT pinned.* FROM names CROSS JOIN LATERAL (
  SELECT coalesce(turn_start, 0) AS start FROM ${messages}
  WHERE conversation_id = $1 AND ${IS_PINNED} AND ${PIN} = names.pin ORDER BY position DESC LIMIT 1
) AS newest CROSS JOIN LATERAL (
  SELECT ${row} FROM ${messages}
  WHERE conversation_id = $1 AND ${IS_PINNED} AND ${PIN} = names.pin AND position >= newest.start
  AND coalesce(turn_start, 0) = newest.start OFFSET 0 -- keeps the planner from joining all pinned rows
) AS pinned
WHERE pinned.position < $2::bigint ORDER BY pinned.position`,
    /** Id, number of ids. */
    list: `SELECT id FROM ${conversations} WHERE id > $1 ORDER BY id LIMIT $2`,
    /** Id, number of ids, owner. */
    owned: `SELECT id FROM ${conversations} WHERE owner = $3 AND id > $1 ORDER BY id LIMIT $2`,
    /** Id, a new revision, owner. Says whose the conversation is then. */
    adopt: `INSERT INTO ${conversations} AS known (id, revision, owner) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET owner = coalesce(known.owner, excluded.owner), revision = excluded.revision
RETURNING owner`,
    /** Id. */
    delete: `DELETE FROM ${conversations} WHERE id = $1`,
  };
}
