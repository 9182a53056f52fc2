import { describe, expect, it } from '@jest/globals';
import { withoutWaiting } from '../../../../test/fake-timeouts.js';
import { type ConversationHold, ConversationLocks, type ConversationWait, SerialQueue } from '@nestor-ai/core';
import { conversationLocksContract } from './index.js';

class InMemory extends ConversationLocks {
  protected readonly queue = new SerialQueue();

  async acquire(conversationId: string, { signal }: ConversationWait): Promise<ConversationHold> {
    signal.throwIfAborted();
    const leave = await this.queue.enter(conversationId, signal);
    return { release: async () => leave() };
  }
}

describe('the contract of ConversationLocks', () => {
  describe('is kept in memory', () => {
    const locks = new InMemory();
    for (const { name, run } of conversationLocksContract({ open: () => locks })) it(name, () => withoutWaiting(run));
  });

  class Open extends InMemory {
    override acquire = (): Promise<ConversationHold> => Promise.resolve({ release: () => Promise.resolve() });
  }

  class Single extends InMemory {
    override acquire(_id: string, wait: ConversationWait): Promise<ConversationHold> {
      return super.acquire('one', wait);
    }
  }

  class Deaf extends InMemory {
    override acquire(id: string, wait: ConversationWait): Promise<ConversationHold> {
      return super.acquire(id, { ...wait, signal: new AbortController().signal });
    }
  }

  it.each([
    ['one process after the other has a conversation, in the order in which they asked', new Open(), 'The contract'],
    ['other conversations do not wait, whatever their ids', new Single(), 'stuck'],
    ['a second release does nothing', new Open(), 'The contract'],
    ['a wait that is aborted ends with the reason, and leaves the line', new Open(), 'The contract'],
    ['a wait whose signal is aborted already does not begin', new Deaf(), 'The contract'],
  ])('rejects locks for which it is not true that %s', async (title, locks, text) => {
    const broken = conversationLocksContract({ open: () => locks }).find(({ name }) => name === title)!;
    const outcome = withoutWaiting(() => {
      const stuck = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('stuck')), 15_000));
      return Promise.race([broken.run(), stuck]);
    });
    await expect(outcome).rejects.toThrow(text);
  });
});
