import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { turnEventLogContract } from '@nestor-ai/testing/contract';
import { DATABASES, openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresTurnEventLog } from './postgres-turn-event-log.js';

describe.each(DATABASES)('PostgresTurnEventLog on %s', (_name, options) => {
  let test: TestDatabase;
  const logs: PostgresTurnEventLog[] = [];

  beforeAll(async () => {
    test = await openTestDatabase({ ...options, max: 40 });
  });

  afterAll(async () => {
    for (const log of logs) await log.onApplicationShutdown();
    await test.close();
  });

  const open = (retention?: number): PostgresTurnEventLog => {
    const log = new PostgresTurnEventLog(test.database, retention === undefined ? {} : { retention });
    logs.push(log);
    return log;
  };
  for (const { name, run } of turnEventLogContract({ open })) it(name, run);
});
