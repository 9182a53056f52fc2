import { createHash } from 'node:crypto';

/**
 * The hash of a source file: the first 12 hex digits of its SHA-256. Line ends of Windows count as
 * line ends of Unix, so that it is the same in every checkout.
 */
export function sourceHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 12);
}
