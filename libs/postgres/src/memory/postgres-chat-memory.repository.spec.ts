import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AssistantMessage, type Message, MessageWindowChatMemory, SystemMessage, UserMessage } from '@nestor-ai/core';
import { chatMemoryContract } from '@nestor-ai/testing/contract';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresChatMemoryRepository } from './postgres-chat-memory.repository.js';

describe('conversations in PostgreSQL', () => {
  let test: TestDatabase;
  let repository: PostgresChatMemoryRepository;

  beforeAll(async () => {
    test = await openTestDatabase();
    repository = new PostgresChatMemoryRepository(test.database);
  });

  afterAll(() => test.close());

  const said = (...texts: string[]): Message[] => texts.map((text) => new UserMessage(text));
  const rows = async (id: string): Promise<readonly unknown[]> =>
    (
      await test.pool.query(
        `SELECT position::int, xmin::text, message ->> 'text' AS text FROM ${test.database.table('messages')} WHERE conversation_id = $1 ORDER BY position`,
        [id],
      )
    ).rows;

  it('write only what has changed when the window moves', async () => {
    await repository.saveAll('window', said('a', 'b', 'c', 'd'));
    const before = await rows('window');
    await repository.saveAll('window', said('c', 'd', 'e'));
    const after = await rows('window');
    expect(after.slice(0, 2)).toEqual(before.slice(2));
    expect(after[2]).toMatchObject({ position: 4, text: 'e' });
  });

  it('keep the other rows when one message in the middle changes', async () => {
    await repository.saveAll('middle', [new SystemMessage('one'), ...said('a', 'b')]);
    const before = await rows('middle');
    await repository.saveAll('middle', [new SystemMessage('two'), ...said('a', 'b')]);
    expect((await rows('middle')).slice(1)).toEqual(before.slice(1));
  });

  for (const { name, run } of chatMemoryContract(() => repository)) it(`keep the contract: ${name}`, run);

  it('keep what PostgreSQL cannot store as it is', async () => {
    const hostile = ["'; DROP TABLE messages; --", 'a"b', 'nul\0', 'nul\\0', '\ud800', '\ud801', '%s $1', '😀'];
    for (const id of hostile)
      await repository.saveAll(id, [new UserMessage(id), new AssistantMessage('\0\udfff'.repeat(3))]);
    for (const id of hostile) {
      const [asked, answered] = await repository.findByConversationId(id);
      expect(asked).toMatchObject({ text: id });
      expect(answered).toMatchObject({ text: '\0\udfff'.repeat(3) });
    }
    expect(await repository.findConversationIds()).toEqual(expect.arrayContaining(hostile));
    const listed: string[] = [];
    for await (const id of repository.listConversationIds({ pageSize: 3 })) listed.push(id);
    expect(listed.toSorted()).toEqual([...(await repository.findConversationIds())].toSorted());
  });

  it('refuse an id that no index can hold, with the remedy', async () => {
    await expect(repository.saveAll('x'.repeat(1001), [])).rejects.toThrow(
      'A conversation id has 1001 bytes, but PostgreSQL can index at most 1000. Use a shorter one, such as a hash of it.',
    );
  });

  it('get a turn once, however many processes add it', async () => {
    const turn = [new UserMessage('Pay'), new AssistantMessage({ text: 'Paid', metadata: { turnId: 'turn-1' } })];
    const processes = Array.from({ length: 3 }, () => new MessageWindowChatMemory({ repository }));
    await Promise.all(processes.map(async (memory) => memory.add('turn', turn)));
    await processes[0]!.add('turn', [new UserMessage('Thanks')]);
    const texts = (await repository.findByConversationId('turn')).map((message) => (message as UserMessage).text);
    expect(texts).toEqual(['Pay', 'Paid', 'Thanks']);
  });

  it('never mix two saves at the same time', async () => {
    const versions = Array.from({ length: 12 }, (_, at) =>
      Array.from({ length: 3 + (at % 4) }, (_, n) => `${at}.${n}`),
    );
    await Promise.all(
      versions.map(async (version, at) => {
        if (at % 5 === 4) await repository.deleteByConversationId('race');
        await repository.saveAll('race', said(...version));
      }),
    );
    const texts = (await repository.findByConversationId('race')).map((message) => (message as UserMessage).text);
    expect(versions.map(String)).toContain(String(texts));
  });
});
