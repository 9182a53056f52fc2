import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { TurnAbort } from './turn-abort.js';

describe('TurnAbort', () => {
  it('passes the reason to listeners and the signal, in any order of creation', () => {
    const abort = new TurnAbort(undefined);
    const heard: unknown[] = [];
    abort.onAbort((reason) => heard.push(reason));
    const { signal } = abort;
    abort.onAbort(() => heard.push(signal.aborted));
    signal.addEventListener('abort', () => heard.push('signal'));
    abort.abort('enough');
    abort.abort('again');
    expect(heard).toEqual(['enough', true, 'signal']);
    abort.onAbort((reason) => heard.push(`late: ${String(reason)}`));
    expect(heard.at(-1)).toBe('late: enough');
    expect(abort.signal.reason).toBe('enough');
  });

  it('uses the default reason of an AbortController', () => {
    const abort = new TurnAbort(undefined);
    abort.abort();
    expect(() => abort.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(abort.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it("follows the caller's signal for plain listeners until it is released", () => {
    const caller = new AbortController();
    const abort = new TurnAbort(caller.signal);
    const heard: unknown[] = [];
    abort.onAbort((reason) => heard.push(reason));
    abort.onAbort(() => heard.push('released'))();
    caller.abort('gone');
    expect(heard).toEqual(['gone']);
    const other = new AbortController();
    const released = new TurnAbort(other.signal);
    released.onAbort(() => heard.push('never'));
    released.release();
    other.abort();
    expect(heard).toEqual(['gone']);
    expect(released.isAborted).toBe(true);
  });

  it("adds no listener to the caller's signal after its release", () => {
    const caller = new AbortController();
    const abort = new TurnAbort(caller.signal);
    abort.release();
    expect(abort.signal.aborted).toBe(false);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('calls the other listeners when one fails, and reports the error', () => {
    const later = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
    const abort = new TurnAbort(undefined);
    const heard: string[] = [];
    abort.onAbort(() => {
      throw new Error('cannot be torn down');
    });
    abort.onAbort(() => heard.push('second'));
    abort.abort();
    expect(heard).toEqual(['second']);
    expect(later.mock.calls[0]![0]).toThrow('cannot be torn down');
    later.mockRestore();
  });

  it('a listener may remove itself or abort while listeners are being called', () => {
    const abort = new TurnAbort(undefined);
    const heard: string[] = [];
    const stops: (() => void)[] = [];
    abort.onAbort(() => {
      heard.push('first');
      stops[0]!();
      abort.abort('once more');
    });
    stops.push(abort.onAbort(() => heard.push('second')));
    abort.abort('now');
    expect(heard).toEqual(['first', 'second']);
  });

  it('waits no longer than until the abort, and removes its listener', async () => {
    const abort = new TurnAbort(undefined);
    await expect(abort.untilAborted(Promise.resolve(1))).resolves.toBe(1);
    await expect(abort.untilAborted(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(abort.untilAborted('plain' as never)).resolves.toBe('plain');
    const waiting = abort.untilAborted(new Promise(() => undefined));
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(abort.untilAborted(Promise.resolve(2))).rejects.toThrow('enough');
  });
});
