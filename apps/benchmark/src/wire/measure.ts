/* The CPU time of all contestants in one process, in turns: `measure.js URL JOB FIRST`. Prints µs of each, per run. */
import { printResult } from '../children.js';
import { check } from '../measure.js';
import { FINAL } from '../work.js';
import { CHUNKS, type CreateWireContestant, type WireContestant } from './job.js';

const BATCH = { turn: 10, stream: 1 };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);
/** Rounds before the measured ones, in which the code is compiled. */
const WARM_UP = { turn: 300, stream: 25 };

const load = async (url: URL): Promise<CreateWireContestant> =>
  ((await import(url.href)) as { create: CreateWireContestant }).create;
const FILES = ['./by-hand.js', './nestor.js', './ai-sdk.js', '../../peers/openai-sdk.mjs', './fetch-loop.js'];

const [baseURL, job, first] = process.argv.slice(2) as [string, 'turn' | 'stream', string];
const contestants: WireContestant[] = [];
// What is set up first is up to 12 % slower, so each process begins with another one.
for (const file of [...FILES.slice(Number(first)), ...FILES.slice(0, Number(first))]) {
  contestants.push(await (await load(new URL(file, import.meta.url)))(baseURL));
}
printResult(await measureInTurns());
process.exit();

async function measureInTurns(): Promise<Record<string, number>> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = -WARM_UP[job]; round < ROUNDS; round++) {
    for (const contestant of round % 2 ? contestants : contestants.toReversed()) {
      const time = await cpuOf(contestant);
      if (round >= 0) times.get(contestant.name)!.push(time);
    }
  }
  return Object.fromEntries([...times].map(([name, values]) => [name, quartile(values)]));
}

/** The CPU time of one run in microseconds, of all threads of this process. */
async function cpuOf(contestant: WireContestant): Promise<number> {
  const start = process.cpuUsage();
  for (let run = 0; run < BATCH[job]; run++) {
    if (job === 'turn') check(await contestant.turn(), FINAL);
    else check(await contestant.stream(), CHUNKS);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / BATCH[job];
}

/** What a quarter of the rounds stays below. What is above it, others on the machine have disturbed. */
function quartile(values: readonly number[]): number {
  return [...values].sort((x, y) => x - y)[Math.floor(values.length / 4)]!;
}
