import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { chart } from './report/chart.js';
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

describe('the report of the benchmark', () => {
  it('takes the median of the rounds, with the lowest and the highest', () => {
    expect(figureOf(results.turns['a']!['nestor'], total)).toEqual({ median: 7, least: 5, most: 10 });
    expect(figureOf([], total)).toBeUndefined();
  });

  it('takes ratios within one round: a slow minute is slow for both', () => {
    expect(ratioOf(results.turns['a'], ['nestor', 'bare'], total)).toEqual({ median: 2.5, least: 2.5, most: 3.5 });
    expect(ratioOf(results.turns['a'], ['nestor', 'genkit'], total)).toBeUndefined();
  });

  it('is a page with a dash where nothing was measured', () => {
    const page = report(results);
    expect(page).toContain('| **nestor** | 7.00 | – | – | – | – | – |');
    expect(page).toContain('| AI SDK 7.0.0 | 10.0× (5.00–20.0) |');
  });

  it('matches the pages and the chart in the repository', () => {
    const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
    const kept = JSON.parse(read('../results/results.json')) as Results;
    expect(`${report(kept)}\n`).toBe(read('../results/README.md'));
    expect(chart(kept)).toBe(read('../../../docs/public/benchmark.svg'));
    const words = (page: string): string => page.split(/\s+/).join(' ');
    expect(words(read('../../../README.md'))).toContain(words(quoted(kept)));
  });

  it('has a line of README for each comparison', () => {
    expect(quoted(results)).toContain('the AI SDK takes 10.0 times as long as Nestor');
  });

  it('draws a bar for each contestant, longer for more time, and none where nothing was measured', () => {
    const lengths = [...chart(results).matchAll(/<rect class="(?:bar|ours)"[^>]* width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(lengths).toHaveLength(3);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(chart(results)).toContain('>7.00 µs<');
  });

  it('says for each target whether it is met, missed or not measured', () => {
    expect(targetLines(results)).toEqual(
      expect.arrayContaining([
        '- a: AI SDK takes as long as nestor: 10.0 × (at least 8 ×: met)',
        '- l: requests in a second, /answer, as many as with the AI SDK by hand: 0.50 × (at least 1 ×: **not met**)',
        '- c: nestor, as long as the hand-written loop: not measured (at most 1.03 ×)',
      ]),
    );
  });
});
