import type { PostgresDatabase } from '../database/postgres-database.js';

/** The most appends to read at once. */
const PAGE = 200;

/** The most turns to delete at once. */
export const MAX_DELETED = 500;

export type TurnEventStatements = ReturnType<typeof turnEventStatements>;

export function turnEventStatements(database: PostgresDatabase) {
  const logs = database.table('turn_event_logs');
  const events = database.table('turn_events');
  // Everybody may listen: notifications have no ids, but marks that fit many turns.
  const mark = `left(encode(sha256(convert_to(turn_id, 'UTF8')), 'hex'), 4)`;
  const endOf = (retention: string): string => `now() + ${retention}::double precision * interval '1 millisecond'`;
  return {
    /** Turns, numbers before, numbers of events, events, fences, retention, channel. Returns the turns that are stored. */
    append: `WITH given AS (
  SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::integer[])
    AS row (turn_id, after, added, events, fence)
), head AS (
  INSERT INTO ${logs} AS known (turn_id, last_number, appended_after, fence, expires_at)
  SELECT turn_id, after + added, after, fence, ${endOf('$6')} FROM given ORDER BY turn_id
  ON CONFLICT (turn_id) DO UPDATE SET
    last_number = EXCLUDED.last_number, appended_after = EXCLUDED.appended_after,
    fence = EXCLUDED.fence, expires_at = EXCLUDED.expires_at
  WHERE known.last_number IN (EXCLUDED.appended_after, 0) AND known.fence <= EXCLUDED.fence
  RETURNING turn_id
), stored AS (
  INSERT INTO ${events} (turn_id, first_number, last_number, events)
  SELECT turn_id, after + 1, after + added, events FROM given JOIN head USING (turn_id)
)
SELECT turn_id, pg_notify($7, 'change ' || ${mark}) FROM head`,
    /** Turn, number. */
    read: `SELECT log.last_number, page.first_number, page.events FROM ${logs} AS log
LEFT JOIN LATERAL (
  SELECT first_number, last_number, events FROM ${events}
  WHERE turn_id = log.turn_id AND last_number > CASE WHEN $2::bigint > log.last_number THEN 0 ELSE $2::bigint END
  ORDER BY last_number LIMIT ${PAGE}
) AS page ON true
WHERE log.turn_id = $1 AND log.last_number > 0 AND log.expires_at > now()
ORDER BY page.last_number`,
    /** Turn, retention, channel. */
    requestStop: `WITH head AS (
  INSERT INTO ${logs} (turn_id, last_number, appended_after, is_to_stop, expires_at) VALUES ($1, 0, 0, true, ${endOf('$2')})
  ON CONFLICT (turn_id) DO UPDATE SET is_to_stop = true
  RETURNING turn_id
)
SELECT pg_notify($3, 'stop ' || ${mark}) FROM head`,
    /** Turns. */
    findStops: `SELECT turn_id FROM ${logs} WHERE turn_id = ANY($1::text[]) AND is_to_stop`,
    /** Turn. Returns a row if its events have expired, and are deleted. */
    deleteTurn: deleteWhere(logs, events, 'turn_id = $1 AND expires_at <= now()'),
    /** Deletes turns whose events have expired. */
    deleteExpired: deleteWhere(
      logs,
      events,
      `turn_id = ANY(ARRAY(SELECT turn_id FROM ${logs} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${MAX_DELETED} FOR UPDATE SKIP LOCKED))`,
    ),
  };
}

/** The ids are an array, so that the server looks each of them up in an index, whatever its statistics are. */
function deleteWhere(logs: string, events: string, condition: string): string {
  return `WITH gone AS (DELETE FROM ${logs} WHERE ${condition} RETURNING turn_id),
deleted AS (DELETE FROM ${events} WHERE turn_id = ANY(ARRAY(SELECT turn_id FROM gone)))
SELECT turn_id FROM gone`;
}
