import { afterEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { AiModule, ChatClient, SuspendedTurnRepository, type UserMessage } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { BullAiModule } from '@nestor-ai/bullmq';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';
import { until } from '../until.js';

const REDIS = await hasRedis('Turns that wait for their conversation');
const COUNT = 12;

let application: TestingModule;
const prefix = newPrefix();

afterEach(async () => {
  await application.close();
  await deleteKeys(prefix);
});

/** A worker of four turns at once. The turns of the conversation 'a' wait in the model for `open()`. */
async function start({ isShared }: { isShared: boolean }) {
  const journal = new InMemoryTurnJournal();
  const seen: string[] = [];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const model = new ScriptedChatModel(Array.from({ length: COUNT + 1 }, () => 'Done.'));
  const call = model.call.bind(model);
  model.call = async (prompt) => {
    const text = (prompt.messages.at(-1) as UserMessage).text;
    seen.push(text);
    if (text.startsWith('a')) await opened;
    return call(prompt);
  };
  application = await Test.createTestingModule({
    imports: [
      BullAiModule.forRoot({ connection: TEST_REDIS, prefix, concurrency: 4 }),
      AiModule.forRoot({
        chatModel: model,
        memory: true,
        providers: [
          { provide: SuspendedTurnRepository, useValue: journal },
          ...BullAiModule.stores(),
          ...(isShared ? BullAiModule.shared() : []),
        ],
      }),
    ],
  }).compile();
  await application.init();
  return { client: application.get(ChatClient), journal, seen, open };
}

(REDIS ? describe : describe.skip)('many turns of one conversation', () => {
  it.each([
    ['in one process', false],
    ['that processes share', true],
  ])('%s do not block other conversations, and run in their order', async (_where, isShared) => {
    const { client, journal, seen, open } = await start({ isShared });
    const ids: string[] = [];
    for (let at = 0; at < COUNT; at++) {
      ids.push(await client.prompt(`a${at}`).conversation('a').enqueue());
      // Turns that a worker takes at the same moment have no order.
      await until(() => seen.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const other = await client.prompt('b').conversation('b').enqueue();
    await until(() => journal.read(other)?.status === 'ended');
    expect(seen).toEqual(['a0', 'b']);
    open();
    await until(() => ids.every((id) => journal.read(id)?.status === 'ended'));
    expect(seen.filter((text) => text !== 'b')).toEqual(ids.map((_, at) => `a${at}`));
    const kinds = journal.read(ids.at(-1)!)!.entries.map(({ kind }) => kind);
    expect(kinds).toEqual(['queued', 'begun', 'answered', 'ended']);
  });
});
