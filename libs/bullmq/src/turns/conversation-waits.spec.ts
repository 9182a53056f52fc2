import { expect, it } from '@jest/globals';
import { ConversationWaits } from './conversation-waits.js';

it.each([
  [1, 1],
  [2, 1],
  [10, 5],
])('of %d jobs at once, at most %d wait for their conversations', (concurrency, most) => {
  const waits = new ConversationWaits(concurrency);
  const ends = Array.from({ length: most }, () => waits.start());
  expect(ends).not.toContain(undefined);
  expect(waits.start()).toBeUndefined();
  ends[0]!();
  expect(waits.start()).toBeDefined();
});
