/*
 * This checkout against another one that was built as this is: `npm run bench:against -- DIR [a b d e]`. The other's benchmark has to have
 * the contestants of this one. Both run in one process, and each job in two processes: what is set up first is up to 12 % slower, even against
 * a copy of itself. The ratio is the geometric mean of both orders.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inTurns, type Job } from './in-turns.js';

type Side = 'here' | 'there';
type Contestants = typeof import('./contestants/nestor.js');
type Turns = typeof import('./suites/turns.js');

const BATCHES: Readonly<Record<string, number>> = { a: 200, b: 30, d: 4, e: 200 };

const [folder, ...given] = process.argv.slice(2);
if (!folder) throw new Error('Say which checkout to compare with: npm run bench:against -- DIR [a b d e]');

const order = process.env.BENCH_ORDER?.split(',') as Side[] | undefined;
if (order) {
  console.log(JSON.stringify(await measure(given[0]!, order)));
  process.exit();
}
for (const job of given.length > 0 ? given : Object.keys(BATCHES)) {
  const runs = ['here,there', 'there,here'].map((sides) => inOwnProcess(job, sides));
  const mean = (side: Side): number => Math.sqrt(runs[0]![side] * runs[1]![side]);
  const [here, there] = [mean('here'), mean('there')];
  console.log(`${job}: ${here.toFixed(2)} µs here, ${there.toFixed(2)} µs there: ${(here / there).toFixed(3)}x`);
}

function inOwnProcess(job: string, sides: string): Record<Side, number> {
  const script = fileURLToPath(import.meta.url);
  const env = { ...process.env, BENCH_ORDER: sides };
  const printed = execFileSync(process.execPath, ['--expose-gc', script, folder!, job], { env, encoding: 'utf8' });
  return JSON.parse(printed) as Record<Side, number>;
}

/** The microseconds of one run of a job on each side, which are set up in this order. */
async function measure(job: string, sides: readonly Side[]): Promise<Record<Side, number>> {
  const roots = { here: fileURLToPath(new URL('.', import.meta.url)), there: resolve(folder!, 'apps/benchmark/dist') };
  const load = (side: Side, file: string): Promise<unknown> => import(pathToFileURL(resolve(roots[side], file)).href);
  const jobs: Partial<Record<Side, Job>> = {};
  for (const side of sides) {
    const { contestant } = (await load(side, 'contestants/nestor.js')) as Contestants;
    const { jobOf } = (await load(side, 'suites/turns.js')) as Turns;
    jobs[side] = await jobOf(contestant, job);
  }
  return inTurns(jobs as Record<Side, Job>, BATCHES[job] ?? 1);
}
