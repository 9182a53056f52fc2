/*
 * Loses nothing: replicas of an application that are killed, a PostgreSQL that restarts and a Redis
 * that is emptied while turns run. `npm run chaos:cluster` sends 10,000 turns in 420 seconds, and takes
 * 10 minutes. CI runs `npm run chaos:cluster -- --turns 600 --seconds 35`, which takes one.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { conversationOf, inParallel, kindOf, RoundRobin } from './driver.js';
import { Readers } from './readers.js';
import { Replicas } from './replicas.js';
import { hasRedisProgram, postgresPrograms, startPostgres, startRedis } from './servers.js';
import { type Findings, verify } from './verify.js';

/** How many turns there are for each that a reader follows. Readers take more time than turns. */
const TURNS_PER_READER = 8;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '420' },
    replicas: { type: 'string', default: '3' },
    'kill-every': { type: 'string', default: '4000' },
  },
});
const turns = Number(values.turns);
const seconds = Number(values.seconds);

const programs = postgresPrograms();
if (!programs || !hasRedisProgram()) {
  console.log(
    'chaos:cluster is skipped: it needs the programs of PostgreSQL and Redis (apt-get install postgresql redis-server).',
  );
  process.exit(0);
}

const startedAt = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${text}`);
const postgres = await startPostgres(programs);
const redis = await startRedis();
const pool = new Pool({ connectionString: postgres.url, max: 4 });
pool.on('error', () => undefined);
await pool.query(
  'CREATE TABLE effects (run uuid PRIMARY KEY, tool text, turn int, key text, at timestamptz DEFAULT now())',
);

const logFile = join(mkdtempSync(join(tmpdir(), 'nestor-chaos-')), 'replicas.log');
const environment = { POSTGRES_URL: postgres.url, REDIS_URL: redis.url };
const replicas = await Replicas.start(Number(values.replicas), environment, logFile);
say(`${replicas.ports.length} replicas run. Their log: ${logFile}`);
const cluster = new RoundRobin(replicas.ports);

const sendingFrom = Date.now();
const sending = { isOver: false };
const killing = (async () => {
  while (!sending.isOver) {
    await sleep(Number(values['kill-every']));
    await replicas.kill();
  }
})();
const outages = (async () => {
  for (const { at, what, run } of [
    { at: 0.3, what: 'PostgreSQL restarts', run: () => postgres.restart('fast') },
    { at: 0.5, what: 'Redis loses everything', run: () => redis.restart() },
    { at: 0.7, what: 'PostgreSQL restarts', run: () => postgres.restart('fast') },
  ]) {
    await sleep(Math.max(0, sendingFrom + at * seconds * 1000 - Date.now()));
    say(what);
    await run();
  }
})();
const ids: string[] = [];
const readers = new Readers(cluster);
await inParallel(turns, 40, async (turn) => {
  await sleep(Math.max(0, sendingFrom + (turn * seconds * 1000) / turns - Date.now()));
  const body = { turn, text: `${kindOf(turn)} ${turn}`, conversation: conversationOf(turn) };
  ids[turn] = (await cluster.send<{ id: string }>('POST', '/turns', body)).id;
  if (turn % TURNS_PER_READER === 0) readers.follow(ids[turn], body.text);
});
await outages;
sending.isOver = true;
await killing;
say(`${turns} turns were sent, with ${replicas.kills} kills and ${cluster.retries} repeated requests.`);

const findings: Findings = await verify({ pool, cluster, turns, ids, readers, say });
await replicas.stop();
await pool.end();
await redis.stop();
await postgres.stop();
for (const [what, count] of Object.entries(findings.counts)) say(`${String(count).padStart(7)}  ${what}`);
for (const fault of findings.faults) console.log(`!! ${fault}`);
console.log(findings.faults.length === 0 ? 'Nothing was lost, and nothing was done twice.' : 'FAILED');
process.exit(findings.faults.length === 0 ? 0 : 1);
