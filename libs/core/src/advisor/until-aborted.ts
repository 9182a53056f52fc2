import type { TurnContext } from '../model/turn-context.js';

/** A model that does not watch the signal itself must not keep a caller who has given up. */
export async function untilAborted<T>(turn: TurnContext, answer: Promise<T>): Promise<T> {
  if (!turn.isAbortable) return answer;
  const { signal } = turn;
  let stop!: () => void;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
