import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from '../results.js';

const RESULTS = new URL('../../results/results.json', import.meta.url);
const REPORT = new URL('../../results/README.md', import.meta.url);
const README = new URL('../../../../README.md', import.meta.url);

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

export function writeResults(results: Results, report: string): void {
  mkdirSync(new URL('./', RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(results, rounded, 1)}\n`);
  writeFileSync(REPORT, `${report}\n`);
}

/** Six digits say all that there is to say. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}

/** README quotes what was measured, and nothing else. */
export function writeToReadme(text: string): void {
  const readme = readFileSync(README, 'utf8');
  const marked = /(<!-- benchmark -->\n)[\s\S]*?(<!-- \/benchmark -->)/;
  if (!marked.test(readme)) throw new Error('README.md has no place for the benchmark.');
  writeFileSync(
    README,
    readme.replace(marked, (_all, begin: string, end: string) => `${begin}\n${text}\n\n${end}`),
  );
}
