/* Runs each contestant in a process of its own, in rotating order, and prints medians and ratios. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './harness.js';

const CONTESTANTS = ['bare', 'nestor'] as const;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const measurements = new Map<string, Measurement[]>();
for (let round = 0; round < ROUNDS; round++) {
  const order = CONTESTANTS.map((_, index) => CONTESTANTS[(index + round) % CONTESTANTS.length]!);
  for (const contestant of order) {
    const measured = runContestant(contestant);
    measurements.set(contestant, [...(measurements.get(contestant) ?? []), measured]);
    console.error(`round ${round + 1} of ${ROUNDS}: ${contestant} done`);
  }
}
const result = table();
console.log(result);
if (process.argv.includes('--readme')) writeToReadme(result);

function runContestant(contestant: string): Measurement {
  const script = fileURLToPath(new URL(`./${contestant}.js`, import.meta.url));
  const child = spawnSync(process.execPath, ['--expose-gc', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const line = child.stdout.split('\n').find((text) => text.startsWith('RESULT '));
  if (!line) throw new Error(`${contestant} gave no result (status ${child.status}).\n${child.stderr}`);
  return JSON.parse(line.slice('RESULT '.length)) as Measurement;
}

function table(): string {
  const columns = [
    { key: 'a', title: 'a: 1 tool call, µs', digits: 1 },
    { key: 'b', title: 'b: 10 tool calls, µs', digits: 1 },
    { key: 'c', title: 'c: 8 parallel × 20 ms, µs', digits: 0 },
    { key: 'dFirst', title: 'd: first chunk, µs', digits: 1 },
    { key: 'dTotal', title: 'd: 2,000 chunks, µs', digits: 0 },
    { key: 'e', title: 'e: 200 tools, µs', digits: 1 },
    { key: 'heapMB', title: 'heap, MB', digits: 0 },
  ] as const;
  const of = (contestant: string, key: (typeof columns)[number]['key']): number =>
    median((measurements.get(contestant) ?? []).map((measurement) => measurement[key]));
  const rows = CONTESTANTS.map((contestant) => {
    const cells = columns.map(({ key, digits }) => {
      const value = of(contestant, key);
      const ratio = contestant === 'bare' ? '' : ` (${(value / of('bare', key)).toFixed(key === 'c' ? 3 : 1)}×)`;
      return `${value.toFixed(digits)}${ratio}`;
    });
    return `| ${measurements.get(contestant)![0]!.name} | ${cells.join(' | ')} |`;
  });
  return [
    `Node ${process.version}, medians of ${ROUNDS} rounds, in brackets the ratio to the hand-written loop`,
    '',
    `| | ${columns.map(({ title }) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...rows,
  ].join('\n');
}

/** README quotes what this command measured, and nothing else. */
function writeToReadme(text: string): void {
  const file = new URL('../../../README.md', import.meta.url);
  const readme = readFileSync(file, 'utf8');
  const marked = /(<!-- benchmark -->\n)[\s\S]*?(<!-- \/benchmark -->)/;
  if (!marked.test(readme)) throw new Error('README.md has no place for the benchmark.');
  writeFileSync(file, readme.replace(marked, `$1\n${text}\n\n$2`));
}

function median(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)]!;
}
