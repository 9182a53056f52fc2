import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  type ConversationPage,
  type Message,
  MessageWindowChatMemory,
  SystemMessage,
  toMessageJson,
  UserMessage,
} from '@nestor-ai/core';
import { conversationLogContract } from '@nestor-ai/testing/contract';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { applyMigrations } from '../migrations/migrate.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { CONVERSATION_TURNS_MIGRATION } from './conversations.migration.js';
import { PostgresConversationLog } from './postgres-conversation-log.js';

const said = (...texts: string[]): Message[] => texts.map((text) => new UserMessage(text));
const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => (message as UserMessage).text);
const textsIn = ({ turns }: ConversationPage): readonly string[] => textsOf(turns.flatMap(({ messages }) => messages));

describe('conversations in PostgreSQL', () => {
  let test: TestDatabase;
  let log: PostgresConversationLog;

  beforeAll(async () => {
    test = await openTestDatabase();
    log = new PostgresConversationLog(test.database);
  });

  afterAll(() => test.close());

  for (const { name, run } of conversationLogContract(() => log)) it(`keep the contract: ${name}`, run);

  it('keep what PostgreSQL cannot store as it is', async () => {
    const hostile = ["'; DROP TABLE messages; --", 'a"b', 'nul\0', 'nul\\0', '\ud800', '\ud801', '%s $1', '😀'];
    const answer = '\0\udfff'.repeat(3);
    for (const id of hostile) await log.append(id, id, [new UserMessage(id), new AssistantMessage(answer)]);
    for (const id of hostile) expect(textsIn(await log.read(id, { limit: 10 }))).toEqual([id, answer]);
    expect(await log.list()).toEqual(expect.arrayContaining(hostile));
  });

  it('are listed without a limit, as those in memory are', async () => {
    await log.append('listed', 'turn', said('a'));
    expect(await log.list({ limit: Infinity })).toContain('listed');
  });

  it('refuse an id that no index can hold, with the remedy', async () => {
    for (const ids of [
      ['x'.repeat(1001), 'turn'],
      ['c', 'x'.repeat(1001)],
    ] as const)
      await expect(log.append(ids[0], ids[1], said('a'))).rejects.toThrow(
        /^A (?:conversation|turn) id has 1001 bytes, but PostgreSQL can index at most 1000\. Use a shorter one, such as a hash of it\./,
      );
  });

  it('get a turn once, however many processes add it', async () => {
    const turn = [new UserMessage('Pay'), new AssistantMessage({ text: 'Paid', metadata: { turnId: 'turn-1' } })];
    const processes = Array.from({ length: 3 }, () => new MessageWindowChatMemory({ log }));
    await Promise.all(processes.map(async (memory) => memory.add('turn', turn)));
    await processes[0]!.add('turn', said('Thanks'));
    expect(textsOf(await processes[1]!.get('turn'))).toEqual(['Pay', 'Paid', 'Thanks']);
  });

  it('keep what has left the window of a memory', async () => {
    const memory = new MessageWindowChatMemory({ log, maxMessages: 2 });
    for (const text of ['a', 'b', 'c', 'd']) await memory.add('long', said(text));
    expect(textsOf(await memory.get('long'))).toEqual(['c', 'd']);
    expect(textsIn(await log.read('long', { limit: 100 }))).toEqual(['a', 'b', 'c', 'd']);
  });
});

it('keeps the instructions of a conversation that a replica with an earlier version has written in', async () => {
  const test = await openTestDatabase();
  const log = new PostgresConversationLog(test.database);
  const memory = new MessageWindowChatMemory({ log, maxMessages: 5 });
  await memory.add('c', [new SystemMessage('Be brief.'), ...said('a')]);
  const table = test.database.table('messages');
  // It moves what stays to other positions, and writes rows without turns.
  const rows = [new SystemMessage('Be kind.'), ...said('b', 'c')];
  await test.pool.query(`DELETE FROM ${table} WHERE position = 0`);
  await test.pool.query(`UPDATE ${table} SET message = $1 WHERE position = 1`, [
    JSON.stringify(toMessageJson(rows[0]!)),
  ]);
  for (const [at, row] of rows.slice(1).entries())
    await test.pool.query(`INSERT INTO ${table} (conversation_id, position, message) VALUES ('c', $1, $2)`, [
      at + 2,
      JSON.stringify(toMessageJson(row)),
    ]);
  for (const text of ['d', 'e', 'f', 'g', 'h', 'i']) await memory.add('c', said(text));
  expect(textsOf(await memory.get('c'))).toEqual(['Be kind.', 'f', 'g', 'h', 'i']);
  await test.close();
});

describe('conversations of earlier versions', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase({ migrate: false });
    await applyMigrations(test.database, MIGRATIONS.slice(0, MIGRATIONS.indexOf(CONVERSATION_TURNS_MIGRATION)));
  });

  afterAll(() => test.close());

  it('are read, go on, and keep their system messages', async () => {
    const stored = [
      { role: 'system', text: 'Be brief.' },
      { role: 'system', text: 'Say "role":"system" \0.' },
      ...said('a', 'b').map(toMessageJson),
    ];
    await test.pool.query(`INSERT INTO ${test.database.table('conversations')} VALUES ('old', gen_random_uuid())`);
    for (const [at, message] of stored.entries())
      await test.pool.query(
        `INSERT INTO ${test.database.table('messages')} (conversation_id, position, message) VALUES ('old', $1, $2)`,
        [at + 7, JSON.stringify(message)],
      );
    await applyMigrations(test.database);
    const log = new PostgresConversationLog(test.database);
    const memory = new MessageWindowChatMemory({ log, maxMessages: 4 });
    const rules = ['Be brief.', 'Say "role":"system" \0.'];
    expect(textsOf(await memory.get('old'))).toEqual([...rules, 'a', 'b']);
    await memory.add('old', said('c'));
    await memory.add('old', said('d'));
    expect(textsOf(await memory.get('old'))).toEqual([...rules, 'c', 'd']);
    const { turns } = await log.read('old', { limit: 100 });
    expect(turns.map(({ position, messages }) => [position, messages.length])).toEqual([
      [7, 4],
      [11, 1],
      [12, 1],
    ]);
  });
});
