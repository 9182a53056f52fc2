/* Jobs a to e: what a turn costs. */
import { check, median, repeat, THOROUGHLY, timeOf } from '../measure.js';
import { type AskStreaming, type Contestant, FINAL, ONE_CALL, type StreamWork, type TurnWork } from '../work.js';

const CHUNKS = 2000;
const TURNS: Readonly<Record<string, TurnWork>> = {
  a: ONE_CALL,
  b: { ...ONE_CALL, rounds: 10 },
  c: { ...ONE_CALL, parallel: 8, toolDelay: 20 },
  e: { ...ONE_CALL, tools: 200 },
};

export const TURN_JOBS = ['a', 'b', 'c', 'd', 'e'] as const;
const STREAM: StreamWork = { chunks: CHUNKS, isPaced: false };

/** What a job took, in microseconds. */
export interface Taken {
  /** The whole of it. */
  readonly total: number;
  /** Until the first chunk. */
  readonly first?: number;
  /** Chunks in a second, from the first one on. */
  readonly rate?: number;
}

/** @param job `a`, `b`, `c`, `d` or `e` */
export async function measureTurn(contestant: Contestant, job: string): Promise<Taken> {
  const work = TURNS[job];
  if (work) {
    // What waits does not run often enough for the engine to compile it.
    if (work.toolDelay > 0) await repeat(await contestant.ask({ ...work, toolDelay: 0 }), THOROUGHLY);
    // What only waits, for a second that is fifty runs, is not made more exact by thousands of them.
    const bounds = work.toolDelay > 0 ? { ...THOROUGHLY, warmUp: 0 } : THOROUGHLY;
    return { total: await timeOf(await contestant.ask(work), FINAL, bounds) };
  }
  requireJob(job);
  return measureStream(await contestant.stream(STREAM));
}

/** A job as something to run, whatever it gives. */
export async function jobOf(contestant: Contestant, job: string): Promise<() => Promise<unknown>> {
  const work = TURNS[job];
  if (work) return contestant.ask(work);
  requireJob(job);
  const ask = await contestant.stream(STREAM);
  return () => ask(() => undefined);
}

function requireJob(job: string): void {
  if (!(TURN_JOBS as readonly string[]).includes(job)) {
    throw new Error(`There is no job '${job}', only: ${TURN_JOBS.join(', ')}.`);
  }
}

async function measureStream(ask: AskStreaming): Promise<Taken> {
  const run = async () => {
    let first = 0;
    const start = performance.now();
    const chunks = await ask(() => (first ||= performance.now()));
    const end = performance.now();
    check(chunks, CHUNKS);
    return { first: (first - start) * 1000, total: (end - start) * 1000, rate: (CHUNKS / (end - first)) * 1000 };
  };
  const runs = await repeat(run, THOROUGHLY);
  return {
    total: median(runs.map(({ total }) => total)),
    first: median(runs.map(({ first }) => first)),
    rate: median(runs.map(({ rate }) => rate)),
  };
}
