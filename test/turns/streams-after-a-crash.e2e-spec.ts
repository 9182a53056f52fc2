import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ApprovalTokens } from '@nestor-ai/core';
import {
  InMemoryTurnEventLog,
  InMemoryTurnJournal,
  type JournaledTurn,
  type TurnEventLog,
  type TurnJournal,
  TurnRunner,
} from '@nestor-ai/turns';
import { type ScriptedAnswer, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { firstValueFrom, takeWhile, tap, toArray } from 'rxjs';
import { withoutWaiting } from '../fake-timeouts.js';
import { type Replica, startReplica } from './streaming-replica.js';
import { validOf } from './valid-events.js';

/** It does not end by itself during a test. */
const LEASE = 60_000;
const ASKS: ScriptedAnswer = {
  chunks: ['Let ', 'me ', 'look.'],
  toolCalls: [toolCall('look', {}, 'c1')],
  delay: 25,
};
const ANSWERS: ScriptedAnswer = { chunks: ['It ', 'is ', 'there.'], delay: 25 };

/** The model of each process sees what the turn has done so far. */
const answer: ScriptEntry = ({ messages }) => (messages.at(-1)!.role === 'tool' ? ANSWERS : ASKS);
const SCRIPT = Array.from({ length: 5 }, () => answer);

/** A journal in which turns seem to have ended long ago. */
class Past extends InMemoryTurnJournal {
  override read(turnId: string): JournaledTurn | undefined {
    const turn = super.read(turnId);
    return turn && { ...turn, unchangedFor: Date.now() };
  }
}

/** The stores as one process reaches them: nothing arrives when it is dead, and late when it was paused. */
class Process {
  isDead = false;
  #paused: Promise<void> | undefined;
  readonly journal: TurnJournal;
  readonly log: TurnEventLog;

  constructor(journal: TurnJournal, log: TurnEventLog) {
    this.journal = this.#guard(journal);
    this.log = this.#guard(log);
  }

  #guard<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (this.isDead) throw new Error('connection lost');
          const act = (): unknown => Reflect.apply(value, target, args);
          return this.#paused && key !== 'stops' ? this.#paused.then(act) : act();
        };
      },
    });
  }

  /** @returns lets the process go on */
  pause(): () => void {
    let goOn!: () => void;
    this.#paused = new Promise((resolve) => (goOn = resolve));
    return () => {
      this.#paused = undefined;
      goOn();
    };
  }
}

