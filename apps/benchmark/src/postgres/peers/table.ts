import { type RecordedContestant, REFERENCE } from './contestants.js';
import type { Load } from './load.js';

export type Measured = RecordedContestant & Load & { readonly version: string };

/** A table in Markdown. Ratios are of turns per second: more is faster. */
export function tableOf(measured: readonly Measured[]): string {
  const speedOf = (label: string): number => measured.find((one) => one.label === label)?.turnsPerSecond ?? Number.NaN;
  const ratio = (speed: number, other: number): string => `${(speed / other).toFixed(2)} ×`;
  const rows = measured.map(({ label, version, isDurable, inMemory, turnsPerSecond, statementsPerRound }) => [
    `${label} (${version})`,
    turnsPerSecond.toFixed(0),
    ...(isDurable
      ? [
          ratio(turnsPerSecond, speedOf(inMemory)),
          ratio(turnsPerSecond, speedOf(REFERENCE)),
          statementsPerRound.toFixed(2),
        ]
      : ['', '', '']),
  ]);
  const head = ['', 'turns/s', 'of its own in memory', `of ${REFERENCE}`, 'statements/round'];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
