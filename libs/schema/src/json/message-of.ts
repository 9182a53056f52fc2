import { readSafely } from './read-safely.js';

/** The message of a thrown value. Tools may throw strings, or objects that cannot be printed. */
export function messageOf(thrown: unknown): string {
  const message = readSafely(() => {
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message ?? '');
    // The text of an object or a function is useless or reveals too much.
    return typeof thrown === 'string' || typeof thrown === 'number' || typeof thrown === 'boolean'
      ? String(thrown)
      : '';
  });
  return message ?? '';
}
