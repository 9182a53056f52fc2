/* The targets of the benchmark, and whether they are met. */
import { figureOf, ratioOf, type Results } from '../results.js';
import { digits } from './tables.js';

interface Target {
  readonly what: string;
  /** Undefined when it was not measured. */
  readonly value: number | undefined;
  readonly limit: number;
  /** Whether more is better. Default: less is. */
  readonly isFloor?: boolean;
  readonly unit?: string;
}

const PEERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'genkit'];

function targetsOf({ turns, coldStart, concurrency, growth, http }: Results): Target[] {
  const times = (job: string, pair: readonly [string, string]): number | undefined =>
    ratioOf(turns[job], pair, ({ total }) => total)?.median;
  const rate = (id: string): number => figureOf(turns['d']?.[id], (taken) => taken.rate)?.median ?? 0;
  const first = figureOf(turns['d']?.['nestor'], (taken) => taken.first)?.median;
  const ofA = figureOf(turns['a']?.['nestor'], ({ total }) => total)?.median;
  const ofE = figureOf(turns['e']?.['nestor'], ({ total }) => total)?.median;
  const tools = (count: number): number | undefined =>
    figureOf(growth?.['nestor'], (grown) => grown.tools[count])?.median;
  const history = (count: number): number | undefined =>
    figureOf(growth?.['nestor'], (grown) => grown.history[count])?.median;
  const over = (one: number | undefined, other: number | undefined): number | undefined =>
    one !== undefined && other ? one / other : undefined;
  return [
    { what: 'a: AI SDK takes as long as nestor', value: times('a', ['ai-sdk', 'nestor']), limit: 8, isFloor: true },
    { what: 'a: nestor, as long as the hand-written loop', value: times('a', ['nestor', 'bare']), limit: 3 },
    { what: 'b: AI SDK takes as long as nestor', value: times('b', ['ai-sdk', 'nestor']), limit: 8, isFloor: true },
    { what: 'b: nestor, as long as the hand-written loop', value: times('b', ['nestor', 'bare']), limit: 3 },
    { what: 'c: nestor, as long as the hand-written loop', value: times('c', ['nestor', 'bare']), limit: 1.03 },
    {
      what: 'd: chunks in a second, as many as the fastest framework',
      value: over(rate('nestor'), Math.max(...PEERS.map(rate))),
      limit: 2,
      isFloor: true,
    },
    { what: 'd: first chunk', value: first, limit: 60, unit: 'µs' },
    { what: 'e: AI SDK takes as long as nestor', value: times('e', ['ai-sdk', 'nestor']), limit: 20, isFloor: true },
    { what: 'e: nestor with 200 tools, as long as with one', value: over(ofE, ofA), limit: 1.1 },
    {
      what: 'f: first answer, as late as without nestor',
      value: ratioOf(coldStart, ['nestor', 'bare'], ({ answered }) => answered)?.median,
      limit: 1.3,
    },
    {
      what: 'g: peak memory, of that of the AI SDK',
      value: ratioOf(concurrency, ['nestor', 'ai-sdk'], ({ peakMB }) => peakMB)?.median,
      limit: 0.5,
    },
    {
      what: 'h: a history of 1,000 rounds, as long as one of 100',
      value: over(history(1000), history(100)),
      limit: 10,
    },
    { what: 'i: 10,000 tools, as long as 10', value: over(tools(10_000), tools(10)), limit: 1.1 },
    ...Object.keys(http ?? {}).map((endpoint) => ({
      what: `l: requests in a second, /${endpoint}, as many as with the AI SDK by hand`,
      value: ratioOf(http[endpoint], ['nestor', 'ai-sdk'], (load) => load.rate)?.median,
      limit: 1,
      isFloor: true,
    })),
  ];
}

/** One line for each target. */
export function targetLines(results: Results): string[] {
  return targetsOf(results).map(({ what, value, limit, isFloor = false, unit = '×' }) => {
    const bound = `${isFloor ? 'at least' : 'at most'} ${limit} ${unit}`;
    if (value === undefined) return `- ${what}: not measured (${bound})`;
    const isMet = isFloor ? value >= limit : value <= limit;
    return `- ${what}: ${digits(value)} ${unit} (${bound}: ${isMet ? 'met' : '**not met**'})`;
  });
}
