import { describe, expect, it } from '@jest/globals';
import { exceededBounds, type Gauges, type Tally } from './gauges.js';

describe('the bounds of a soak', () => {
  const start: Gauges = {
    heapMegabytes: 40,
    resources: { TCPServerWrap: 1 },
    listeners: 3,
    delayP99: 10,
    keptRequests: 0,
    doubleTransfers: 0,
  };
  const tally: Tally = { done: 10, outcomes: {}, surprises: [] };

  it('hold when all is back to the start', () => {
    expect(exceededBounds(start, { ...start, heapMegabytes: 60 }, { ...start, heapMegabytes: 61 }, tally)).toEqual([]);
  });

  it.each<[string, Partial<Gauges>, RegExp]>([
    ['the heap', { heapMegabytes: 60 }, /^the heap has grown by 20\.0 MB/],
    ['a handle', { resources: { TCPServerWrap: 1, Timeout: 2 } }, /^2 of Timeout are active, 0 were at the start/],
    ['a listener', { listeners: 4 }, /^there are 4 listeners, 3 were/],
    ['the event loop', { delayP99: 900 }, /^the event loop was 900 ms late/],
    ['requests that are kept', { keptRequests: 40 }, /^40 requests are over and kept/],
    ['a call that ran twice', { doubleTransfers: 1 }, /^1 approved calls have run twice/],
  ])('are exceeded by %s', (_what, end, problem) => {
    const problems = exceededBounds(start, start, { ...start, ...end }, tally);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('are exceeded by a run in which nothing was done, and by what no caller may see', () => {
    const seen = { done: 0, outcomes: {}, surprises: ['an unexpected status: 418'] };
    expect(exceededBounds(start, start, start, seen)).toEqual(['an unexpected status: 418', 'no request was done']);
  });
});
