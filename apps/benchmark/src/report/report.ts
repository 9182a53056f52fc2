/* What was measured, as a page. */
import { figureOf, ratioOf, type Results, type Rounds } from '../results.js';
import { CATALOGUES, HISTORIES } from '../suites/growth.js';
import type { Concurrency } from '../suites/concurrency.js';
import type { Taken } from '../suites/turns.js';
import { digits, middle, spread, table } from './tables.js';
import { targetLines } from './targets.js';

/** One column of the table of turns. */
interface Column {
  readonly title: string;
  readonly job: string;
  readonly read: (taken: Taken) => number | undefined;
  /** Of what is read. */
  readonly factor?: number;
}

const COLUMNS: readonly Column[] = [
  { title: 'a: 1 tool call, µs', job: 'a', read: ({ total }) => total },
  { title: 'b: 10 tool calls, µs', job: 'b', read: ({ total }) => total },
  { title: 'c: 8 at once of 20 ms, ms', job: 'c', read: ({ total }) => total, factor: 1 / 1000 },
  { title: 'd: first chunk, µs', job: 'd', read: ({ first }) => first },
  { title: 'd: 2,000 chunks, µs', job: 'd', read: ({ total }) => total },
  { title: 'e: 200 tools, µs', job: 'e', read: ({ total }) => total },
];

const nameOf = ({ contestants }: Results, id: string): string => {
  const { name = id, version } = contestants[id] ?? {};
  if (id.startsWith('nestor')) return id === 'nestor' ? '**nestor**' : name;
  return version ? `${name} ${version}` : name;
};

function turnTable(results: Results, cell: (column: Column, id: string) => string): string {
  const ids = Object.keys(results.turns['a'] ?? {});
  return table(
    ['', ...COLUMNS.map(({ title }) => title)],
    ids.map((id) => [nameOf(results, id), ...COLUMNS.map((column) => cell(column, id))]),
  );
}

const ratiosTo = (results: Results, other: string): string =>
  turnTable(results, ({ job, read }, id) => spread(ratioOf(results.turns[job], [id, other], read)));

