import { describe, expect, it } from '@jest/globals';
import { MessageWindowChatMemory } from '../memory/message-window-chat-memory.js';
import { ConversationLock } from './conversation-lock.js';

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
  ])('does not keep turns of another %s waiting', async (_of, otherMemory, otherId) => {
    const release = await new ConversationLock(memory, 'a').enter(undefined);
    const other = await new ConversationLock(otherMemory, otherId).enter(undefined);
    other();
    release();
  });

  it('does not keep a turn waiting that runs inside of the one that has it', async () => {
    const outer = new ConversationLock(memory, 'a');
    const release = await outer.enter(undefined);
    const inner = await outer.within(() => new ConversationLock(memory, 'a').enter(undefined));
    inner();
    release();
  });

  it('keeps what a turn leaves behind waiting once it is released', async () => {
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

  it('gives up when the signal is aborted, and lets the next one in', async () => {
    const release = await new ConversationLock(memory, 'a').enter(undefined);
    const caller = new AbortController();
    const second = new ConversationLock(memory, 'a').enter(caller.signal);
    const third = new ConversationLock(memory, 'a').enter(undefined);
    caller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release();
    (await third)();
  });
});
