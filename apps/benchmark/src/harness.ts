import { z } from 'zod';

/** The jobs, the same for every contestant; each job's answer is checked. */
export interface Jobs {
  /** One tool call, then the answer. */
  a: () => Promise<string>;
  /** Ten tool calls, one after the other, then the answer. */
  b: () => Promise<string>;
  /** Eight tool calls in one message, each taking 20 ms, then the answer. */
  c: () => Promise<string>;
  /** Streaming: one tool call, then an answer of 2,000 chunks. Gives the number of chunks of text. */
  d: (onFirst: () => void) => Promise<number>;
  /** As a, with 200 tools. */
  e: () => Promise<string>;
}

/** What one contestant needed, in microseconds: medians. */
export interface Measurement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly dFirst: number;
  readonly dTotal: number;
  readonly e: number;
  readonly heapMB: number;
}

const scale = Number(process.env.BENCH_SCALE ?? 1);
const runs = (count: number): number => Math.max(5, Math.round(count * scale));
const RUNS = { a: runs(20_000), b: runs(4000), c: runs(60), d: runs(600), e: runs(20_000) };
// A server runs for days: what is measured is code that the engine has compiled.
const WARM_UP = { a: runs(20_000), b: runs(4000), c: 5, d: runs(300), e: runs(20_000) };

export const CHUNKS = 2000;
export const QUESTION = 'What is the weather in Paris?';
export const FINAL = 'It is 21 degrees in Paris.';
export const ARGUMENTS = '{"city":"Paris"}';
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const citySchema = z.object({
  city: z.string().describe('The city'),
  unit: z.enum(['c', 'f']).optional().describe('The unit'),
});

export const weather = (city: string): object => ({ city, temperature: 21, conditions: 'sunny' });

/** 200 tools, each with a schema of its own, as a real catalogue has. */
export const catalogue = Array.from({ length: 200 }, (_, index) => ({
  name: index === 0 ? 'get_weather' : `tool_${index}`,
  description: index === 0 ? 'Get the weather of a city' : `Tool number ${index} of the catalogue`,
  schema: z.object({
    city: z.string().describe('The city'),
    unit: z.enum(['c', 'f']).optional().describe('The unit'),
    [`field${index}`]: z.number().int().min(0).optional().describe(`Field ${index}`),
  }),
}));

const median = (values: readonly number[]): number => [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)]!;

/** Which jobs are run; the others are told as 0. */
const CHOSEN = process.env.BENCH_JOBS?.split(',') ?? ['a', 'b', 'c', 'd', 'e'];

/** Runs the jobs of one contestant and prints its measurement, for the parent process to read. */
export async function measure(name: string, jobs: Jobs): Promise<void> {
  const times: Partial<Record<keyof Jobs, number>> = {};
  for (const key of ['a', 'b', 'c', 'e'] as const)
    times[key] = CHOSEN.includes(key) ? await measureJob(key, jobs[key]) : 0;
  const stream = CHOSEN.includes('d') ? await measureStream(jobs.d) : { dFirst: 0, dTotal: 0 };
  globalThis.gc?.();
  const heapMB = process.memoryUsage().heapUsed / 1e6;
  const { a, b, c, e } = times as Record<'a' | 'b' | 'c' | 'e', number>;
  const measurement: Measurement = { name, a, b, c, e, ...stream, heapMB };
  console.log(`RESULT ${JSON.stringify(measurement)}`);
}

async function measureJob(key: 'a' | 'b' | 'c' | 'e', job: () => Promise<string>): Promise<number> {
  for (let run = 0; run < WARM_UP[key]; run++) check(await job(), FINAL);
  globalThis.gc?.();
  const times: number[] = [];
  for (let run = 0; run < RUNS[key]; run++) {
    const start = performance.now();
    const answer = await job();
    times.push((performance.now() - start) * 1000);
    check(answer, FINAL);
  }
  return median(times);
}

async function measureStream(job: Jobs['d']): Promise<{ dFirst: number; dTotal: number }> {
  const first: number[] = [];
  const total: number[] = [];
  for (let run = -WARM_UP.d; run < RUNS.d; run++) {
    if (run === 0) globalThis.gc?.();
    let firstAt = 0;
    const start = performance.now();
    const chunks = await job(() => (firstAt ||= performance.now()));
    const end = performance.now();
    check(chunks, CHUNKS);
    if (run < 0) continue;
    first.push((firstAt - start) * 1000);
    total.push((end - start) * 1000);
  }
  return { dFirst: median(first), dTotal: median(total) };
}

function check(got: unknown, expected: unknown): void {
  if (got !== expected) throw new Error(`Expected ${JSON.stringify(expected)}, but got ${JSON.stringify(got)}.`);
}
