import type { PostgresDatabase } from '../database/postgres-database.js';

/** The columns of a turn in a list, as text: the application may change how `pg` parses values. */
export const SUMMARY_COLUMNS = `t.id, t.status, t.requester, t.client, t.conversation_id,
  array_to_json(t.pending_call_ids)::text AS pending_call_ids,
  to_char(t.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at,
  (extract(epoch FROM greatest(now() - t.changed_at, interval '0')) * 1000)::text AS unchanged_for,
  t.owner, (extract(epoch FROM t.lease_ends_at - now()) * 1000)::text AS remaining`;

export const IS_UNCLAIMED = '(t.owner IS NULL OR t.lease_ends_at <= now())';

/** The statements of a journal. Each is one round trip and one transaction. */
export interface TurnJournalStatements {
  readonly append: string;
  readonly storedBefore: string;
  readonly read: string;
  readonly claim: string;
  readonly deleteEnded: string;
  readonly reserveEffect: string;
  readonly readEffect: string;
  readonly storeEffect: string;
}

export function turnJournalStatements(database: PostgresDatabase): TurnJournalStatements {
  const [turns, entries, effects] = [
    database.table('turns'),
    database.table('turn_entries'),
    database.table('turn_effects'),
  ];
  return {
    // The rows come sorted by id, so that two statements lock turns in the same order. The lateral
    // join is a look-up per row whatever the statistics are. The conflict clause is the fence: it
    // checks and writes the newest version of the row, which the statement has locked.
    append: `
      WITH input AS (
        SELECT * FROM unnest(
          $1::text[], $2::integer[], $3::integer[], $4::text[], $5::float8[], $6::text[],
          $7::text[], $8::text[], $9::text[], $10::text[], $11::text[]
        ) AS i(id, after, added, owner, lease, status, requester, client, conversation_id, pending, data)
      ), stored AS (
        INSERT INTO ${turns} AS t (
          id, status, requester, client, conversation_id, pending_call_ids,
          entry_count, appended_after, owner, lease_ends_at, changed_at
        )
        SELECT i.id, i.status, i.requester, i.client, i.conversation_id, i.pending::text[],
          i.after + i.added, i.after, CASE WHEN i.lease IS NOT NULL THEN i.owner END,
          now() + i.lease * interval '1 ms', now()
        FROM input i LEFT JOIN LATERAL (SELECT true AS exists FROM ${turns} k WHERE k.id = i.id LIMIT 1) k ON true
        WHERE i.after = 0 OR k.exists
        ON CONFLICT (id) DO UPDATE SET
          status = excluded.status, requester = excluded.requester, client = excluded.client,
          conversation_id = excluded.conversation_id, pending_call_ids = excluded.pending_call_ids,
          entry_count = excluded.entry_count, appended_after = excluded.appended_after,
          owner = excluded.owner, lease_ends_at = excluded.lease_ends_at,
          changed_at = CASE WHEN t.status = 'queued' AND excluded.status = 'queued' THEN t.changed_at ELSE excluded.changed_at END
        WHERE t.entry_count = excluded.appended_after AND t.status <> 'ended' AND (
          ${IS_UNCLAIMED} OR t.owner = (SELECT i.owner FROM input i WHERE i.id = excluded.id)
        )
        RETURNING t.id
      ), written AS (
        INSERT INTO ${entries} (turn_id, number, owner, data)
        SELECT i.id, i.after, i.owner, i.data FROM input i JOIN stored s ON s.id = i.id WHERE i.added > 0
      )
      SELECT id FROM stored`,
    storedBefore: `
      SELECT i.id FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[])
        AS i(id, after, added, owner, status, data)
      WHERE CASE WHEN i.added > 0
        THEN EXISTS (
          SELECT FROM ${entries} e
          WHERE e.turn_id = i.id AND e.number = i.after AND e.owner = i.owner AND e.data = i.data
        )
        ELSE EXISTS (
          SELECT FROM ${turns} t
          WHERE t.id = i.id AND t.entry_count = i.after AND t.appended_after = i.after AND t.status = i.status
        )
      END`,
    read: `
      SELECT ${SUMMARY_COLUMNS},
        (SELECT string_agg(e.data, ',' ORDER BY e.number) FROM ${entries} e WHERE e.turn_id = t.id) AS entries
      FROM ${turns} t WHERE t.id = $1`,
    claim: `
      UPDATE ${turns} AS t SET owner = $3, lease_ends_at = now() + $4::float8 * interval '1 ms'
      WHERE t.id = $1 AND t.entry_count = $2::integer AND t.status <> 'ended' AND (${IS_UNCLAIMED} OR t.owner = $3)
      RETURNING t.id`,
    deleteEnded: `
      WITH old AS (
        SELECT id FROM ${turns} WHERE status = 'ended' AND changed_at < now() - $1::float8 * interval '1 ms'
        ORDER BY changed_at LIMIT $2::integer FOR UPDATE SKIP LOCKED
      ), entries AS (DELETE FROM ${entries} e USING old WHERE e.turn_id = old.id),
      effects AS (DELETE FROM ${effects} f USING old WHERE f.turn_id = old.id)
      DELETE FROM ${turns} t USING old WHERE t.id = old.id RETURNING t.id`,
    reserveEffect: `
      INSERT INTO ${effects} (turn_id, key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key`,
    readEffect: `SELECT result FROM ${effects} WHERE turn_id = $1 AND key = $2`,
    storeEffect: `UPDATE ${effects} SET result = $3 WHERE turn_id = $1 AND key = $2`,
  };
}
