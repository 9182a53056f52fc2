import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  AssistantMessage,
  ChatClient,
  ChatMemory,
  ConversationLog,
  type ConversationLog as Conversations,
  UserMessage,
} from '@nestor-ai/core';
import { type JournaledTurn, TurnEventLog, TurnJournal } from '@nestor-ai/turns';
import { firstValueFrom, toArray } from 'rxjs';
import { validOf } from '../turns/valid-events.js';
import { until } from '../until.js';
import { describeOnServer, openTestDatabase, TEST_POSTGRES, type TestDatabase } from '../postgres/test-database.js';
import { StatementProxy } from './statements/statement-proxy.js';
import { startWorker } from './statements/worker.js';

const FATES = [
  { fate: 'is killed before it', signal: 'SIGKILL', isRun: false },
  { fate: 'is killed after it, without an answer', signal: 'SIGKILL', isRun: true },
  { fate: 'stands still before it', signal: 'SIGSTOP', isRun: false },
  { fate: 'stands still after it, without an answer', signal: 'SIGSTOP', isRun: true },
] as const;
type Fate = (typeof FATES)[number];

/**
 * A process that is killed needs a new one, which takes a second: at every third statement, or with
 * `npm run chaos:statements` at each.
 */
const STEP = Number(process.env['NESTOR_TEST_STEP'] ?? 3);

const ANN = { user: { id: 'ann' } };
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** A worker in a process of its own. */
class Victim {
  readonly exit: Promise<unknown>;

  private constructor(
    readonly child: ChildProcess,
    readonly proxy: StatementProxy,
  ) {
    this.exit = once(child, 'exit');
  }

  static async start(schema: string): Promise<Victim> {
    const url = new URL(TEST_POSTGRES);
    const proxy = await StatementProxy.open(new URL(TEST_POSTGRES));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const child = fork(here('./statements/worker.ts'), [schema], {
      execArgv: ['--import', here('../../apps/from-sources.mjs')],
      env: { ...process.env, POSTGRES_URL: `${url.href}?application_name=victim`, EFFECTS_URL: effectsOf(schema) },
    });
    await once(child, 'message');
    return new Victim(child, proxy);
  }

  /** @returns when it has run the next part of the turn, or its process is gone */
  async run(turnId: string): Promise<void> {
    const done = once(this.child, 'message');
    this.child.send(turnId);
    await Promise.race([done, this.exit]);
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
    await this.proxy.close();
  }
}

const effectsOf = (schema: string): string => `${TEST_POSTGRES}?options=-c%20search_path%3D${schema}`;

