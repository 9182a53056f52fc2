import { describe, expect, it } from '@jest/globals';
import { Observable } from 'rxjs';
import { ToolContext } from '../../model/tool-context.js';
import { settleResult } from './settle-result.js';

/** A generator that yields items synchronously until it is closed. */
async function* endless(closed: () => void) {
  try {
    for (let item = 0; ; item++) yield item;
  } finally {
    closed();
  }
}

describe('a generator that never waits', () => {
  it('is stopped by a timeout, and closed', async () => {
    const controller = new AbortController();
    const context = new ToolContext({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('too long')), 10);
    let isClosed = false;
    const closing = new Promise<void>((resolve) => {
      const items = endless(() => (isClosed = true));
      const code = { closing: undefined as Promise<unknown> | undefined };
      const settled = expect(settleResult(items, context, code)).rejects.toThrow('too long');
      void settled.then(() => code.closing).then(() => resolve());
    });
    await closing;
    expect(isClosed).toBe(true);
  });

  it('is not asked for further items after the abort', async () => {
    const controller = new AbortController();
    const context = new ToolContext({}, { signal: controller.signal });
    let asked = 0;
    const items = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          if (++asked === 3) controller.abort(new Error('enough'));
          return { done: false, value: asked };
        },
      }),
    };
    await expect(settleResult(items, context)).rejects.toThrow('enough');
    expect(asked).toBe(3);
  });
});

it('does not subscribe to an Observable of a call that was given up', async () => {
  const context = new ToolContext({}, { signal: AbortSignal.abort(new Error('too long')) });
  let isSubscribed = false;
  const charge = new Observable(() => void (isSubscribed = true));
  await expect(settleResult(charge, context)).rejects.toThrow('too long');
  expect(isSubscribed).toBe(false);
});

it('keeps the result of an Observable whose teardown throws after it has completed', async () => {
  const untidy = new Observable((subscriber) => {
    setImmediate(() => {
      subscriber.next(1);
      subscriber.complete();
    });
    return () => {
      throw new Error('teardown');
    };
  });
  expect(await settleResult(untidy, new ToolContext({}))).toBe(1);
});
