import type { UnderlyingSource } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readStream } from './read-stream.js';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(() => void unhandled.splice(0));

const reason = new Error('left');

/**
 * Reads a stream and aborts as the first item comes, while nothing is read, or as soon as the next
 * read is pending.
 */
async function leave(
  source: (signal: AbortSignal) => UnderlyingSource<string>,
  when: 'between reads' | 'during a read',
): Promise<string[]> {
  const controller = new AbortController();
  const taken: string[] = [];
  const leaving = (): void => controller.abort(reason);
  await readStream(new ReadableStream(source(controller.signal)), controller.signal, (item) => {
    taken.push(item);
    if (when === 'between reads') leaving();
    else void setImmediate().then(leaving);
  }).catch((error: unknown) => expect(error).toBe(reason));
  // Node reports an unhandled rejection at the end of the task.
  await setImmediate();
  return taken;
}

describe.each(['between reads', 'during a read'] as const)('leaving a stream %s', (when) => {
  it('does not cancel a provider that is already failing because of the abort', async () => {
    let isCancelled = false;
    await leave(
      (signal) => ({
        start: (controller) => controller.enqueue('a'),
        pull: () =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        cancel: () => {
          isCancelled = true;
          void Promise.reject(new Error('The source has failed.'));
        },
      }),
      when,
    );
    expect(isCancelled).toBe(false);
    expect(unhandled).toEqual([]);
  });

  it('waits for a read that fails after the abort', async () => {
    let isCancelled = false;
    await leave(
      (signal) => ({
        start: (controller) => controller.enqueue('a'),
        pull: async () => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await setImmediate();
          throw reason;
        },
        cancel: () => {
          isCancelled = true;
        },
      }),
      when,
    );
    expect(isCancelled).toBe(false);
    expect(unhandled).toEqual([]);
  });

  it('cancels a stream that ignores the signal, and ignores a rejected cancel', async () => {
    let cancelledWith: unknown;
    const taken = await leave(
      () => ({
        start: (controller) => controller.enqueue('a'),
        pull: () => new Promise(() => undefined),
        cancel: (given) => {
          cancelledWith = given;
          return Promise.reject(new Error('The source cannot be cancelled.'));
        },
      }),
      when,
    );
    expect(taken).toEqual(['a']);
    expect(cancelledWith).toBe(reason);
    expect(unhandled).toEqual([]);
  });
});

it('no item is processed after the abort', async () => {
  const endless = { pull: (controller: ReadableStreamDefaultController<string>) => controller.enqueue('a') };
  expect(await leave(() => endless, 'between reads')).toEqual(['a']);
});

it('a stream that is aborted before it starts is cancelled', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<string>({
    cancel: () => {
      isCancelled = true;
    },
  });
  await readStream(stream, AbortSignal.abort(reason), () => undefined);
  expect(isCancelled).toBe(true);
});

it('an item that cannot be processed ends the reading and cancels the stream', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<string>({
    start: (controller) => controller.enqueue('a'),
    cancel: () => {
      isCancelled = true;
      return Promise.reject(new Error('The source cannot be cancelled.'));
    },
  });
  const reading = readStream(stream, new AbortController().signal, () => {
    throw reason;
  });
  await expect(reading).rejects.toBe(reason);
  await setImmediate();
  expect(isCancelled).toBe(true);
  expect(unhandled).toEqual([]);
});
