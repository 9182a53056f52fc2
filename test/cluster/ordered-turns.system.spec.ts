import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { AiModule, ChatClient, type Prompt, SuspendedTurnRepository, type UserMessage } from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { BullAiModule } from '@nestor-ai/bullmq';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { deleteKeys, hasRedis, newPrefix, TEST_REDIS } from './redis.js';

const REDIS = await hasRedis('The order of turns');
const CONVERSATIONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const COUNT = 25;

const replicas: TestingModule[] = [];
const prefix = newPrefix();

afterEach(async () => {
  jest.restoreAllMocks();
  for (const replica of replicas.splice(0)) await replica.close();
  await deleteKeys(prefix);
});

(REDIS ? it : it.skip)(
  'replicas run the turns of a conversation in the order in which they came, also those that fail',
  async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const journal = new InMemoryTurnJournal();
    const answered: string[] = [];
    const failed = new Set<string>();
    const script = ({ messages }: Prompt) => {
      const { text } = messages.at(-1) as UserMessage;
      const isFailing = text.endsWith(' 3') && !failed.has(text);
      if (isFailing) failed.add(text);
      else answered.push(text);
      return { text: 'Done.', delay: 5, ...(isFailing && { error: new Error('down') }) };
    };
    for (let replica = 0; replica < 3; replica++) {
      const application = await Test.createTestingModule({
        imports: [
          BullAiModule.forRoot({ connection: TEST_REDIS, prefix, concurrency: 8 }),
          AiModule.forRoot({
            chatModel: new ScriptedChatModel(script),
            memory: true,
            providers: [
              { provide: SuspendedTurnRepository, useValue: journal },
              ...BullAiModule.stores(),
              ...BullAiModule.shared(),
            ],
          }),
        ],
      }).compile();
      await application.init();
      replicas.push(application);
    }
    const ids: string[] = [];
    for (let turn = 0; turn < COUNT; turn++)
      for (const [at, conversation] of CONVERSATIONS.entries()) {
        const client = replicas[(turn + at) % replicas.length]!.get(ChatClient);
        ids.push(await client.prompt(`${conversation} ${turn}`).conversation(conversation).enqueue());
      }
    while (!ids.every((id) => journal.read(id)?.status === 'ended'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const conversation of CONVERSATIONS) {
      const turns = answered.filter((text) => text.startsWith(conversation));
      expect(turns).toEqual(Array.from({ length: COUNT }, (_, turn) => `${conversation} ${turn}`));
    }
  },
);
