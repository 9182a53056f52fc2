import { describe, expect, it } from '@jest/globals';
import { InMemoryChatMemoryRepository, type Message } from '@nestor-ai/core';
import { chatMemoryContract } from './index.js';

describe('the contract of a ChatMemoryRepository', () => {
  describe('is kept in memory', () => {
    const repository = new InMemoryChatMemoryRepository();
    for (const { name, run } of chatMemoryContract(() => repository)) it(name, run);
  });

  class Appending extends InMemoryChatMemoryRepository {
    override saveAll(id: string, messages: readonly Message[]): void {
      super.saveAll(id, [...this.findByConversationId(id), ...messages]);
    }
  }

  class Reversing extends InMemoryChatMemoryRepository {
    override findByConversationId(id: string): readonly Message[] {
      return super.findByConversationId(id).toReversed();
    }
  }

  class Keeping extends InMemoryChatMemoryRepository {
    override deleteByConversationId(): void {}
  }

  it.each([
    ['saving replaces the messages', new Appending()],
    ['messages of every role come back as they were, in their order', new Reversing()],
    ['the ids include a stored conversation, and not a deleted one', new Keeping()],
  ])('rejects a repository for which it is not true that %s', async (title, repository) => {
    const broken = chatMemoryContract(() => repository).find(({ name }) => name === title)!;
    await expect(broken.run()).rejects.toThrow();
  });
});
