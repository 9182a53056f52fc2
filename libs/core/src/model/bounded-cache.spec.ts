import { describe, expect, it } from '@jest/globals';
import { InMemoryChatMemoryRepository } from '../memory/chat-memory.repository.js';
import { boundedCache } from './bounded-cache.js';

describe('boundedCache()', () => {
  it('deletes the least recently used entry when it is full', () => {
    const cache = boundedCache<string>(2);
    cache.set('a', 'A').set('b', 'B');
    cache.get('a');
    cache.set('c', 'C');
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'is refused for %p entries, with the option to set',
    (n) => {
      expect(() => boundedCache(n)).toThrow('Set maxTurns or maxConversations to a whole number of at least 1.');
      expect(() => new InMemoryChatMemoryRepository({ maxConversations: n })).toThrow(RangeError);
    },
  );
});
