import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ChatClient, ChatMemoryRepository, InMemoryChatMemoryRepository } from '@nestor-ai/core';
import { InMemoryTurnEventLog, InMemoryTurnJournal, type JournaledTurn, TurnRunner } from '@nestor-ai/turns';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { firstValueFrom, toArray } from 'rxjs';
import { withoutWaiting } from '../fake-timeouts.js';
import { type Replica, startReplica } from './streaming-replica.js';
import { validOf } from './valid-events.js';

/** It does not end by itself during a test. */
const LEASE = 60_000;
const ANN = { user: { id: 'ann' } };

/** The model of each process sees what the turn has done so far, and signs its answer. */
function scriptOf(process: string): ScriptEntry[] {
  const answer: ScriptEntry = ({ messages }) =>
    messages.at(-1)!.role === 'tool'
      ? { chunks: ['It ', 'is ', `there.${process}`] }
      : { chunks: ['Let ', 'me ', 'look.'], toolCalls: [toolCall('look', {}, 'c1')] };
  return Array.from({ length: 5000 }, () => answer);
}

const withoutName = (text: string): string => text.replace(/[abc]$/, '');

/** What happens to the process at one of its operations on a store. */
const FATES = [
  'dies before it',
  'dies after it, without an answer',
  'is paused before it',
  'is paused after it, without an answer',
] as const;
const PAUSES = FATES.slice(2);
type Fate = (typeof FATES)[number];
type Plan = { readonly at: number; readonly fate: Fate };

/** The stores that all processes share. Turns seem to have ended long ago. */
class Stores {
  readonly journal = new (class extends InMemoryTurnJournal {
    override read(turnId: string): JournaledTurn | undefined {
      const turn = super.read(turnId);
      return turn && { ...turn, unchangedFor: Date.now() };
    }
  })();
  readonly log = new InMemoryTurnEventLog();
  readonly memory = new InMemoryChatMemoryRepository();
}

type StoreName = keyof Stores;

/** The stores as one process reaches them. */
class Process {
  readonly journal = this.#reach('journal', new InMemoryTurnJournal());
  readonly log = this.#reach('log', new InMemoryTurnEventLog());
  readonly memory = this.#reach('memory', new InMemoryChatMemoryRepository());
  readonly done: string[] = [];
  goOn: () => void = () => undefined;
  onFate: () => void = () => undefined;
  #stores = new Stores();
  #plan: Plan | undefined;
  #isDead = false;
  #paused: Promise<void> | undefined;

  /** A new life of the process. */
  begin(stores: Stores, plan?: Plan): void {
    this.#stores = stores;
    this.#plan = plan;
    this.#isDead = false;
    this.#paused = undefined;
    this.done.length = 0;
  }

  /** Applications are made once. What they inject leads to the stores of the turn that is tried. */
  #reach<T extends object>(name: StoreName, shape: T): T {
    return new Proxy(shape, {
      get: (target, key) => {
        const store = this.#stores[name];
        const value: unknown = Reflect.get(store, key);
        if (typeof value !== 'function' || key in Object.prototype) return Reflect.get(target, key);
        const act = (...args: unknown[]): unknown => Reflect.apply(value, store, args);
        if (key === 'stops' || key === 'changes') return act;
        return (...args: unknown[]): unknown => this.#do(`${name}.${String(key)}`, () => act(...args));
      },
    });
  }

  #do(what: string, act: () => unknown): unknown {
    if (this.#isDead) throw new Error('connection lost');
    if (this.#paused) return this.#paused.then(act);
    this.done.push(what);
    const { at, fate } = this.#plan ?? {};
    if (this.done.length !== at) return act();
    if (fate === 'dies after it, without an answer') act();
    if (fate?.startsWith('dies')) {
      this.#isDead = true;
      this.onFate();
      throw new Error('connection lost');
    }
    const answered = fate === 'is paused before it' ? undefined : act();
    const paused = new Promise<void>((resolve) => (this.goOn = resolve));
    this.#paused = paused;
    this.onFate();
    return paused.then(() => {
      this.#paused = undefined;
      return fate === 'is paused before it' ? act() : answered;
    });
  }
}

