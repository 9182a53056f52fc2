import { inspect } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import { type ConversationHold, ConversationLocks, type ConversationWait } from '../memory/conversation-locks.js';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { TurnAbort } from '../model/turn-abort.js';
import { ConversationLock } from './conversation-lock.js';
import { ConversationLockTimeoutException } from './conversation-lock-timeout.exception.js';
import { MessageChatMemoryAdvisor } from './message-chat-memory-advisor.js';

const advisorWith = (lockTimeout: number) =>
  new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory(), lockTimeout });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a conversation lock', () => {
  const memory = new MessageWindowChatMemory();

  it('lets turns in one after the other', async () => {
    const order: string[] = [];
    const release = await new ConversationLock(memory, 'a').enter(undefined);
    const second = new ConversationLock(memory, 'a').enter(undefined).then((leave) => {
      order.push('second');
      leave();
    });
    await settled();
    order.push('first ends');
    release();
    await second;
    expect(order).toEqual(['first ends', 'second']);
  });

  it.each([
    ['conversation', memory, 'other'],
    ['memory', new MessageWindowChatMemory(), 'a'],
  ])('does not block turns of another %s', async (_of, otherMemory, otherId) => {
    const release = await new ConversationLock(memory, 'a').enter(undefined);
    const other = await new ConversationLock(otherMemory, otherId).enter(undefined);
    other();
    release();
  });

  it('does not block a turn inside the turn that holds it', async () => {
    const outer = new ConversationLock(memory, 'a');
    const release = await outer.enter(undefined);
    const inner = await outer.within(() => new ConversationLock(memory, 'a').enter(undefined));
    inner();
    release();
  });

  describe('of a turn whose worker may not let it wait', () => {
    const lockOf = (id: string, startWait: (id: string) => (() => void) | undefined): ConversationLock =>
      new ConversationLock(memory, id, 1000, undefined, startWait);

    it('does not ask the worker if the conversation is free', async () => {
      const startWait = jest.fn(() => undefined);
      (await lockOf('free', startWait).enter(undefined))();
      expect(startWait).not.toHaveBeenCalled();
    });

    it('tells the worker when the wait begins and ends', async () => {
      const release = await new ConversationLock(memory, 'a').enter(undefined);
      const end = jest.fn();
      const startWait = jest.fn((_id: string) => end);
      const entering = lockOf('a', startWait).enter(undefined);
      await settled();
      expect(startWait).toHaveBeenCalledWith('a');
      expect(end).not.toHaveBeenCalled();
      release();
      (await entering)();
      expect(end).toHaveBeenCalledTimes(1);
    });

    it('does not wait if the worker refuses, and does not delay those behind', async () => {
      const release = await new ConversationLock(memory, 'a').enter(undefined);
      const refused = lockOf('a', () => undefined).enter(undefined);
      await expect(refused).rejects.toMatchObject({ name: 'ConversationBusyException', conversationId: 'a' });
      expect(inspect(await refused.catch((error: unknown) => error))).not.toContain("'a'");
      const next = new ConversationLock(memory, 'a').enter(undefined);
      release();
      (await next)();
    });

    it('has its place to wait before those behind it, however slow the locks of all processes are', async () => {
      let give = (_hold: ConversationHold): void => undefined;
      class Slow extends ConversationLocks {
        acquire(): Promise<ConversationHold> {
          return new Promise((resolve) => (give = resolve));
        }
      }
      const shared = { locks: new Slow(), onLost: jest.fn() };
      const end = jest.fn();
      const startWait = jest.fn(() => end);
      const entering = new ConversationLock(memory, 'slow', 60_000, shared, startWait).enter(undefined);
      expect(startWait).toHaveBeenCalledTimes(1);
      await settled();
      give({ release: async () => undefined });
      (await entering)();
      expect(end).toHaveBeenCalledTimes(1);
    });

    it('does not wait for another process if the worker refuses', async () => {
      class Taken extends ConversationLocks {
        acquire(_id: string, { signal }: ConversationWait): Promise<ConversationHold> {
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
        }
      }
      const shared = { locks: new Taken(), onLost: jest.fn() };
      const refused = new ConversationLock(memory, 'shared', 60_000, shared, () => undefined).enter(undefined);
      await expect(refused).rejects.toMatchObject({ name: 'ConversationBusyException' });
    });
  });

  describe('with locks that processes share', () => {
    /** Locks that one process may not ask for twice. */
    class Locks extends ConversationLocks {
      held = 0;
      most = 0;

      async acquire(): Promise<ConversationHold> {
        this.most = Math.max(this.most, ++this.held);
        await settled();
        return { release: async () => void this.held-- };
      }
    }

    const lockOf = (locks: Locks, onLost = jest.fn()): ConversationLock =>
      new ConversationLock(new MessageWindowChatMemory(), 'a', 1000, { locks, onLost });

    it('lets turns of different memories in one after the other', async () => {
      const locks = new Locks();
      const entering = Array.from({ length: 3 }, async () => (await lockOf(locks).enter(undefined))());
      await Promise.all(entering);
      await settled();
      expect(locks).toMatchObject({ held: 0, most: 1 });
    });

    it('does not block a turn with another memory inside the turn that holds it', async () => {
      const locks = new Locks();
      const outer = lockOf(locks);
      const release = await outer.enter(undefined);
      const inner = lockOf(locks);
      const waiting = lockOf(locks).enter(undefined);
      const leave = await outer.within(() => inner.enter(undefined));
      expect(locks.most).toBe(1);
      leave();
      release();
      (await waiting)();
      await settled();
      expect(locks).toMatchObject({ held: 0, most: 1 });
    });

    it('tells the turn inside that the lock was lost', async () => {
      let lose!: (error: Error) => void;
      const locks = new Locks();
      locks.acquire = (async (_id: string, { onLost }: ConversationWait) => {
        lose = onLost;
        return { release: async () => undefined };
      }) as Locks['acquire'];
      const outer = lockOf(locks);
      await outer.enter(undefined);
      const inner = lockOf(locks);
      await outer.within(() => inner.enter(undefined));
      lose(new Error('lost'));
      expect(() => inner.throwIfLost()).toThrow('lost');
    });
  });

  it('blocks code that a turn left running once it is released', async () => {
    const first = new ConversationLock(memory, 'a');
    const release = await first.enter(undefined);
    let entered = false;
    const late = first.within(async () => {
      await settled();
      const leave = await new ConversationLock(memory, 'a').enter(undefined);
      entered = true;
      leave();
    });
    release();
    const releaseSecond = await new ConversationLock(memory, 'a').enter(undefined);
    await settled();
    await settled();
    expect(entered).toBe(false);
    releaseSecond();
    await late;
    expect(entered).toBe(true);
  });

  it('stops waiting when the signal is aborted, and lets the next turn in', async () => {
    const release = await new ConversationLock(memory, 'a').enter(undefined);
    const caller = new AbortController();
    const second = new ConversationLock(memory, 'a').enter(new TurnAbort(caller.signal));
    const third = new ConversationLock(memory, 'a').enter(undefined);
    caller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release();
    (await third)();
  });

  describe('that another turn does not release', () => {
    const until = (timeout: number) => new ConversationLock(memory, 'private-id', timeout).enter(undefined);

    it('is waited for until the timeout, and the next turn gets in', async () => {
      const release = await until(1);
      const second = until(5);
      const third = new ConversationLock(memory, 'private-id').enter(undefined);
      await expect(second).rejects.toThrow(ConversationLockTimeoutException);
      release();
      (await third)();
    });

    it('is reported to the caller with the limit and the remedy, but not to loggers', async () => {
      const release = await until(1);
      const error = (await until(5).catch((thrown: unknown) => thrown)) as ConversationLockTimeoutException;
      release();
      expect(error).toMatchObject({ conversationId: 'private-id', timeout: 5 });
      expect(error.message).toMatch(/within 5 ms.*ai\.tools\.timeout.*ai\.chat\.memory\.lock-timeout.*lockTimeout/);
      expect(inspect(error) + JSON.stringify(error)).not.toContain('private-id');
    });

    it('needs no timer if it is free or there is no limit', async () => {
      const timers = jest.spyOn(globalThis, 'setTimeout');
      const release = await until(5);
      const second = until(Number.POSITIVE_INFINITY);
      release();
      (await second)();
      expect(timers).not.toHaveBeenCalled();
      timers.mockRestore();
    });

    it('clears its timer', async () => {
      const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const release = await until(60_000);
      const second = until(60_000);
      release();
      (await second)();
      expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
    });
  });

  it.each([0, -1, Number.NaN, 2 ** 31, 'soon' as unknown as number])('refuses the timeout %p', (timeout) => {
    expect(() => advisorWith(timeout)).toThrow(/^lockTimeout must be a number of milliseconds between 1 and/);
  });

  it('accepts Infinity for no limit', () => {
    expect(advisorWith(Number.POSITIVE_INFINITY)).toBeInstanceOf(MessageChatMemoryAdvisor);
  });
});
