/* Asks an endpoint on this machine as fast as it answers, for a few seconds: `load.mjs URL EXPECTED_BODY`. */
import autocannon from 'autocannon';
import { printResult } from '../dist/children.js';

const CONNECTIONS = 50;
/** In seconds. */
const DURATION = 4;

const [url, expected] = process.argv.slice(2);
const { hostname } = new URL(url);
if (hostname !== '127.0.0.1') throw new Error(`Only this machine is put under load, and ${hostname} is none of it.`);

const run = (duration) => autocannon({ url, connections: CONNECTIONS, duration });
await run(1);
const { requests, latency, errors, timeouts, non2xx } = await run(DURATION);
if (errors + timeouts + non2xx > 0) {
  throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${non2xx} other answers than 2xx.`);
}
const answer = await (await fetch(url)).text();
if (!answer.includes(expected)) throw new Error(`${url} answers ${JSON.stringify(answer.slice(0, 200))}.`);
printResult({ rate: requests.average, p50: latency.p50, p99: latency.p99 });
