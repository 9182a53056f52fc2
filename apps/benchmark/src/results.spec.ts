import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { quoted, report } from './report/report.js';
import { targetLines } from './report/targets.js';
import { figureOf, ratioOf, type Results } from './results.js';

const turn = (...totals: number[]) => totals.map((total) => ({ total, first: total / 2, rate: 1e6 / total }));
const results: Results = {
  node: 'v20.0.0',
  rounds: 3,
  scale: 1,
  contestants: {
    bare: { name: 'hand-written loop' },
    nestor: { name: 'nestor', version: '1.0.0' },
    'ai-sdk': { name: 'AI SDK', version: '7.0.0' },
  },
  turns: { a: { bare: turn(2, 4, 2), nestor: turn(5, 10, 7), 'ai-sdk': turn(100, 100, 35) } },
  coldStart: {},
  concurrency: {},
  growth: {},
  enhancers: [],
  search: [],
  http: { answer: { nestor: [{ rate: 300, p50: 1, p99: 2 }], 'ai-sdk': [{ rate: 600, p50: 1, p99: 2 }] } },
};
const total = (taken: { total: number }) => taken.total;

describe('what the benchmark tells', () => {
  it('is the median of the rounds, with the least and the most', () => {
    expect(figureOf(results.turns['a']!['nestor'], total)).toEqual({ median: 7, least: 5, most: 10 });
    expect(figureOf([], total)).toBeUndefined();
  });

  it('is a ratio of figures of the same round: a slow minute is slow for both', () => {
    expect(ratioOf(results.turns['a'], ['nestor', 'bare'], total)).toEqual({ median: 2.5, least: 2.5, most: 3.5 });
    expect(ratioOf(results.turns['a'], ['nestor', 'genkit'], total)).toBeUndefined();
  });

  it('is a page, with a dash for what was not measured', () => {
    const page = report(results);
    expect(page).toContain('| **nestor** | 7.00 | – | – | – | – | – |');
    expect(page).toContain('| AI SDK 7.0.0 | 10.0× (5.00–20.0) |');
  });

  it('is what the pages say that were written last', () => {
    const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
    const kept = JSON.parse(read('../results/results.json')) as Results;
    expect(`${report(kept)}\n`).toBe(read('../results/README.md'));
    const cells = (page: string): string[] => page.match(/[^|\s]+/g) ?? [];
    expect(cells(read('../../../README.md')).join(' ')).toContain(cells(quoted(kept).split('\n').at(-1)!).join(' '));
  });

  it('is in README how many times as long as nestor the others take', () => {
    expect(quoted(results)).toContain('| AI SDK 7.0.0 | 10.0× |');
  });

  it('says what is met, what is not, and what nobody knows', () => {
    expect(targetLines(results)).toEqual(
      expect.arrayContaining([
        '- a: AI SDK takes as long as nestor: 10.0 × (at least 8 ×: met)',
        '- l: requests in a second, /answer, as many as with the AI SDK by hand: 0.50 × (at least 1 ×: **not met**)',
        '- c: nestor, as long as the hand-written loop: not measured (at most 1.03 ×)',
      ]),
    );
  });
});
