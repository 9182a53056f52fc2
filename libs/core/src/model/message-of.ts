import { readSafely } from './read-safely.js';

/** The message of whatever was thrown. A tool may throw a string, or something that fails to print. */
export function messageOf(thrown: unknown): string {
  const message = readSafely(() => {
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message ?? '');
    // Of an object or a function, its text would say nothing, or too much.
    return typeof thrown === 'string' || typeof thrown === 'number' || typeof thrown === 'boolean'
      ? String(thrown)
      : '';
  });
  return message ?? '';
}
