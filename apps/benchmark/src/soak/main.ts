/*
 * Lets an application run under faults of all kinds, and looks for what it leaves behind: `npm run soak`, three minutes, or
 * `npm run soak -- --seconds 20`; `--seed N` for another course of events. Ends with 1 when a bound is exceeded.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Callers } from './callers.js';
import { describeGauges, exceededBounds, type Gauges } from './gauges.js';
import { Random } from './random.js';

/** How long what was asked before a measurement may go on: longer than any timeout of the application, in milliseconds. */
const SETTLING = 2000;
/** Share of the time after which code is compiled and caches are filled. */
const WARM_UP = 0.1;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '180' }, seed: { type: 'string', default: '1' } },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new RangeError(`--seconds has to be a number greater than 0, but is ${values.seconds}.`);

const server = fork(fileURLToPath(new URL('./server.js', import.meta.url)), {
  execArgv: ['--expose-gc'],
  env: { ...process.env, NODE_ENV: 'production', SOAK_SEED: values.seed },
});
try {
  const port = await receive<number>(server);
  const callers = new Callers(port, new Random(Number(values.seed) + 1));
  const halfTime = (seconds * 1000 * (1 - WARM_UP)) / 2;
  await callers.askFor(seconds * 1000 * WARM_UP);
  const start = await measure('start');
  await callers.askFor(halfTime);
  const half = await measure('half');
  await callers.askFor(halfTime);
  const end = await measure('end');
  const { tally } = callers;
  console.log(`${tally.done} requests: ${JSON.stringify(tally.outcomes)}`);
  const problems = exceededBounds(start, half, end, tally);
  for (const problem of problems) console.error(`Exceeded: ${problem}.`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('Nothing is left behind.');
} finally {
  server.kill();
}

async function measure(when: string): Promise<Gauges> {
  await sleep(SETTLING);
  server.send('measure');
  const gauges = await receive<Gauges>(server);
  console.log(describeGauges(when, gauges));
  return gauges;
}

/** The next message of the server. @throws Error when it ends instead */
async function receive<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The application has ended with ${code}.`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return message;
}
