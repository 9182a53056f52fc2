/*
 * This checkout against another one that was built as this is, in one process: `npm run bench:against -- DIR [a b d e]`. The other's
 * benchmark has to have the contestants of this one.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contestant } from './contestants/nestor.js';
import { inTurns } from './in-turns.js';
import { jobOf } from './suites/turns.js';

const BATCHES: Readonly<Record<string, number>> = { a: 200, b: 30, d: 4, e: 200 };

const [folder, ...given] = process.argv.slice(2);
if (!folder) throw new Error('Say which checkout to compare with: npm run bench:against -- DIR [a b d e]');
const dist = (file: string): string => pathToFileURL(resolve(folder, 'apps/benchmark/dist', file)).href;
const there = (await import(dist('contestants/nestor.js'))) as { contestant: typeof contestant };
const turns = (await import(dist('suites/turns.js'))) as { jobOf: typeof jobOf };

for (const job of given.length > 0 ? given : Object.keys(BATCHES)) {
  const jobs = { here: await jobOf(contestant, job), there: await turns.jobOf(there.contestant, job) };
  const times = await inTurns(jobs, BATCHES[job] ?? 1);
  console.log(
    `${job}: ${times.here.toFixed(2)} µs here, ${times.there.toFixed(2)} µs there: ${(times.here / times.there).toFixed(3)}x`,
  );
}
process.exit();
