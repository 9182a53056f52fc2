import type { TableNames } from '../database/table-names.js';

/** The revision of a conversation that is not stored. */
export const NO_REVISION = '00000000-0000-0000-0000-000000000000';

/**
 * Replaces the messages of a conversation, but writes only the difference. Values: the id, a new
 * revision, the messages as an array of JSON texts, and the revision that they replace: null for any,
 * {@link NO_REVISION} for a conversation that is not stored. It returns one row, or none if another
 * writer was faster: then nothing was written.
 *
 * The new messages take the positions of the stored ones, moved by the shift that lets the most of
 * them keep their row. When a window has dropped its three oldest messages, the shift is 3.
 */
export function saveConversation(names: TableNames): string {
  const conversations = names.of('conversations');
  const messages = names.of('messages');
  return `
WITH seen AS (
  SELECT revision FROM ${conversations} WHERE id = $1
), updated AS (
  UPDATE ${conversations} SET revision = $2::uuid, used_at = now()
  WHERE id = $1 AND revision = (SELECT revision FROM seen) AND revision = coalesce($4::uuid, revision) RETURNING id
), inserted AS (
  INSERT INTO ${conversations} (id, revision)
  SELECT $1, $2::uuid WHERE NOT EXISTS (SELECT FROM seen) AND coalesce($4::uuid, '${NO_REVISION}') = '${NO_REVISION}'
  ON CONFLICT (id) DO NOTHING RETURNING id
), locked AS MATERIALIZED (
  SELECT id FROM updated UNION ALL SELECT id FROM inserted
), old AS MATERIALIZED (
  SELECT position, position - min(position) OVER () AS at, message::text AS message
  FROM ${messages} WHERE conversation_id = $1
), new AS MATERIALIZED (
  SELECT ordinality - 1 AS at, message FROM unnest($3::text[]) WITH ORDINALITY AS given (message, ordinality)
), shifts AS (
  SELECT 0::bigint AS shift
  UNION
  (SELECT last.at - new.at FROM (SELECT at, message FROM old ORDER BY position DESC LIMIT 1) AS last
   JOIN new ON new.message = last.message WHERE new.at <= last.at ORDER BY new.at DESC LIMIT 8)
), best AS (
  SELECT shift FROM shifts
  ORDER BY (SELECT count(*) FROM old JOIN new ON new.at = old.at - shift AND new.message = old.message) DESC, shift
  LIMIT 1
), placed AS (
  SELECT coalesce((SELECT min(position) FROM old), 0) + (SELECT shift FROM best) + at AS position, message FROM new
), deleted AS (
  DELETE FROM ${messages} WHERE conversation_id = $1 AND EXISTS (SELECT FROM locked)
    AND position IN (SELECT position FROM old EXCEPT SELECT position FROM placed)
), written AS (
  INSERT INTO ${messages} (conversation_id, position, message)
  SELECT locked.id, placed.position, placed.message::json
  FROM locked, placed LEFT JOIN old ON old.position = placed.position
  WHERE old.message IS DISTINCT FROM placed.message
  ON CONFLICT (conversation_id, position) DO UPDATE SET message = EXCLUDED.message, created_at = now()
)
SELECT id FROM locked`;
}
