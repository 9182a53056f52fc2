/* A CPU profile of each job, for the developer tools of a browser, and what it says by layer: `npm run bench:profile [-- a d]`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { measureInChild, printResult } from '../children.js';
import { loadContestant } from '../contestants/index.js';
import { repeat } from '../measure.js';
import { jobOf } from '../suites/turns.js';
import { inWords, type ProfileSummary, summarize } from './summary.js';

const JOBS = ['a', 'b', 'd', 'e'];
const FOLDER = fileURLToPath(new URL('../../profiles/', import.meta.url));
/** In milliseconds; in microseconds, how far samples are apart. */
const TIME = 3000;
const INTERVAL = 100;

const at = process.argv.indexOf('--child');
if (at > 0) await profile(process.argv[at + 1]!, process.argv[at + 2]!);
else {
  const given = process.argv.slice(2);
  mkdirSync(FOLDER, { recursive: true });
  for (const job of given.length > 0 ? given : JOBS) {
    const summary = await measureInChild<ProfileSummary>('./profile/main.js', ['--child', 'nestor', job]);
    const text = inWords(summary);
    writeFileSync(`${FOLDER}${job}.txt`, `${text}\n`);
    console.log(`job ${job}: ${FOLDER}${job}.cpuprofile\n${text}\n`);
  }
}

async function profile(id: string, job: string): Promise<void> {
  const run = await jobOf(await loadContestant(id), job);
  await repeat(run, { time: TIME / 2, minRuns: 1, warmUp: 0 });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  const end = performance.now() + TIME;
  while (performance.now() < end) await run();
  const { profile: taken } = await session.post('Profiler.stop');
  writeFileSync(`${FOLDER}${job}.cpuprofile`, JSON.stringify(taken));
  printResult(summarize(taken));
  process.exit();
}
