/* What was measured, as a page. */
import { figureOf, ratioOf, type Results, type Rounds } from '../results.js';
import { CATALOGUES, HISTORIES } from '../suites/growth.js';
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

/** How much longer everybody else takes: what README quotes. */
export function quoted(results: Results): string {
  const { turns, coldStart, concurrency, http, node, rounds } = results;
  const cells = turnTable(results, ({ job, read, factor }, id) => {
    if (id === 'nestor') return `**${middle(figureOf(turns[job]?.[id], read), factor)}**`;
    const ratio = ratioOf(turns[job], [id, 'nestor'], read);
    return ratio ? `${digits(ratio.median)}×` : '–';
  });
  const over = <T>(of: Rounds<T> | undefined, read: (round: T) => number, by: string): string =>
    digits(ratioOf(of, ['nestor', by], read)?.median ?? Number.NaN);
  return [
    `Node ${node}, medians of ${rounds} rounds: what nestor takes, and how many times as long the others take.`,
    '',
    cells,
    '',
    `A Nest application with ten tools gives its first answer after ${over(coldStart, ({ answered }) => answered, 'bare')}× the time of the ` +
      'same application with a loop written by hand. A thousand streams at once take ' +
      `${over(concurrency, ({ wall }) => wall, 'ai-sdk')}× the time of the AI SDK and ${over(concurrency, ({ peakMB }) => peakMB, 'ai-sdk')}× its memory, ` +
      `and ${over(concurrency, ({ wall }) => wall, 'genkit')}× the time of Genkit. ` +
      `A Nest endpoint answers ${over(http['answer'], ({ rate }) => rate, 'ai-sdk')}× as many requests as one written with the AI SDK by hand; ` +
      `one that streams, ${over(http['stream'], ({ rate }) => rate, 'ai-sdk')}×.`,
  ].join('\n');
}

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
    `Written by \`npm run bench\`, Node ${node}, ${rounds} rounds. The model is in the process and answers at once, so that the times are those of the ` +
      'framework alone. Each measurement runs in a process of its own, contestants take turns, and every answer is checked. Figures are medians of the ' +
      'rounds; ratios were taken round by round, with the least and the most in brackets. What the jobs are: [the page above](../README.md).',
    '',
    '## A turn',
    '',
    turnTable(results, ({ job, read, factor }, id) => middle(figureOf(turns[job]?.[id], read), factor)),
    '',
    'As long as the hand-written loop:',
    '',
    ratiosTo(results, 'bare'),
    '',
    'As long as nestor:',
    '',
    ratiosTo(results, 'nestor'),
    '',
    '## f: cold start of a Nest application with ten tools',
    '',
    by(
      coldStart,
      ['imported, ms', 'bootstrapped, ms', 'first answer, ms', 'as late as by hand', 'memory, MB'],
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
        'as long as the AI SDK',
        'peak memory, MB',
        'of that of the AI SDK',
        'event loop late, p50 ms',
        'at most, ms',
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
    '## h: a turn after so many turns of history, four messages each',
    '',
    growing(HISTORIES, 'history', 'turns before'),
    '',
    '## i: a turn with so many tools',
    '',
    growing(CATALOGUES, 'tools', 'tools'),
    '',
    '## j: a turn with one tool call, behind guards and validation',
    '',
    table(
      ['nestor', 'µs', `as long as with ${turnsWith[0]}`],
      turnsWith.map((name) => {
        const ratio = figureOf(enhancers, (times) => times[name]! / times[turnsWith[0]!]!);
        return [name, middle(figureOf(enhancers, (times) => times[name])), spread(ratio)];
      }),
    ),
    '',
    '## k: a thousand tools, searched',
    '',
    table(
      ['nestor', 'a turn, µs', 'tokens of definitions sent'],
      (['all', 'searched'] as const).map((which) => [
        which === 'all' ? 'the model is sent all of them' : 'the model searches first, one round more',
        middle(figureOf(search, (round) => round[which].time)),
        middle(figureOf(search, (round) => round[which].tokens)),
      ]),
    ),
    '',
    '## l: a Nest endpoint under load, 50 connections',
    '',
    ...Object.entries(http ?? {}).flatMap(([endpoint, loads]) => [
      by(loads, [`/${endpoint}, requests/s`, 'as many as with the AI SDK', 'p50, ms', 'p99, ms'], (taken, id) => [
        middle(figureOf(taken, ({ rate }) => rate)),
        spread(ratioOf(loads, [id, 'ai-sdk'], ({ rate }) => rate)),
        middle(figureOf(taken, ({ p50 }) => p50)),
        middle(figureOf(taken, ({ p99 }) => p99)),
      ]),
      '',
    ]),
    '## What it is held to',
    '',
    ...targetLines(results),
  ].join('\n');
}
