import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ToolAuditRecord, verifyToolAudit } from '@nestor-ai/audit';
import { AuditChain } from '../../../audit/src/audit-chain.js';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresToolAuditSink } from './postgres-tool-audit.sink.js';

const recordOf = (id: string): ToolAuditRecord => ({
  id,
  time: new Date(0).toISOString(),
  event: 'tool-call-began',
  runId: id,
  turnId: 'turn\0\ud800',
  callId: 'call',
  tool: "weather'",
  arguments: '{"text":"\\u0000 \u2028"}',
});

describe('an audit in PostgreSQL', () => {
  let test: TestDatabase;

  beforeAll(async () => void (test = await openTestDatabase()));
  afterAll(() => test.close());

  it('has a valid chain for each of several replicas that write at the same time', async () => {
    const chains = Array.from({ length: 3 }, () => new AuditChain(new PostgresToolAuditSink(test.database), 10_000));
    for (const round of [1, 2, 3, 4]) {
      await Promise.all(chains.map((chain, at) => chain.write(recordOf(`${at}.${round}`))));
    }
    await new AuditChain(new PostgresToolAuditSink(test.database), 10_000).write(recordOf('restarted'));
    const sink = new PostgresToolAuditSink(test.database);
    expect(await verifyToolAudit(sink.lines())).toMatchObject({ isIntact: true, records: 13, tornLines: [] });
  });

  it('shows that a record was changed', async () => {
    const table = test.database.table('tool_audit');
    await test.pool.query(
      `UPDATE ${table} SET record = replace(record::text, 'weather', 'delete')::json WHERE number = (SELECT min(number) + 1 FROM ${table})`,
    );
    const found = await verifyToolAudit(new PostgresToolAuditSink(test.database).lines());
    expect(found).toMatchObject({ isIntact: false, problem: { line: 2, text: 'It was changed.' } });
  });
});
