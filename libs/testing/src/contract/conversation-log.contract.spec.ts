import { describe, expect, it } from '@jest/globals';
import { type ConversationAppend, InMemoryConversationLog, type Message } from '@nestor-ai/core';
import { conversationLogContract } from './index.js';

describe('the contract of a ConversationLog', () => {
  describe('is kept in memory', () => {
    const log = new InMemoryConversationLog();
    for (const { name, run } of conversationLogContract(() => log)) it(name, run);
  });

  class Repeating extends InMemoryConversationLog {
    #count = 0;
    override append(id: string, turn: string, messages: readonly Message[], options?: ConversationAppend): void {
      super.append(id, `${turn} ${++this.#count}`, messages, options);
    }
  }

  class Splitting extends InMemoryConversationLog {
    override append(id: string, turn: string, messages: readonly Message[]): void {
      for (const [at, message] of messages.entries()) super.append(id, `${turn}${at}`, [message]);
    }
  }

  class Forgetting extends InMemoryConversationLog {
    override append(id: string, turn: string, messages: readonly Message[]): void {
      super.append(id, turn, messages);
    }
  }

  class Whole extends InMemoryConversationLog {
    override read(id: string, { before }: { limit: number; before?: number }) {
      return super.read(id, { limit: Infinity, ...(before !== undefined && { before }) });
    }
  }

  class Open extends InMemoryConversationLog {
    override append(id: string, turn: string, messages: readonly Message[], options?: ConversationAppend): void {
      const { owner } = super.read(id, { limit: 1 });
      super.append(id, turn, messages, { ...options, ...(owner !== undefined && { by: { subject: owner } }) });
    }
  }

  it.each([
    ['a turn is added once', new Repeating()],
    ['turns that are added at the same time stay whole', new Splitting()],
    ['the newest turn of each pin stays, and no other', new Forgetting()],
    ['an append of a caller that has left changes nothing', new Forgetting()],
    ['a conversation belongs to whoever has said its first turn', new Open()],
    ['a conversation that several begin at the same time belongs to one of them', new Open()],
    ['pages go back to the first turn, without a gap', new Whole()],
  ])('rejects a log for which it is not true that %s', async (title, log) => {
    const broken = conversationLogContract(() => log).find(({ name }) => name === title)!;
    await expect(broken.run()).rejects.toThrow();
  });
});
