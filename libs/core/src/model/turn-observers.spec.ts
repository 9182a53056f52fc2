import { afterEach, expect, it, jest } from '@jest/globals';
import { TurnObservers } from './turn-observers.js';

afterEach(() => {
  jest.useRealTimers();
});

it('lets the end of a turn wait ten seconds for an observer that never is ready, and tells the others', async () => {
  jest.useFakeTimers();
  const told: string[] = [];
  const observers = new TurnObservers();
  observers.add({ turnEnds: () => void told.push('first') });
  observers.add({ turnEnds: () => new Promise(() => undefined) });
  const ready = observers.turnEnds()!.then(() => told.push('stored'));
  await jest.advanceTimersByTimeAsync(9999);
  expect(told).toEqual(['first']);
  await jest.advanceTimersByTimeAsync(1);
  await ready;
  expect(told).toEqual(['first', 'stored']);
});
