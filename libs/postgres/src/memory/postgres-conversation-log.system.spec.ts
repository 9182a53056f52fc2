import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { UserMessage } from '@nestor-ai/core';
import { describeOnServer, openTestDatabase } from '../../../../test/postgres/test-database.js';
import { conversationLogStatements } from './conversation-log.statements.js';
import { PostgresConversationLog } from './postgres-conversation-log.js';

(await describeOnServer('Owners of conversations'))('a conversation that is given to a user', () => {
  it('takes no turn of a request without a user that was about to be added', async () => {
    const test = await openTestDatabase();
    const log = new PostgresConversationLog(test.database);
    const nobody = { by: { subject: undefined } };
    await log.append('c', 'a', [new UserMessage('a')], nobody);
    const giving = await test.pool.connect();
    await giving.query('BEGIN');
    await giving.query(conversationLogStatements(test.database.names).adopt, ['c', randomUUID(), 'ann']);
    const adding = log.append('c', 'b', [new UserMessage('b')], nobody).then(
      () => 'added',
      (error: Error) => error.name,
    );
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH seen AS%'`;
    while ((await test.pool.query(waiting)).rows.length === 0) await new Promise(setImmediate);
    await giving.query('COMMIT');
    giving.release();
    expect(await adding).toBe('ConversationOwnerException');
    expect((await log.read('c', { limit: 9 })).turns).toHaveLength(1);
    await test.close();
  });
});