describe.each([false, true])('a turn with a tool that needs approval: %s', (needsApproval) => {
  const [first, second, web] = [new Process(), new Process(), new Process()];
  const replicas = new Map<Process, Replica>();
  let now: jest.SpiedFunction<typeof Date.now> | undefined;

  beforeAll(async () => {
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    for (const [name, process] of Object.entries({ a: first, b: second, c: web })) {
      const { journal, log, memory } = process;
      const providers = [{ provide: ChatMemoryRepository, useValue: memory }];
      const options = {
        journal,
        log,
        providers,
        script: scriptOf(name),
        isWorker: false,
        needsApproval,
        turnLease: LEASE,
      };
      const replica = await startReplica(options);
      replica.archive.open();
      replicas.set(process, replica);
    }
  });
  afterEach(() => now?.mockRestore());
  afterAll(async () => {
    for (const { app } of replicas.values()) await app.close();
    jest.restoreAllMocks();
  });

  const client = (): ChatClient => replicas.get(web)!.app.get(ChatClient);

  const ask = (): Promise<string> => client().prompt('Look').conversation('c').request(ANN).enqueue();

  async function approve(turnId: string): Promise<void> {
    const approvals = [{ toolCallId: 'c1', approved: true }];
    await client().prompt().conversation('c').request(ANN).toolApprovals(approvals, { turnId }).enqueue();
  }

  async function run(process: Process, id: string): Promise<void> {
    const { app, streams } = replicas.get(process)!;
    const prepared = await app.get(TurnRunner).prepare(id);
    if (prepared.next === 'run') await streams.record(prepared.turn, prepared.request);
  }

  /** Runs the turn up to the operation of a plan, or to its end. */
  async function runTo(process: Process, stores: Stores, id: string, plan: Plan) {
    process.begin(stores, plan);
    let running!: Promise<void>;
    const isReached = await new Promise<boolean>((resolve) => {
      process.onFate = () => resolve(true);
      running = run(process, id).catch(() => undefined);
      void running.then(() => resolve(false));
    });
    return { isReached, running };
  }

  /** Lets the leases pass that processes have. */
  function passLeases(): void {
    const later = Date.now() + LEASE + 1;
    now?.mockRestore();
    now = jest.spyOn(Date, 'now').mockReturnValue(later);
  }

  /** Lets the first process meet its fate, and the second one finish what it did. */
  async function meet(stores: Stores, id: string, plan: Plan): Promise<boolean> {
    const { isReached, running } = await runTo(first, stores, id, plan);
    const goesOn = (): boolean => ['queued', 'running', 'failed'].includes(stores.journal.read(id)!.status);
    if (plan.fate.startsWith('dies')) await running;
    passLeases();
    for (let tries = 0; goesOn() && tries < 3; tries++) await run(second, id).catch(() => undefined);
    const before = snapshotOf(stores, id);
    first.goOn();
    await running;
    const how = `${plan.at}: ${first.done.join(', ')}`;
    // If the turn had ended, the first process may still say so.
    const isTaken = second.done.some((operation) => /save|append|update/.test(operation));
    if (isTaken) expect({ how, ...snapshotOf(stores, id) }).toEqual({ how, ...before });
    return isReached;
  }

  const snapshotOf = ({ journal, log, memory }: Stores, id: string) => ({
    kinds: journal.read(id)!.entries.map(({ kind }) => kind),
    events: log.read(id, 0)?.map(({ data }) => data),
    said: memory.findByConversationId('c').map(({ role }) => role),
  });

  async function liveThrough(fate: Fate, at: number): Promise<boolean> {
    const stores = new Stores();
    for (const process of [second, web]) process.begin(stores);
    const id = await ask();
    let wasReached = await meet(stores, id, { fate, at });
    if (needsApproval) {
      expect(stores.journal.read(id)!.status).toBe('suspended');
      const steps = first.done.length;
      await approve(id);
      if (!wasReached) wasReached = await meet(stores, id, { fate, at: at - steps });
      else await run(second, id);
    }
    await expectEnded(stores, id, `${fate}: ${first.done.join(', ')}`);
    return wasReached;
  }

  /** @returns the text that readers have seen */
  async function expectEnded(stores: Stores, id: string, how: string): Promise<string> {
    const events = await firstValueFrom(replicas.get(web)!.streams.events(id).pipe(toArray()));
    const valid = validOf(events).map(({ event }) => event);
    const text = valid.flatMap((event) => (event.type === 'text' ? event.text : [])).join('');
    expect({
      how,
      status: stores.journal.read(id)!.status,
      said: stores.memory.findByConversationId('c').map(({ role }) => role),
      text: withoutName(text),
      calls: new Set(valid.flatMap((event) => (event.type === 'tool-call' ? event.toolCall.id : []))).size,
      last: valid.at(-1)!.type,
      numbers: events.map(({ number }) => number),
    }).toEqual({
      how,
      status: 'ended',
      said: ['user', 'assistant'],
      text: 'Let me look.It is there.',
      calls: 1,
      last: 'finish',
      numbers: events.map((_, index) => index + 1),
    });
    return text;
  }

  it.each(FATES)('is finished by another process, and once, if the first one %s, whichever operation', async (fate) => {
    let at = 1;
    await withoutWaiting(async () => {
      while (await liveThrough(fate, at)) at++;
    });
    expect(at).toBeGreaterThan(10);
  });

  /** The first process goes on at an operation of the second one, which has taken its turn over. */
  async function passBy(plan: Plan, other: Plan): Promise<{ first: boolean; second: boolean }> {
    const stores = new Stores();
    for (const process of [first, web]) process.begin(stores);
    const id = await ask();
    if (needsApproval) {
      await run(first, id);
      await approve(id);
    }
    const earlier = await runTo(first, stores, id, plan);
    passLeases();
    const later = await runTo(second, stores, id, other);
    const [before, after] = [first.done.join(', '), second.done.join(', ')];
    first.goOn();
    await earlier.running;
    second.goOn();
    await later.running;
    // A process that has lost the turn fails. A third one ends the turn if neither has.
    passLeases();
    web.begin(stores);
    if (stores.journal.read(id)!.status !== 'ended') await run(web, id);
    const how = `${plan.at}: ${before} / ${other.at}: ${after}`;
    const text = await expectEnded(stores, id, how);
    // What readers see, the conversation and the journal have.
    const said = Reflect.get(stores.memory.findByConversationId('c').at(-1)!, 'text') as unknown;
    const answer = stores.journal.read(id)!.entries.findLast((entry) => entry.kind === 'answered');
    expect({ how, said, kept: answer?.messages.at(-1)!.text, text: text.replace('Let me look.', '') }).toEqual({
      how,
      said,
      kept: said,
      text: said,
    });
    return { first: earlier.isReached, second: later.isReached };
  }

  it.each(PAUSES)('is finished once if the first one %s, and goes on at any operation of another one', async (fate) => {
    let tried = 0;
    await withoutWaiting(async () => {
      for (let at = 1, isReached = true; isReached; at++) {
        for (let other = 1, goesOn = true; goesOn; other++, tried++) {
          const reached = await passBy({ at, fate }, { at: other, fate: 'is paused before it' });
          isReached = reached.first;
          goesOn = reached.first && reached.second;
        }
      }
    });
    expect(tried).toBeGreaterThan(100);
  });
});
