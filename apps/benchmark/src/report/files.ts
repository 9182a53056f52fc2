import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from '../results.js';

const RESULTS = new URL('../../results/results.json', import.meta.url);
const REPORT = new URL('../../results/README.md', import.meta.url);
const README = new URL('../../../../README.md', import.meta.url);
const CHART = new URL('../../../../docs/public/benchmark.svg', import.meta.url);

/**
 * What was measured last, if anything was.
 *
 * @throws Error when it cannot be read
 */
export function readResults(): Results | undefined {
  if (!existsSync(RESULTS)) return undefined;
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
  } catch (cause) {
    throw new Error(`${fileURLToPath(RESULTS)} is broken. Remove it, and measure everything.`, { cause });
  }
}

/**
 * Keeps what was measured.
 *
 * @param describe makes a page of what is kept
 * @returns what is kept: six digits of each figure
 */
export function writeResults(results: Results, describe: (kept: Results) => string): Results {
  const text = JSON.stringify(results, rounded, 1);
  const kept = JSON.parse(text) as Results;
  mkdirSync(new URL('./', RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${text}\n`);
  writeFileSync(REPORT, `${describe(kept)}\n`);
  return kept;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}

/** Writes the summary and the chart of README. */
export function writeToReadme(text: string, chart: string): void {
  writeFileSync(CHART, chart);
  const readme = readFileSync(README, 'utf8');
  const marked = /(<!-- benchmark -->\n)[\s\S]*?(<!-- \/benchmark -->)/;
  if (!marked.test(readme)) throw new Error('README.md has no place for the benchmark.');
  writeFileSync(
    README,
    readme.replace(marked, (_all, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
