import { LRUCache } from 'lru-cache';

/**
 * A cache that deletes the least recently used entry when it is full.
 *
 * @param maxEntries the maximum number of entries, at least 1
 * @throws RangeError if it is no such number
 */
export function boundedCache<Value extends object | string>(
  maxEntries: number,
  options: Pick<LRUCache.OptionsBase<string, Value, unknown>, 'ttl' | 'noUpdateTTL' | 'dispose'> = {},
): LRUCache<string, Value> {
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1)
    throw new RangeError(
      `A store in memory cannot keep ${maxEntries} entries. Set maxTurns or maxConversations to a whole number of at least 1.`,
    );
  // With `max`, LRUCache allocates the memory of a full cache at once.
  return new LRUCache({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });
}
