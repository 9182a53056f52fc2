import { LRUCache } from 'lru-cache';

/**
 * A cache that deletes the least recently used entry when it is full.
 *
 * @param maxEntries the maximum number of entries, at least 1
 */
export function boundedCache<Value extends NonNullable<unknown>>(
  maxEntries: number,
  options: Pick<LRUCache.OptionsBase<string, Value, unknown>, 'ttl' | 'noUpdateTTL' | 'dispose'> = {},
): LRUCache<string, Value> {
  // With `max`, LRUCache allocates the memory of a full cache at once.
  return new LRUCache({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 });
}
