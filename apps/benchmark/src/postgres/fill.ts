import type { PostgresDatabase } from '@nestor-ai/postgres';

/** How many turns the tables have, by status. */
export const OPEN_TURNS = { running: 1000, queued: 1000, suspended: 10_000 };

/** Fills the tables with ended turns, each with two appends, and some that are not over. */
export async function fillTables(database: PostgresDatabase, endedTurns: number): Promise<void> {
  const [turns, entries] = [database.table('turns'), database.table('turn_entries')];
  const fill = (status: string, from: number, count: number): Promise<unknown> =>
    database.query(
      'fill the tables',
      `WITH numbers AS (SELECT generate_series($2::integer, $2::integer + $3::integer - 1) AS n),
      added AS (
        INSERT INTO ${entries} (turn_id, number, owner, data)
        SELECT 'turn ' || n, number, 'filler', $4::text FROM numbers, unnest(ARRAY[0, 2]) AS number
      )
      INSERT INTO ${turns} (
        id, status, requester, client, conversation_id, pending_call_ids, entry_count, appended_after, changed_at
      )
      SELECT 'turn ' || n, $1, 'user ' || n % 10000, 'assistant', 'conversation ' || n / 5,
        CASE WHEN $1 = 'suspended' THEN ARRAY['call ' || n] ELSE '{}' END, 4, 2, now() - n * interval '1 second'
      FROM numbers`,
      [status, from, count, JSON.stringify({ kind: 'call-withdrawn', callId: 'x'.repeat(60) })],
    );
  const batch = 100_000;
  for (let from = 0; from < endedTurns; from += batch) await fill('ended', from, Math.min(batch, endedTurns - from));
  let from = endedTurns;
  for (const [status, count] of Object.entries(OPEN_TURNS)) {
    await fill(status, from, count);
    from += count;
  }
  await database.query('analyze a table', `ANALYZE ${turns}`);
  await database.query('analyze a table', `ANALYZE ${entries}`);
}