/** The summary in README. */
export function quoted({ turns, coldStart, concurrency, http }: Results): string {
  const ratio = <T>(of: Rounds<T> | undefined, read: (round: T) => number, one: string, other: string): number =>
    ratioOf(of, [one, other], read)?.median ?? Number.NaN;
  const ofCall = (one: string, other: string): number => ratio(turns['a'], ({ total }) => total, one, other);
  const ofStreams = (read: (taken: Concurrency) => number): number => ratio(concurrency, read, 'nestor', 'ai-sdk');
  const ofLoad = (endpoint: string): number => ratio(http[endpoint], ({ rate }) => rate, 'nestor', 'ai-sdk');
  const start = ratio(coldStart, ({ answered }) => answered, 'nestor', 'bare');
  return [
    `- **A tool call**: the AI SDK takes ${digits(ofCall('ai-sdk', 'nestor'))} times as long as Nestor, and ` +
      `${digits(ofCall('ai-sdk', 'nestor-over-ai-sdk'))} times as long if Nestor uses an AI SDK provider. ` +
      `A loop that you write by hand takes ${percent(ofCall('bare', 'nestor'))} of Nestor's time.`,
    `- **1,000 streams at once**: Nestor needs ${percent(ofStreams(({ wall }) => wall))} of the AI SDK's time, ` +
      `and ${percent(ofStreams(({ peakMB }) => peakMB))} of its memory.`,
    `- **A Nest endpoint under load** answers ${digits(ofLoad('answer'))} times as many requests ` +
      `as the same endpoint with the AI SDK; one that streams, ${digits(ofLoad('stream'))} times as many.`,
    `- **Cold start**: an application with ten tools takes ${percent(start - 1)} longer to its first answer ` +
      `than one with a loop written by hand.`,
  ].join('\n');
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;

export function report(results: Results): string {
  const { turns, coldStart, concurrency, growth, enhancers, search, http, node, rounds } = results;
  const by = <T>(
    of: Rounds<T> | undefined,
    head: readonly string[],
    cells: (taken: readonly T[], id: string) => string[],
  ) =>
    table(
      ['', ...head],
      Object.entries(of ?? {}).map(([id, taken]) => [nameOf(results, id), ...cells(taken, id)]),
    );
  const growing = (sizes: readonly number[], what: 'history' | 'tools', head: string): string =>
    by(
      growth,
      sizes.map((size) => `${size.toLocaleString('en')} ${head}, µs`),
      (taken) => sizes.map((size) => middle(figureOf(taken, (grown) => grown[what][size]))),
    );
  const turnsWith = Object.keys(enhancers?.[0] ?? {});
  return [
    '# What it costs',
    '',
    `\`npm run bench\` wrote this page, with Node ${node} in ${rounds} rounds. The model runs in the process and answers at once, so these times are the ` +
      "framework's own. Each measurement runs in its own process, the contestants take turns, and every answer is checked. Figures are medians of the " +
      'rounds. Ratios are taken round by round; the lowest and the highest are in brackets. [The page above](../README.md) describes the jobs.',
    '',
    '## A turn',
    '',
    turnTable(results, ({ job, read, factor }, id) => middle(figureOf(turns[job]?.[id], read), factor)),
    '',
    'As multiples of the hand-written loop:',
    '',
    ratiosTo(results, 'bare'),
    '',
    'As multiples of nestor:',
    '',
    ratiosTo(results, 'nestor'),
    '',
    '## f: cold start of a Nest application with ten tools',
    '',
    by(
      coldStart,
      ['imported, ms', 'bootstrapped, ms', 'first answer, ms', 'relative to by hand', 'memory, MB'],
      (taken, id) => [
        middle(figureOf(taken, ({ imported }) => imported)),
        middle(figureOf(taken, ({ bootstrapped }) => bootstrapped)),
        middle(figureOf(taken, ({ answered }) => answered)),
        spread(ratioOf(coldStart, [id, 'bare'], ({ answered }) => answered)),
        middle(figureOf(taken, ({ rssMB }) => rssMB)),
      ],
    ),
    '',
    '## g: a thousand turns at once, 50 chunks each',
    '',
    by(
      concurrency,
      [
        'all, ms',
        'relative to the AI SDK',
        'peak memory, MB',
        'relative to the AI SDK',
        'event loop delay, p50 ms',
        'highest delay, ms',
      ],
      (taken, id) => [
        middle(figureOf(taken, ({ wall }) => wall)),
        spread(ratioOf(concurrency, [id, 'ai-sdk'], ({ wall }) => wall)),
        `${middle(figureOf(taken, ({ peakMB }) => peakMB))} (${middle(figureOf(taken, ({ idleMB }) => idleMB))} before)`,
        spread(ratioOf(concurrency, [id, 'ai-sdk'], ({ peakMB }) => peakMB)),
        middle(figureOf(taken, ({ delayP50 }) => delayP50)),
        middle(figureOf(taken, ({ delayMax }) => delayMax)),
      ],
    ),
    '',
    '## h: a turn with a long history, four messages a turn',
    '',
    growing(HISTORIES, 'history', 'earlier turns'),
    '',
    '## i: a turn with many tools',
    '',
    growing(CATALOGUES, 'tools', 'tools'),
    '',
    '## j: a turn with one tool call, behind guards and validation',
    '',
    table(
      ['nestor', 'µs', `relative to ${turnsWith[0]}`],
      turnsWith.map((name) => {
        const ratio = figureOf(enhancers, (times) => times[name]! / times[turnsWith[0]!]!);
        return [name, middle(figureOf(enhancers, (times) => times[name])), spread(ratio)];
      }),
    ),
    '',
    '## k: a thousand tools, searched',
    '',
    table(
      ['nestor', 'a turn, µs', 'tokens of tool definitions sent'],
      (['all', 'searched'] as const).map((which) => [
        which === 'all' ? 'all tools are sent to the model' : 'the model searches first, which takes one more round',
        middle(figureOf(search, (round) => round[which].time)),
        middle(figureOf(search, (round) => round[which].tokens)),
      ]),
    ),
    '',
    '## l: a Nest endpoint under load, 50 connections',
    '',
    ...Object.entries(http ?? {}).flatMap(([endpoint, loads]) => [
      by(loads, [`/${endpoint}, requests/s`, 'relative to the AI SDK', 'p50, ms', 'p99, ms'], (taken, id) => [
        middle(figureOf(taken, ({ rate }) => rate)),
        spread(ratioOf(loads, [id, 'ai-sdk'], ({ rate }) => rate)),
        middle(figureOf(taken, ({ p50 }) => p50)),
        middle(figureOf(taken, ({ p99 }) => p99)),
      ]),
      '',
    ]),
    '## Targets',
    '',
    ...targetLines(results),
  ].join('\n');
}
