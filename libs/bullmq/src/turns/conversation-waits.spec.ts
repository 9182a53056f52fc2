import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConversationWaits } from './conversation-waits.js';

const job = (number: number, conversationId = 'a') => ({ conversationId, number });

describe('the jobs of a worker that wait for their conversations', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [1, 1],
    [2, 1],
    [10, 5],
  ])('of %d at once are %d at most', (concurrency, most) => {
    const waits = new ConversationWaits(concurrency);
    const ends = Array.from({ length: most }, (_, number) => waits.start(job(number)));
    expect(ends).not.toContain(undefined);
    expect(waits.start(job(99))).toBeUndefined();
    ends[0]!();
    expect(waits.start(job(99))).toBeDefined();
  });

  it('come back together, and before later ones of their conversation', () => {
    const waits = new ConversationWaits(2);
    const end = waits.start(job(1))!;
    expect(waits.comeBackAt(job(2))).toBe(waits.comeBackAt(job(3)));
    end();
    expect([3, 4].map((number) => waits.mayBegin(job(number)))).toEqual([false, false]);
    expect(waits.start(job(4))).toBeUndefined();
    expect(waits.mayBegin(job(5, 'b'))).toBe(true);
    expect([2, 3, 4].map((number) => waits.mayBegin(job(number)))).toEqual([true, true, true]);
  });

  it('are not expected for long: other processes may have them', () => {
    const waits = new ConversationWaits(2);
    const at = waits.comeBackAt(job(1));
    jest.setSystemTime(at);
    expect(waits.mayBegin(job(2))).toBe(false);
    jest.setSystemTime(at + 1000);
    expect(waits.mayBegin(job(2))).toBe(true);
  });

  it('come back less often if they are many', () => {
    const waits = new ConversationWaits(2);
    const pause = (): number => {
      const at = Array.from({ length: 1000 }, (_, number) => waits.comeBackAt(job(number))).at(-1)!;
      const after = at - Date.now();
      jest.setSystemTime(at);
      return after;
    };
    expect([pause(), pause()]).toEqual([250, 5000]);
  });
});