describe('a turn whose process dies', () => {
  const replicas: Replica[] = [];
  let now: jest.SpiedFunction<typeof Date.now> | undefined;
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);

  afterEach(async () => {
    now?.mockRestore();
    for (const { app } of replicas.splice(0)) await app.close();
  });

  async function start({ journal, log }: Process, needsApproval = false): Promise<Replica> {
    const tokens = { provide: ApprovalTokens, useValue: new ApprovalTokens({ secret: 's'.repeat(32) }) };
    const providers = [tokens];
    const replica = await startReplica({
      journal,
      log,
      script: SCRIPT,
      isWorker: false,
      needsApproval,
      providers,
      turnLease: LEASE,
    });
    replica.archive.open();
    replicas.push(replica);
    return replica;
  }

  async function run(replica: Replica, id: string, onEvent: () => boolean = () => true): Promise<boolean> {
    const prepared = await replica.app.get(TurnRunner).prepare(id);
    if (prepared.next !== 'run') return false;
    const { turn, request } = prepared;
    await replica.streams.record(turn, {
      stream: () => ({ events: (options) => request.stream().events(options).pipe(takeWhile(onEvent)) }),
    });
    return true;
  }

  /** Runs a turn until one of its events, with which the process dies. */
  async function runUntil(last: number, replica: Replica, process: Process, id: string): Promise<void> {
    let count = 0;
    const dying = run(replica, id, () => !(process.isDead ||= ++count === last)).catch(() => false);
    // It still tries to write for a while. Then its lease ends.
    await dying;
    expect(process.isDead).toBe(true);
    const later = Date.now() + LEASE + 1;
    now = jest.spyOn(Date, 'now').mockReturnValue(later);
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('at event %d is read to its end, each event once', async (last) => {
    const [journal, log] = [new Past(), new InMemoryTurnEventLog()];
    const [first, second] = [new Process(journal, log), new Process(journal, log)];
    const [dying, other] = [await start(first), await start(second)];
    const id = await dying.ask();
    const events = await withoutWaiting(async () => {
      const reading = firstValueFrom(other.streams.events(id).pipe(toArray()));
      await runUntil(last, dying, first, id);
      while (((await journal.read(id)) as JournaledTurn).status !== 'ended') await run(other, id);
      return reading;
    });
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    const valid = validOf(events).map(({ event }) => event);
    expect(valid.flatMap((event) => (event.type === 'text' ? event.text : [])).join('')).toBe(
      'Let me look.It is there.',
    );
    expect(new Set(valid.flatMap((event) => ('toolCall' in event ? event.toolCall.id : [])))).toEqual(new Set(['c1']));
    expect(valid.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(valid.at(-1)!.type).toBe('finish');
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('or is paused at event %d, writes nothing when it goes on', async (last) => {
    const [journal, log] = [new Past(), new InMemoryTurnEventLog()];
    const [first, second] = [new Process(journal, log), new Process(journal, log)];
    const [paused, other] = [await start(first), await start(second)];
    const id = await paused.ask();
    await withoutWaiting(async () => {
      let count = 0;
      let late: Promise<boolean> | undefined;
      const goOn = await new Promise<() => void>((resolve) => {
        late = run(paused, id, () => {
          if (++count === last) resolve(first.pause());
          return true;
        }).catch(() => false);
      });
      now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + LEASE + 1);
      while (((await journal.read(id)) as JournaledTurn).status !== 'ended') await run(other, id);
      const before = log.read(id, 0)!.length;
      goOn();
      await late;
      expect(log.read(id, 0)).toHaveLength(before);
    });
    const valid = validOf(await firstValueFrom(other.streams.events(id).pipe(toArray()))).map(({ event }) => event);
    const said = valid.flatMap((event) => (event.type === 'text' ? event.text : []));
    expect(said.join('')).toBe('Let me look.It is there.');
    expect(valid.filter(({ type }) => type === 'finish')).toHaveLength(1);
  });

  it('or fails after another process gave it back, tells its readers', async () => {
    const [journal, log] = [new Past(), new InMemoryTurnEventLog()];
    const replica = await start(new Process(journal, log));
    const id = await replica.ask();
    const failing = async (at: number) => {
      const prepared = await replica.app.get(TurnRunner).prepare(id, { isRetried: true });
      if (prepared.next !== 'run') throw new Error(`It is not run, but ${prepared.next}.`);
      let count = 0;
      const events = (options: object) =>
        prepared.request
          .stream()
          .events(options)
          .pipe(
            tap(() => {
              if (++count === at) throw new Error('failed');
            }),
          );
      const isFinal = (): boolean => at === 1;
      await replica.streams.record(prepared.turn, { stream: () => ({ events }) }, { isFinal }).catch(() => undefined);
    };
    const types = (): string[] => log.read(id, 0)!.map(({ data }) => (JSON.parse(data) as { type: string }).type);
    await withoutWaiting(async () => {
      await failing(5);
      expect(types()).not.toContain('error');
      await failing(1);
    });
    expect(types().at(-1)).toBe('error');
  });

  it.each([1, 2, 3, 4, 5])('at event %d, before it waits for approval, still asks its readers', async (last) => {
    const [journal, log] = [new Past(), new InMemoryTurnEventLog()];
    const [first, second] = [new Process(journal, log), new Process(journal, log)];
    const [dying, other] = [await start(first, true), await start(second, true)];
    const id = await dying.ask();
    const events = await withoutWaiting(async () => {
      const reading = firstValueFrom(other.streams.events(id).pipe(toArray()));
      await runUntil(last, dying, first, id);
      while (((await journal.read(id)) as JournaledTurn).status !== 'suspended') await run(other, id);
      return reading;
    });
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    const valid = validOf(events).map(({ event }) => event);
    expect(valid.flatMap((event) => (event.type === 'text' ? event.text : [])).join('')).toBe('Let me look.');
    expect(valid.flatMap((event) => (event.type === 'tool-call' ? event.toolCall.id : []))).toEqual(['c1']);
    expect(valid.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(valid.at(-1)).toMatchObject({
      finishReason: 'toolApprovalRequired',
      turnId: id,
      pendingApprovals: [{ id: 'c1', name: 'look' }],
      approvalTokens: { c1: expect.stringContaining(id) },
    });
  });
});
