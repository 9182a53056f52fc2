import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NEVER, of, Subject, throwError } from 'rxjs';
import { withHeartbeat } from './heartbeat.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const beat = () => 'beat';

describe('a stream with a heartbeat', () => {
  it('sends a heartbeat after each silent interval, but not between frequent items', () => {
    const source = new Subject<string>();
    const heard: string[] = [];
    withHeartbeat(source, { heartbeat: 100 }, beat).subscribe((text) => heard.push(text));
    jest.advanceTimersByTime(90);
    source.next('first');
    jest.advanceTimersByTime(90);
    expect(heard).toEqual(['first']);
    jest.advanceTimersByTime(10);
    jest.advanceTimersByTime(100);
    expect(heard).toEqual(['first', 'beat', 'beat']);
  });

  it('sends a heartbeat every 15 seconds by default', () => {
    const heard: string[] = [];
    withHeartbeat(NEVER, {}, beat).subscribe((text) => heard.push(text));
    jest.advanceTimersByTime(14_999);
    expect(heard).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(heard).toEqual(['beat']);
  });

  it('leaves no timer behind when it completes, fails, is unsubscribed or has no heartbeat', () => {
    const outcomes: string[] = [];
    const observer = { complete: () => outcomes.push('completed'), error: () => outcomes.push('failed') };
    withHeartbeat(of('all'), {}, beat).subscribe(observer);
    withHeartbeat(
      throwError(() => new Error('no')),
      {},
      beat,
    ).subscribe(observer);
    const left = withHeartbeat(NEVER, {}, beat).subscribe(observer);
    expect(jest.getTimerCount()).toBe(1);
    left.unsubscribe();
    withHeartbeat(NEVER, { heartbeat: false }, beat).subscribe(observer);
    expect(jest.getTimerCount()).toBe(0);
    expect(outcomes).toEqual(['completed', 'failed']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, true, '15s'])(
    'refuses the interval %p',
    (heartbeat) => {
      expect(() => withHeartbeat(NEVER, { heartbeat: heartbeat as number }, beat)).toThrow(
        'heartbeat must be a positive number',
      );
    },
  );
});