(await describeOnServer('Turns at each statement'))(
  'a turn with a tool, an approval, a job and a conversation that is summarized, whose worker',
  () => {
    let test: TestDatabase;
    let other: Awaited<ReturnType<typeof startWorker>>;
    /** A process that has started, for the next try. */
    let spare: Promise<Victim>;
    let summarized = 0;

    beforeAll(async () => {
      test = await openTestDatabase();
      process.env['EFFECTS_URL'] = effectsOf(test.schema);
      other = await startWorker(TEST_POSTGRES, test.schema);
      await test.pool.query(`CREATE TABLE "${test.schema}".effects (what text)`);
      spare = Victim.start(test.schema);
    }, 120_000);
    afterAll(async () => {
      await (await spare).end();
      await other.app.close();
      await test.close();
    });

    const table = (name: string): string => `"${test.schema}".${name}`;
    const read = async (id: string): Promise<JournaledTurn> => (await other.app.get(TurnJournal).read(id))!;
    const effects = async (): Promise<string[]> => {
      const { rows } = await test.pool.query(`SELECT what FROM ${table('effects')}`);
      return (rows as { what: string }[]).map(({ what }) => what);
    };

    /** The lease of a process that is gone passes; the server ends sessions that have been silent for too long. */
    async function letTimePass(): Promise<void> {
      const held = `SELECT id FROM ${table('turns')} WHERE lease_ends_at > now()`;
      await until(async () => (await test.pool.query(held)).rows.length === 0);
      const silent = `application_name = 'victim' AND (state LIKE 'idle in transaction%' OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'))`;
      await test.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${silent}`);
    }

    /** Decides like a person who first looks whether a call that may have run has run. */
    async function decide(id: string, conversation: string): Promise<void> {
      const { pending, begun = [] } = (await other.app.get(TurnJournal).findById(id))!;
      const done = await effects();
      const approvals = pending.map(({ id: toolCallId }) => {
        const isUncertain = begun.includes(toolCallId);
        if (isUncertain && done.includes(toolCallId)) return { toolCallId, approved: false, reason: 'It has run.' };
        return { toolCallId, approved: true, ...(isUncertain && { replay: true }) };
      });
      const client = other.app.get(ChatClient);
      await client.prompt().conversation(conversation).request(ANN).toolApprovals(approvals, { turnId: id }).enqueue();
    }

    async function conversationOf(id: string) {
      const { turns, owner } = await other.app.get<Conversations>(ConversationLog).read(id, { limit: 100 });
      const ofTurns = turns.filter(({ pin }) => pin === undefined);
      return { owner, said: ofTurns.flatMap(({ messages }) => messages.map(({ role }) => role)) };
    }

    /** What the model would see in the next turn: the earlier turn as it was, or its summary. */
    async function viewOf(id: string): Promise<string> {
      const seen = await other.app.get<ChatMemory>(ChatMemory as never).get(id);
      return seen.map((message) => `${message.role} ${'text' in message ? message.text : ''}`).join(', ');
    }

    const snapshot = async (id: string, conversation: string) => ({
      kinds: (await read(id)).entries.map(({ kind }) => kind),
      events: (await other.app.get(TurnEventLog).read(id, 0))?.map(({ data }) => data),
      ...(await conversationOf(conversation)),
      effects: await effects(),
    });

    /** @returns whether the turn has so many statements */
    async function liveThrough({ fate, signal, isRun }: Fate, at: number): Promise<boolean> {
      const conversation = `${fate} ${at}`;
      await test.pool.query(`DELETE FROM ${table('effects')}`);
      const earlier = [new UserMessage('Hi'), new AssistantMessage('Hello.')];
      await other.app
        .get<Conversations>(ConversationLog)
        .append(conversation, 'earlier', earlier, { by: { subject: 'ann' } });
      const id = await other.app.get(ChatClient).prompt('Go').conversation(conversation).request(ANN).enqueue();
      const victim = await spare;
      let isReached = false;
      let isTaken = false;
      let running: Promise<void> | undefined;
      const reached = new Promise<void>((resolve) => {
        victim.proxy.count({
          at,
          isRun,
          reached: () => {
            isReached = true;
            victim.child.kill(signal);
            resolve();
          },
        });
      });
      for (let parts = 0; parts < 12; parts++) {
        const { status } = await read(id);
        if (status === 'ended') break;
        if (status === 'suspended') await decide(id, conversation);
        else if (isReached) {
          isTaken = true;
          await other.run(id).catch(() => undefined);
        } else {
          running = victim.run(id);
          await Promise.race([running, reached]);
          if (!isReached) continue;
          if (signal === 'SIGKILL') {
            await running;
            spare = Victim.start(test.schema);
          }
          await letTimePass();
        }
      }
      const how = `${fate}, ${at}: ${victim.proxy.statements.join(' | ')}`;
      const before = await snapshot(id, conversation);
      if (isReached && signal === 'SIGSTOP') {
        victim.child.kill('SIGCONT');
        victim.proxy.release();
        await running;
        // If it had ended the turn, it may still say so.
        if (isTaken) expect({ how, ...(await snapshot(id, conversation)) }).toEqual({ how, ...before });
      }
      if (isReached && signal === 'SIGKILL') await victim.end();
      const after = await snapshot(id, conversation);
      const view = await viewOf(conversation);
      if (view.includes('Summed up.')) summarized++;
      const events = await firstValueFrom(other.streams.events(id).pipe(toArray()));
      const valid = validOf(events).map(({ event }) => event);
      expect({
        how,
        status: (await read(id)).status,
        owner: after.owner,
        said: after.said,
        text: valid.flatMap((event) => (event.type === 'text' ? event.text : [])).join(''),
        calls: [...new Set(valid.flatMap((event) => (event.type === 'tool-call' ? event.toolCall.id : [])))],
        last: valid.at(-1)!.type,
        numbers: events.map(({ number }) => number),
        paid: after.effects.filter((what) => what === 'pay').length,
        done: [...new Set(after.effects)].toSorted(),
        view: view.replace('What have we talked about so far?, assistant Summed up.', 'Hi, assistant Hello.'),
      }).toEqual({
        how,
        status: 'ended',
        owner: 'ann',
        said: ['user', 'assistant', 'user', 'assistant'],
        text: 'look pay report All done.',
        calls: ['look', 'pay', 'report'],
        last: 'finish',
        numbers: events.map((_, index) => index + 1),
        paid: 1,
        done: ['look', 'pay', 'report'],
        view: 'user Hi, assistant Hello., user Go, assistant All done.',
      });
      return isReached;
    }

    it.each(FATES)(
      '$fate, whichever statement: another one ends it, once',
      async (fate) => {
        let at = 1;
        summarized = 0;
        while (await liveThrough(fate, at)) at += fate.signal === 'SIGKILL' ? STEP : 1;
        expect(at).toBeGreaterThan(40);
        expect(summarized).toBeGreaterThan(10);
      },
      600_000,
    );
  },
);
