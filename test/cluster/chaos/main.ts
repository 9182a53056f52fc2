/*
 * Loses nothing: while turns run, replicas of an application are killed, stand still or vanish with
 * their machines, one is an hour ahead and one an hour behind, the network drops connections silently,
 * PostgreSQL restarts, and Redis is emptied. `npm run chaos:cluster` sends 10,000 turns in seven minutes
 * to replicas that wait as long as an application does by default. CI runs
 * `npm run chaos:cluster -- --short`: 600 turns, and replicas that notice sooner what is lost.
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
    short: { type: 'boolean', default: false },
    turns: { type: 'string' },
    seconds: { type: 'string' },
    replicas: { type: 'string', default: '3' },
    'kill-every': { type: 'string', default: '4000' },
  },
});
const isShort = values.short;
const turns = Number(values.turns ?? (isShort ? 600 : 10_000));
const seconds = Number(values.seconds ?? (isShort ? 40 : 420));

/** How long a replica stands still: longer than others wait for it. In milliseconds. */
const pause = isShort ? 6000 : 45_000;

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
const servers = { POSTGRES_URL: postgres.url, REDIS_URL: redis.url };
const replicas = await Replicas.start(Number(values.replicas), servers, { SHORT: String(isShort) }, logFile);
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
    { at: 0.05, what: 'The connections of a replica are dropped silently', run: () => replicas.silence(pause) },
    { at: 0.2, what: 'PostgreSQL restarts', run: () => postgres.restart('fast') },
    { at: 0.25, what: 'A replica stands still', run: () => replicas.pause(pause) },
    { at: 0.55, what: 'Redis loses everything', run: () => redis.restart() },
    { at: 0.65, what: 'The machine of a replica vanishes', run: () => replicas.vanish() },
    { at: 0.75, what: 'PostgreSQL restarts', run: () => postgres.restart('fast') },
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
