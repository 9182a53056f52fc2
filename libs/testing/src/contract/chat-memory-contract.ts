import {
  AssistantMessage,
  type ChatMemoryRepository,
  type Message,
  SystemMessage,
  toMessageJson,
  ToolResponseMessage,
  UserMessage,
} from '@nestor-ai/core';
import { assertEqual } from './assertions.js';
import type { ContractCase } from './chat-model-contract.js';

/** A test of a repository. Ids contain the title, so that a repository can serve all of them. */
type Check = (repository: ChatMemoryRepository, id: string) => Promise<void>;

/** Questions. */
export const said = (...texts: readonly string[]): Message[] => texts.map((text) => new UserMessage(text));

/** Messages of every role. */
export const WHOLE_TURN: readonly Message[] = [
  new SystemMessage('You help.'),
  new UserMessage({ text: 'What is this?', media: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }),
  new AssistantMessage({ toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }] }),
  new ToolResponseMessage({ responses: [{ id: 'call_1', name: 'weather', responseData: 'sunny' }] }),
  new AssistantMessage({ text: 'Sunny.', metadata: { finishReason: 'stop' } }),
];

/** Texts that a store may confuse with something else. */
export const HOSTILE_TEXTS = [
  "'; DROP TABLE messages; --",
  '"quoted"',
  '100% $1 ?',
  '\\0 and \0',
  '\ud800 alone',
  '😀 ä \u2028',
];

const CHECKS: Readonly<Record<string, Check>> = {
  'an unknown conversation has no messages': async (repository, id) => {
    await assertMessages(repository, id, []);
  },
  'messages of every role come back as they were, in their order': async (repository, id) => {
    await repository.saveAll(id, WHOLE_TURN);
    await assertMessages(repository, id, WHOLE_TURN);
  },
  'saving replaces the messages': async (repository, id) => {
    for (const texts of [['a', 'b', 'c'], ['b', 'c', 'd'], ['d', 'a'], ['a', 'a', 'a'], ['a', 'b', 'a', 'a'], ['x']]) {
      await repository.saveAll(id, said(...texts));
      await assertMessages(repository, id, said(...texts));
    }
  },
  'a save without messages leaves none': async (repository, id) => {
    await repository.saveAll(id, said('a'));
    await repository.saveAll(id, []);
    await assertMessages(repository, id, []);
  },
  'conversations do not see each other': async (repository, id) => {
    await repository.saveAll(`${id} 1`, said('one'));
    await repository.saveAll(`${id} 2`, said('two'));
    await assertMessages(repository, `${id} 1`, said('one'));
    await repository.deleteByConversationId(`${id} 1`);
    await assertMessages(repository, `${id} 1`, []);
    await assertMessages(repository, `${id} 2`, said('two'));
  },
  'the ids include a stored conversation, and not a deleted one': async (repository, id) => {
    await repository.saveAll(id, said('a'));
    assertEqual(
      (await repository.findConversationIds()).includes(id),
      true,
      'whether the id of a stored conversation is listed',
    );
    await repository.deleteByConversationId(id);
    assertEqual(
      (await repository.findConversationIds()).includes(id),
      false,
      'whether the id of a deleted conversation is listed',
    );
  },
  'deleting an unknown conversation does nothing': async (repository, id) => {
    await repository.deleteByConversationId(id);
    await assertMessages(repository, id, []);
  },
  'ids and texts may contain any characters': async (repository, id) => {
    for (const text of HOSTILE_TEXTS) await repository.saveAll(id + text, said(text));
    for (const text of HOSTILE_TEXTS) await assertMessages(repository, id + text, said(text));
  },
  'a conversation may have a long text': async (repository, id) => {
    const long = said('ä"\\'.repeat(100_000));
    await repository.saveAll(id, long);
    await assertMessages(repository, id, long);
  },
  'concurrent updates keep the changes of all of them': async (repository, id) => {
    const texts = Array.from({ length: 8 }, (_, at) => String(at));
    await Promise.all(texts.map(async (text) => repository.update(id, (known) => [...known, ...said(text)])));
    const found = await repository.findByConversationId(id);
    const stored = found.map((message) => (message as UserMessage).text);
    assertEqual(stored.toSorted(), texts, 'the stored texts');
  },
  'an update that changes nothing stores nothing': async (repository, id) => {
    await repository.update(id, (known) => known);
    assertEqual((await repository.findConversationIds()).includes(id), false, 'whether the conversation is stored');
  },
  'concurrent saves leave the messages of one of them': async (repository, id) => {
    const versions = Array.from({ length: 8 }, (_, at) =>
      said(...Array.from({ length: 1 + (at % 4) }, (_, n) => `${at}.${n}`)),
    );
    await Promise.all(versions.map(async (version) => repository.saveAll(id, version)));
    const found = jsonOf(await repository.findByConversationId(id));
    assertEqual(
      versions.some((version) => jsonOf(version) === found),
      true,
      'whether the messages are those of one save',
    );
  },
};

/**
 * What every `ChatMemoryRepository` must do, as tests for any test runner.
 *
 * @param repository creates the repository; it may be the same for all tests
 * @example
 * describe('RedisChatMemoryRepository', () => {
 *   for (const { name, run } of chatMemoryContract(() => repository)) it(name, run);
 * });
 */
export function chatMemoryContract(
  repository: () => ChatMemoryRepository | Promise<ChatMemoryRepository>,
): readonly ContractCase[] {
  return Object.entries(CHECKS).map(([name, check]) => ({
    name,
    run: async () => check(await repository(), `contract: ${name}`),
  }));
}

async function assertMessages(repository: ChatMemoryRepository, id: string, wanted: readonly Message[]): Promise<void> {
  assertEqual(jsonOf(await repository.findByConversationId(id)), jsonOf(wanted), 'the stored messages');
}

export function jsonOf(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(toMessageJson));
}
