import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BackOff } from './back-off.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('BackOff', () => {
  it('doubles the wait with each failure, up to a minute, and starts again after a success', () => {
    let now = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const backOff = new BackOff();
    const waits = Array.from({ length: 9 }, () => {
      now += backOff.remaining;
      backOff.failed();
      // Of an attempt that ran at the same time.
      backOff.failed();
      return backOff.remaining;
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    backOff.reset();
    expect(backOff.remaining).toBe(0);
    backOff.failed();
    expect(backOff.remaining).toBe(1000);
  });

  it('spreads by half of the wait', () => {
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const backOff = new BackOff();
    backOff.failed();
    expect(backOff.remaining).toBe(500);
  });

  it('ends although the clock was set back', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1e12);
    const backOff = new BackOff();
    backOff.failed();
    now.mockReturnValue(0);
    expect(backOff.remaining).toBeLessThanOrEqual(60_000);
  });
});
