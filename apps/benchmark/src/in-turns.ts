/* Jobs of one process in batches that take turns, so that a busy machine is busy for all. */

export type Job = () => Promise<unknown>;

const ROUNDS = Number(process.env.BENCH_BATCHES ?? 300);

/** The time that a quarter of the batches stays below, in microseconds; what is above it, others have disturbed. They take turns. */
export async function inTurns<Key extends string>(
  jobs: Record<Key, Job>,
  batch: number,
  afterEach: () => Promise<void> = async () => undefined,
): Promise<Record<Key, number>> {
  const keys = Object.keys(jobs) as Key[];
  const times = Object.fromEntries(keys.map((key) => [key, [] as number[]])) as Record<Key, number[]>;
  for (let round = -ROUNDS / 3; round < ROUNDS; round++) {
    for (const key of round % 2 ? keys : keys.toReversed()) {
      const start = performance.now();
      for (let run = 0; run < batch; run++) await jobs[key]();
      const took = performance.now() - start;
      if (round >= 0) times[key].push((took * 1000) / batch);
      await afterEach();
    }
  }
  return Object.fromEntries(keys.map((key) => [key, quartile(times[key])])) as Record<Key, number>;
}

function quartile(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 4)]!;
}
