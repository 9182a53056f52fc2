/* How a job is measured: after a warm-up, run by run, the median. */

/** How long a job is measured. */
export interface Bounds {
  /** In milliseconds, and as long again before: a server runs for days, so it is compiled code that counts. */
  readonly time: number;
  readonly minRuns: number;
}

const MAX_RUNS = 50_000;
const scale = Number(process.env.BENCH_SCALE ?? 1);
export const THOROUGHLY: Bounds = { time: 1000 * scale, minRuns: 10 };
export const QUICKLY: Bounds = { time: 500 * scale, minRuns: 3 };

/** Runs a job again and again, and gives what each run has measured after the warm-up. */
export async function repeat<T>(job: () => Promise<T>, { time, minRuns }: Bounds): Promise<T[]> {
  const warm = performance.now() + time;
  for (let run = 0; run < minRuns || performance.now() < warm; run++) await job();
  globalThis.gc?.();
  const results: T[] = [];
  const end = performance.now() + time;
  while (results.length < minRuns || (performance.now() < end && results.length < MAX_RUNS)) results.push(await job());
  return results;
}

/** The median time of a job whose answer is checked, in microseconds. */
export async function timeOf<T>(job: () => Promise<T>, expected: T, bounds: Bounds = THOROUGHLY): Promise<number> {
  const timed = async (): Promise<number> => {
    const start = performance.now();
    const answer = await job();
    const took = performance.now() - start;
    check(answer, expected);
    return took * 1000;
  };
  return median(await repeat(timed, bounds));
}

export function check(got: unknown, expected: unknown): void {
  if (got !== expected) throw new Error(`Expected ${JSON.stringify(expected)}, but got ${JSON.stringify(got)}.`);
}

export function median(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)]!;
}
