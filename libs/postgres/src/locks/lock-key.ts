import { createHash } from 'node:crypto';

/**
 * The key of an advisory lock. Two conversations with the same key would wait for each other, which
 * is as good as impossible with 64 bits.
 *
 * @param table tells applications in one database apart
 */
export function lockKey(table: string, conversationId: string): bigint {
  // UTF-16, since lone surrogates would all be the same in UTF-8.
  return createHash('sha256')
    .update(`${table}\n`)
    .update(Buffer.from(conversationId, 'utf16le'))
    .digest()
    .readBigInt64BE();
}
