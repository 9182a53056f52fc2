import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { findTurns } from '../journal/find-turns.js';
import { conversationLogStatements } from './conversation-log.statements.js';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('the plans of PostgreSQL for many conversations', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase();
    const { database } = test;
    const conversations = database.table('conversations');
    await test.pool.query(
      `INSERT INTO ${conversations} SELECT 'c' || n, gen_random_uuid(), now() - n * interval '1 minute' FROM generate_series(1, 10000) n UNION ALL SELECT 'long', gen_random_uuid(), now()`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('messages')} (conversation_id, position, message)
       SELECT 'c' || n, p, '{"role":"user","text":"hi"}' FROM generate_series(1, 5000) n, generate_series(0, 3) p`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('messages')}
       SELECT 'long', 2 * n + m, '{"role":"user","text":"hi"}', now(), 2 * n, CASE WHEN m = 0 THEN 't' || n END, CASE WHEN n % 3 = 0 THEN 'summary' END
       FROM generate_series(0, 10000) n, generate_series(0, 1) m`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('usage')} SELECT 'k' || n, 1, 1, gen_random_uuid(), now() + n * interval '1 minute' FROM generate_series(1, 10000) n`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('tool_audit')} (time, turn_id, tool, record) SELECT now() + n * interval '1 minute', 't' || n, 'x', '{}' FROM generate_series(1, 10000) n`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('tool_rates')} SELECT 'k' || n, 1, now() + n * interval '1 minute' FROM generate_series(1, 10000) n`,
    );
    await test.pool.query(
      `INSERT INTO ${database.table('turns')} SELECT 't' || n, 'ended', null, 'default', null, '{}', 1, 0, null, null, now() - n * interval '1 minute' FROM generate_series(1, 10000) n`,
    );
    for (const table of ['conversations', 'messages', 'usage', 'tool_audit', 'tool_rates', 'turns']) {
      await test.pool.query(`ANALYZE ${database.table(table)}`);
    }
  });

  afterAll(() => test.close());

  const planOf = async (sql: string, values: unknown[] = []): Promise<string> => {
    const { rows } = await test.pool.query(`EXPLAIN ${sql}`, values);
    return rows.map((row) => (row as { 'QUERY PLAN': string })['QUERY PLAN']).join('\n');
  };

  it('adds a turn without reading a whole table', async () => {
    const { append } = conversationLogStatements(test.database.names);
    const plan = await planOf(append, ['c77', randomUUID(), 'turn', ['{}', '{}'], null, null, 'ann', true]);
    expect(plan).toMatch(/Index Scan using conversations_pkey/);
    expect(plan).toMatch(/Index Only Scan Backward using messages_pkey/);
    expect(plan).toMatch(/Index (?:Only )?Scan using messages_turn/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('lists the conversations of a user without the others', async () => {
    const { owned } = conversationLogStatements(test.database.names);
    expect(await planOf(owned, ['', 20, 'ann'])).toMatch(/Index Only Scan using conversations_owner/);
  });

  it('lists the last turns without reading all of them', async () => {
    const { text, values } = findTurns(test.database.table('turns'), { limit: 20 });
    const plan = await planOf(text, values);
    expect(plan).toContain('turns_status');
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it.each([
    ['the newest page', 'newest', ['long', 20]],
    ['an earlier page', 'earlier', ['long', 20, 9000]],
    ['what is pinned', 'pinned', ['long', 19_980]],
  ] as const)('reads %s of a conversation of 10,000 turns without the rest of it', async (_what, statement, values) => {
    const read = conversationLogStatements(test.database.names)[statement];
    const { rows } = await test.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${read}`, [...values]);
    const [{ Plan: plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
    const scans = nodesOf(plan).filter((node) => node['Relation Name']?.endsWith('messages'));
    expect(scans.length).toBeGreaterThan(1);
    for (const scan of scans)
      expect(scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(20);
  });

  it.each([
    [
      'reads a conversation',
      'SELECT message FROM messages WHERE conversation_id = $1 ORDER BY position',
      'messages_pkey',
      ['c9'],
    ],
    [
      'finds the latest conversations',
      'SELECT id FROM conversations ORDER BY used_at DESC LIMIT 100',
      'conversations_used_at',
      [],
    ],
    [
      'lists a page of conversations',
      'SELECT id FROM conversations WHERE id > $1 ORDER BY id LIMIT 100',
      'conversations_pkey',
      ['c5'],
    ],
    [
      'deletes old conversations',
      "DELETE FROM conversations WHERE used_at < now() - interval '6 days'",
      'conversations_used_at',
      [],
    ],
    ['reads a budget', 'SELECT tokens FROM usage WHERE key = $1', 'usage_pkey', ['k5']],
    ['deletes old budgets', 'DELETE FROM usage WHERE resets_at < now()', 'usage_resets_at', []],
    ['deletes old counts of rate limits', 'DELETE FROM tool_rates WHERE resets_at < now()', 'tool_rates_resets_at', []],
    [
      'finds the last record of the audit',
      'SELECT record FROM tool_audit ORDER BY number DESC LIMIT 1',
      'tool_audit_pkey',
      [],
    ],
    ['finds the audit of a turn', 'SELECT record FROM tool_audit WHERE turn_id = $1', 'tool_audit_turn_id', ['t5']],
    ['deletes an old audit', 'DELETE FROM tool_audit WHERE time < now()', 'tool_audit_time', []],
  ])('%s with an index', async (_title, sql, index, values) => {
    const named = sql.replace(
      /(FROM) (\w+)/,
      (_, from: string, table: string) => `${from} ${test.database.table(table)}`,
    );
    const plan = await planOf(named, values);
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
