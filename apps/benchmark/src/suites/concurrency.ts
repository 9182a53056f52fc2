/* Job g: a thousand streamed turns at once, each chunk in a turn of the event loop of its own. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { check } from '../measure.js';
import type { Contestant } from '../work.js';

export interface Concurrency {
  /** All turns, in milliseconds. */
  readonly wall: number;
  /** The most memory that the process had, in megabytes, and how much of it was there before. */
  readonly peakMB: number;
  readonly idleMB: number;
  /** How late the event loop was, in milliseconds. */
  readonly delayP50: number;
  readonly delayMax: number;
}

const TURNS = 1000;
const CHUNKS = 200;
const WARM_UP = 20;

export async function measureConcurrency(contestant: Contestant): Promise<Concurrency> {
  const ask = await contestant.stream({ chunks: CHUNKS, isPaced: true });
  const turns = (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => ask(() => undefined)));
  for (let run = 0; run < 3; run++) await turns(WARM_UP);
  globalThis.gc?.();
  const idleMB = process.memoryUsage.rss() / 1e6;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const start = performance.now();
  const counts = await turns(TURNS);
  const wall = performance.now() - start;
  delays.disable();
  // A chunk that is lost, or told twice, is no speed.
  for (const count of counts) check(count, CHUNKS);
  return {
    wall,
    peakMB: process.resourceUsage().maxRSS / 1000,
    idleMB,
    delayP50: delays.percentile(50) / 1e6,
    delayMax: delays.max / 1e6,
  };
}
