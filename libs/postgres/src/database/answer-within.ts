import { PostgresException } from './postgres.exception.js';

/**
 * Waits for an answer, but not for ever: a network may drop a connection without a word.
 *
 * @param limit in milliseconds
 * @param code the code of the error if there is no answer in time
 * @throws PostgresException that names the purpose and the remedy
 */
export async function answerWithin<T>(
  limit: number,
  purpose: string,
  answer: Promise<T>,
  code = 'ETIMEDOUT',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers come before sockets: if the process stood still, the answer may be there.
    timer = setTimeout(() => setImmediate(() => reject(PostgresException.of(purpose, { code }))), limit);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    throw PostgresException.of(purpose, error);
  } finally {
    clearTimeout(timer);
  }
}
