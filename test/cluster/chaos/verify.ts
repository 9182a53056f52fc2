import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Readers } from './readers.js';
import { conversationOf, inParallel, kindOf, type RoundRobin } from './driver.js';

export interface Findings {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

interface Verification {
  readonly pool: Pool;
  readonly cluster: RoundRobin;
  readonly turns: number;
  readonly ids: readonly string[];
  readonly readers: Readers;
  readonly say: (text: string) => void;
}

interface TurnView {
  readonly status: string;
  readonly waits: readonly { readonly callId: string; readonly kind: 'approval' | 'uncertain' | 'result' }[];
}

/** How long turns may stay open after the last outage, in milliseconds. */
const PATIENCE = 240_000;

/** Decides about all turns that wait, until all have ended. Then compares what is left with what should be. */
export async function verify({ pool, cluster, turns, ids, readers, say }: Verification): Promise<Findings> {
  const decided = { approved: 0, delivered: 0, found: 0, repeated: 0 };
  const open = new Set(ids);
  const until = Date.now() + PATIENCE;
  while (open.size > 0 && Date.now() < until) {
    const left = [...open];
    await inParallel(left.length, 20, async (at) => {
      const id = left[at]!;
      const { status, waits } = await cluster.send<TurnView>('GET', `/turns/${id}`);
      if (status === 'ended') open.delete(id);
      if (status !== 'suspended') return;
      const [wait] = waits;
      if (wait?.kind === 'result') {
        decided.delivered++;
        await cluster.send('POST', `/turns/${id}/results/${wait.callId}`);
        return;
      }
      const decisions = await Promise.all(waits.map(({ callId, kind }) => decide(id, callId, kind)));
      await cluster.send('POST', `/turns/${id}/decisions`, { decisions });
    });
    say(`${open.size} turns are open.`);
    if (open.size > 0) await sleep(2000);
  }

  /** A person looks whether the call has run, and says so. */
  async function decide(id: string, callId: string, kind: string): Promise<object> {
    if (kind === 'approval') {
      decided.approved++;
      return { toolCallId: callId, approved: true };
    }
    const { rowCount } = await pool.query('SELECT 1 FROM effects WHERE key = $1', [`${id}:${callId}`]);
    if (rowCount) {
      decided.found++;
      return { toolCallId: callId, approved: false, reason: 'It has run.' };
    }
    decided.repeated++;
    return { toolCallId: callId, approved: true, replay: true };
  }

  const faults = [...open].slice(0, 20).map((id) => `The turn ${id} has not ended.`);
  const twice = await pool.query<{ key: string }>(
    "SELECT key FROM effects WHERE tool <> 'look' GROUP BY key HAVING count(*) > 1",
  );
  for (const { key } of twice.rows) faults.push(`The unsafe call ${key} has run twice.`);
  const { rows } = await pool.query<{ turn: number }>('SELECT DISTINCT turn FROM effects');
  const withEffect = new Set(rows.map(({ turn }) => turn));
  for (let turn = 0; turn < turns; turn++)
    if (!withEffect.has(turn)) faults.push(`The tool ${kindOf(turn)} of turn ${turn} has not run.`);
  faults.push(...(await checkMemory(cluster, turns)));
  faults.push(...(await readers.check(30_000)));
  return {
    counts: {
      'approvals by a person': decided.approved,
      'turns that a reader followed': readers.count,
      'connections of readers': readers.connections,
      'results from outside': decided.delivered,
      'interrupted calls that had run, and did not run again': decided.found,
      'interrupted calls that had not run, and ran': decided.repeated,
      'calls that are safe to repeat and ran twice': await repeatedLooks(pool),
    },
    faults: faults.slice(0, 50),
  };
}

async function checkMemory(cluster: RoundRobin, turns: number): Promise<readonly string[]> {
  const faults: string[] = [];
  const conversations = [...new Set(Array.from({ length: turns }, (_, turn) => conversationOf(turn)))];
  await inParallel(conversations.length, 20, async (at) => {
    const conversation = conversations[at]!;
    const texts = await cluster.send<readonly string[]>('GET', `/conversations/${conversation}`);
    for (let turn = 0; turn < turns; turn++) {
      if (conversationOf(turn) !== conversation) continue;
      const question = `${kindOf(turn)} ${turn}`;
      for (const text of [question, `The request "${question}" is done.`]) {
        const count = texts.filter((other) => other === text).length;
        if (count !== 1) faults.push(`${conversation} has ${count} times: ${text}`);
      }
    }
  });
  return faults;
}

async function repeatedLooks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    "SELECT count(*) FROM (SELECT key FROM effects WHERE tool = 'look' GROUP BY key HAVING count(*) > 1) AS repeated",
  );
  return Number(rows[0]!.count);
}
