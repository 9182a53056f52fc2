/* How a job is measured: after a warm-up, run by run, the median. */

/** How long a job is measured, in milliseconds. */
export interface Bounds {
  readonly time: number;
  readonly minRuns: number;
  /**
   * How long it runs before, at least as long as it is measured: until it has run {@link WARM} times, but no longer than this. A server runs
   * for days, so it is compiled code that counts, and what is slow needs more time to be compiled.
   */
  readonly warmUp: number;
}

const MAX_RUNS = 50_000;
const WARM = 3000;
const scale = scaleOf(process.env.BENCH_SCALE);
export const THOROUGHLY: Bounds = { time: 1000 * scale, minRuns: 10, warmUp: 5000 * scale };
export const QUICKLY: Bounds = { time: 500 * scale, minRuns: 3, warmUp: 2000 * scale };

/** @throws Error for what is no positive number */
export function scaleOf(text = '1'): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`BENCH_SCALE has to be a number greater than 0, but is '${text}'.`);
}

/** Runs a job again and again, and gives what each run has measured after the warm-up. */
export async function repeat<T>(job: () => Promise<T>, { time, minRuns, warmUp }: Bounds): Promise<T[]> {
  const start = performance.now();
  const lasted = (): number => performance.now() - start;
  for (let run = 0; run < minRuns || lasted() < time || (run < WARM && lasted() < warmUp); run++) await job();
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
