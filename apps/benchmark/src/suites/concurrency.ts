/* Job g: a thousand streamed turns at once, each chunk in a turn of the event loop of its own. */
import { existsSync, readFileSync } from 'node:fs';
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
const CHUNKS = 50;
/** So many are warmed up with at once, so often. */
const WARM_UP = { turns: 20, times: 10 };
/** How often the event loop is looked at, in milliseconds: it is at least so late. */
const RESOLUTION = 1;

export async function measureConcurrency(contestant: Contestant): Promise<Concurrency> {
  const ask = await contestant.stream({ chunks: CHUNKS, isPaced: true });
  const turns = (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, () => ask(() => undefined)));
  for (let run = 0; run < WARM_UP.times; run++) await turns(WARM_UP.turns);
  globalThis.gc?.();
  const idleMB = process.memoryUsage.rss() / 1e6;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  delays.enable();
  const start = performance.now();
  const counts = await turns(TURNS);
  const wall = performance.now() - start;
  delays.disable();
  // A chunk that is lost, or told twice, is no speed.
  for (const count of counts) check(count, CHUNKS);
  return {
    wall,
    peakMB: peakMB(),
    idleMB,
    delayP50: delays.percentile(50) / 1e6 - RESOLUTION,
    delayMax: delays.max / 1e6 - RESOLUTION,
  };
}

/** Of this process alone: where the system tells only of what ran before it as well, that is taken. */
function peakMB(): number {
  const status = '/proc/self/status';
  const found = existsSync(status) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8')) : undefined;
  return ((found ? Number(found[1]) : process.resourceUsage().maxRSS) * 1024) / 1e6;
}
