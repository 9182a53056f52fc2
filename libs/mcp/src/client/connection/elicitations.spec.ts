import { describe, expect, it } from '@jest/globals';
import { Elicitations } from './elicitations.js';

const QUESTION = { message: 'Which seat?', requestedSchema: { type: 'object', properties: {} } } as never;
const { signal } = new AbortController();
const accept = async () => ({ action: 'accept' as const });

/** A call that runs until it is ended, outside the asynchronous context of the server's messages. */
function start(elicitations: Elicitations): { end(error?: unknown): Promise<unknown> } {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  const running = elicitations.run(accept, () => promise).catch((error: unknown) => error);
  return {
    end(error) {
      if (error === undefined) resolve();
      else reject(error);
      return running;
    },
  };
}

describe('Elicitations', () => {
  it('gives a question without context to the only call that runs', async () => {
    const elicitations = new Elicitations();
    const call = start(elicitations);
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'accept' });
    const other = start(elicitations);
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'cancel' });
    await call.end();
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'accept' });
    await other.end();
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'cancel' });
  });

  it.each([
    ['aborted', new DOMException('left', 'AbortError')],
    ['too slow', Object.assign(new Error('late'), { code: 'REQUEST_TIMEOUT' })],
  ])('gives it to no other call after one was %s: it may belong to that one', async (_what, error) => {
    const elicitations = new Elicitations();
    await start(elicitations).end(error);
    start(elicitations);
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'cancel' });
  });

  it('goes on after a call that the server has answered with an error', async () => {
    const elicitations = new Elicitations();
    await start(elicitations).end(Object.assign(new Error('wrong'), { code: -32_602 }));
    start(elicitations);
    expect(await elicitations.answer(QUESTION, signal)).toEqual({ action: 'accept' });
  });

  it('knows the call of a question that arrives in its context', async () => {
    const elicitations = new Elicitations();
    await start(elicitations).end(new DOMException('left', 'AbortError'));
    start(elicitations);
    const answered = elicitations.run(accept, () => elicitations.answer(QUESTION, signal));
    expect(await answered).toEqual({ action: 'accept' });
  });

  it('of connections that have ended make no promise of the process larger', async () => {
    await new Elicitations().run(accept, async () => undefined);
    // Node.js before 24 keeps the contexts of all storages there.
    const sizeOfPromise = (): number => Object.getOwnPropertySymbols(Promise.resolve()).length;
    const before = sizeOfPromise();
    for (let user = 0; user < 10; user++) await new Elicitations().run(accept, async () => undefined);
    expect(sizeOfPromise()).toBe(before);
  });
});
