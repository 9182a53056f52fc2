import { syncBuiltinESMExports } from 'node:module';
import { jest } from '@jest/globals';

/** Sockets and streams need them. */
const OTHERS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

/** In milliseconds. */
const MOMENT = 1;

/** In seconds, each of which takes a millisecond or more. */
const LONGEST_WAIT = 20_000;

let areFake = false;

/** Replaces `setTimeout()` and `setInterval()`, also those of `node:timers/promises`. `AbortSignal.timeout()` stays. */
export function useFakeTimeouts(): void {
  jest.useFakeTimers({ doNotFake: [...OTHERS] });
  syncBuiltinESMExports();
  areFake = true;
}

/** Ends {@link useFakeTimeouts}. What has not timed out by then never does. */
export function useRealTimeouts(): void {
  if (!areFake) return;
  // A cache that looks at the clock does so again in a moment: without it, its clock would stand still for ever.
  jest.advanceTimersByTime(MOMENT);
  jest.useRealTimers();
  syncBuiltinESMExports();
  areFake = false;
}

/**
 * Lets time pass, until something has ended that waits for fake timeouts.
 *
 * @throws Error if it still waits when a test would long be over
 */
export async function inNoTime<T>(running: Promise<T>): Promise<T> {
  const progress = { isOver: false };
  const end = (): void => void (progress.isOver = true);
  running.then(end, end);
  for (let seconds = 0; !progress.isOver; seconds++) {
    if (seconds > LONGEST_WAIT) throw new Error(`It still waits after ${LONGEST_WAIT} seconds.`);
    await jest.advanceTimersByTimeAsync(1000);
    await new Promise(setImmediate);
  }
  return running;
}

/** Runs something that waits for timeouts, without the waiting. */
export async function withoutWaiting<T>(run: () => Promise<T>): Promise<T> {
  useFakeTimeouts();
  try {
    return await inNoTime(run());
  } finally {
    useRealTimeouts();
  }
}
