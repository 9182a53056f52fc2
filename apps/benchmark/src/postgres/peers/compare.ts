/* Whole turns, recorded by Nestor and by its peers. The contestants take turns, each in a process of its own. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { ContestantProcess } from './contestant-process.js';
import type { RecordedContestant } from './contestants.js';
import type { Load } from './load.js';
import { CONCURRENT, ROUNDS } from './recorded-turns.js';
import { tableOf } from './table.js';

/** The first set warms up. */
const SETS = 5;
const MILLISECONDS = 2000;
const LATENCIES = [0, 20];
const CONNECTIONS = 10;

/** Measures and prints. Each contestant has a schema of its own, which is dropped at the end. */
export async function compareRecorded(
  contestants: readonly RecordedContestant[],
  pool: Pool,
  connectionString: string,
): Promise<void> {
  const processes: ContestantProcess[] = [];
  const schema = `nestor_bench_${randomUUID().slice(0, 8)}`;
  const schemas: string[] = [];
  try {
    for (const contestant of contestants) {
      processes.push(await ContestantProcess.start(contestant));
      schemas.push(`${schema}_${schemas.length}`);
    }
    for (const latency of LATENCIES) {
      const best: Load[] = [];
      for (let set = 0; set < SETS; set++) {
        for (const [index, { contestant, measure }] of processes.entries()) {
          const database = { connectionString, schema: schemas[index]!, connections: CONNECTIONS };
          const setting = { latency, ...(contestant.isDurable && { database }) };
          const taken = await measure({ setting, milliseconds: MILLISECONDS });
          if (set > 0 && taken.turnsPerSecond > (best[index]?.turnsPerSecond ?? 0)) best[index] = taken;
        }
      }
      console.log(`\nwhole turns of ${ROUNDS} rounds, ${CONCURRENT} at a time, the model takes ${latency} ms:`);
      console.log(
        tableOf(processes.map(({ contestant, version }, index) => ({ ...contestant, version, ...best[index]! }))),
      );
    }
  } finally {
    for (const process of processes) process.stop();
    for (const one of schemas) await pool.query(`DROP SCHEMA IF EXISTS ${one} CASCADE`);
  }
}
