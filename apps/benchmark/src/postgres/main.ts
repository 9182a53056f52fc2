/*
 * What the journal on PostgreSQL costs: `npm run bench:postgres [-- journal peers --turns 1000000]`. The
 * part `nestor` is `peers` without the peers. It creates schemas of its own in the database of
 * NESTOR_TEST_POSTGRES (default: database test on 127.0.0.1:5432), and drops them at the end.
 */
import { InMemoryTurnJournal, type TurnJournal } from '@nestor-ai/turns';
import { PostgresDatabase, PostgresTurnJournal, printMigrations } from '@nestor-ai/postgres';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { fillTables, OPEN_TURNS } from './fill.js';
import { ObservedPool } from './observed-pool.js';
import { compareRecorded } from './peers/compare.js';
import { OWN, recordedContestants } from './peers/contestants.js';
import { recordTurns } from './turns.js';

const LIMIT = 5;
const ROUNDS = 5;
const PARTS = ['journal', 'peers'];
const ALL_PARTS = [...PARTS, 'nestor'];
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string', default: '1000000' } },
});
const unknown = positionals.find((part) => !ALL_PARTS.includes(part));
if (unknown !== undefined) throw new Error(`There is no '${unknown}' to be measured, only: ${ALL_PARTS.join(', ')}.`);
const parts = positionals.length > 0 ? positionals : PARTS;
const endedTurns = Number(options.turns);
const connectionString = process.env.NESTOR_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test';
const pool = new Pool({ connectionString, max: 10 });
const observed = new ObservedPool(pool);
const schema = `nestor_bench_${randomUUID().slice(0, 8)}`;
const database = new PostgresDatabase(observed, schema);
const journal = new PostgresTurnJournal(database);

try {
  if (parts.includes('journal')) await measureJournal();
  if (parts.includes('peers')) await compareRecorded(recordedContestants(), pool, connectionString);
  if (parts.includes('nestor')) await compareRecorded(OWN, pool, connectionString);
} finally {
  await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await pool.end();
}

async function measureJournal(): Promise<void> {
  await pool.query(printMigrations({ schema }));
  const start = performance.now();
  await fillTables(database, endedTurns);
  console.log(`${endedTurns} ended turns stored in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  await measureLatencies();
  await measureStatements();
  await measureThroughput();
}

async function measureLatencies(): Promise<void> {
  let at = 0;
  const next = (from: number, count: number): number => from + (at++ % count);
  const suspended = endedTurns + OPEN_TURNS.running + OPEN_TURNS.queued;
  const work: Record<string, () => Promise<unknown>> = {
    'claim a turn': async () => journal.claim(`turn ${next(endedTurns, OPEN_TURNS.running)}`, 4, randomUUID(), 1),
    'find unclaimed queued and running turns': async () =>
      journal.find({ status: ['queued', 'running'], isUnclaimed: true, unchangedFor: 1000, limit: 20 }),
    'find the turn of a waiting call': async () =>
      journal.find({ pendingCallId: `call ${next(suspended, OPEN_TURNS.suspended)}`, limit: 1 }),
    'find the turns of a conversation': async () =>
      journal.find({ conversationId: `conversation ${next(0, endedTurns / 5)}`, limit: 20 }),
    'find the suspended turns of a requester': async () =>
      journal.find({ requester: `user ${next(0, 10_000)}`, status: ['suspended'], limit: 20 }),
    'read a turn': async () => journal.read(`turn ${next(0, endedTurns)}`),
    'append to a new turn': async () =>
      journal.append({
        turnId: randomUUID(),
        entries: [{ kind: 'begun', messages: [], options: {}, context: {} }],
        after: 0,
        owner: 'bench',
        facts: { status: 'failed', pendingCallIds: [] },
      }),
    'delete 100 ended turns': async () => journal.deleteEndedTurns({ olderThan: 0, limit: 100 }),
  };
  for (const [name, run] of Object.entries(work)) {
    const times: number[] = [];
    for (let index = -50; index < 500; index++) {
      const start = performance.now();
      await run();
      if (index >= 0) times.push(performance.now() - start);
    }
    times.sort((x, y) => x - y);
    const [half, most] = [times[250]!, times[475]!];
    const verdict = half < LIMIT ? 'met' : 'NOT MET';
    console.log(`\n${name}: median ${half.toFixed(2)} ms, 95 % ${most.toFixed(2)} ms (limit ${LIMIT} ms: ${verdict})`);
    console.log(await observed.explainLast());
  }
}

async function measureStatements(): Promise<void> {
  console.log('\nstatements for each round of a turn (a round is two appends: a call began, a call ended):');
  for (const concurrent of [1, 10, 50]) {
    const before = observed.statements;
    const turns = Math.max(20, 4 * concurrent);
    await recordTurns(journal, { turns, concurrent, rounds: ROUNDS });
    const statements = (observed.statements - before) / (turns * ROUNDS);
    console.log(`  ${String(concurrent).padStart(2)} turns at a time: ${statements.toFixed(2)}`);
  }
}

async function measureThroughput(): Promise<void> {
  console.log('\nappends per second, 50 turns at a time, journals taking turns:');
  const journals: Record<string, () => TurnJournal> = {
    'in memory': () => new InMemoryTurnJournal(),
    PostgreSQL: () => journal,
  };
  const best: Record<string, number> = {};
  for (let set = 0; set < 6; set++) {
    for (const [name, create] of Object.entries(journals)) {
      const start = performance.now();
      const appends = await recordTurns(create(), { turns: 500, concurrent: 50, rounds: ROUNDS });
      const perSecond = (appends / (performance.now() - start)) * 1000;
      if (set > 0) best[name] = Math.max(best[name] ?? 0, perSecond);
    }
  }
  for (const [name, perSecond] of Object.entries(best)) console.log(`  ${name.padEnd(11)} ${perSecond.toFixed(0)}`);
}
