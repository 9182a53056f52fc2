import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { type CallHandler, Injectable, RequestTimeoutException } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { map, merge, mergeAll, Subject, take } from 'rxjs';
import {
  AroundAdvisor,
  type ChatClientRequest,
  type ChatClientResponse,
  ChatMemory,
  type NextHandler,
  Ordered,
  RegisterAdvisor,
  type TurnEntry,
} from '@nestor-ai/core';
import { toolCall } from '@nestor-ai/testing';
import { AiTurnsModule, InMemoryTurnEventLog, InMemoryTurnJournal, TurnRunner, TurnStreams } from '@nestor-ai/turns';
import { until } from '../until.js';
import { readEvents, type Replica, type ReplicaOptions, startReplica, textOf } from './streaming-replica.js';

const replicas: Replica[] = [];

afterEach(async () => {
  for (const { app } of replicas.splice(0)) await app.close();
});

async function start(options?: ReplicaOptions): Promise<Replica> {
  const replica = await startReplica(options);
  replicas.push(replica);
  return replica;
}

/** Sends each request twice, around the loop. */
@Injectable()
@RegisterAdvisor()
class Twice extends AroundAdvisor {
  readonly name = 'Twice';
  override readonly order = Ordered.HIGHEST_PRECEDENCE + 100;

  async around(request: ChatClientRequest, next: NextHandler): Promise<ChatClientResponse> {
    await next.handle(request);
    // The first text is in the log.
    await sleep(100);
    return next.handle(request);
  }
}

const isCall = ({ type }: { type: string }): boolean => type === 'tool-call';

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('the events of a turn on %s', (_name, createAdapter) => {
  it('are read again from where a reader has lost its connection', async () => {
    const replica = await start({ adapter: createAdapter() });
    const id = await replica.ask();
    const first = await readEvents(replica, id, { until: isCall });
    expect(textOf(first)).toBe('Let me look.');
    replica.archive.open();
    const rest = await readEvents(replica, id, { after: first.at(-1)!.id });
    expect(textOf(rest)).toBe('It is there.');
    expect(rest.at(-1)).toMatchObject({ type: 'finish', data: { finishReason: 'stop' } });
    const numbers = [...first, ...rest].map((event) => event.id);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(await readEvents(replica, id)).toEqual([...first, ...rest]);
  });

  it('are not sent again to a reader that has all: EventSource ends with 204', async () => {
    const replica = await start({ adapter: createAdapter(), script: ['Hello.'] });
    const id = await replica.ask();
    const all = await readEvents(replica, id);
    const again = await replica.send(`turns/${id}/events`, { headers: { 'last-event-id': `${all.at(-1)!.id}` } });
    expect(again.status).toBe(204);
  });

  it('go on without a reader', async () => {
    const replica = await start({ adapter: createAdapter() });
    const id = await replica.ask();
    await readEvents(replica, id, { until: isCall });
    await sleep(50);
    replica.archive.open();
    await Promise.all(replica.queue.runs);
    expect(replica.archive.aborted).toBe(0);
    expect((await replica.journal.read(id))?.status).toBe('ended');
  });

  it('reach many readers, each of which sees each event once', async () => {
    const replica = await start({ adapter: createAdapter() });
    const id = await replica.ask();
    const readers = Array.from({ length: 20 }, () => readEvents(replica, id));
    await readEvents(replica, id, { until: isCall });
    replica.archive.open();
    const [first, ...others] = await Promise.all(readers);
    expect(first!.map((event) => event.id)).toEqual(first!.map((_, index) => index + 1));
    for (const other of others) expect(other).toEqual(first);
  });

  it.each([
    ['Last-Event-ID that is no number', { 'last-event-id': 'abc' }, 400],
    ['negative Last-Event-ID', { 'last-event-id': '-1' }, 400],
    ['huge Last-Event-ID', { 'last-event-id': '99999999999999999999' }, 400],
    ['empty Last-Event-ID', { 'last-event-id': '' }, 200],
  ])('with a %s', async (_what, headers, status) => {
    const replica = await start({ adapter: createAdapter(), script: ['Hello.'] });
    const id = await replica.ask();
    expect((await replica.send(`turns/${id}/events`, { headers })).status).toBe(status);
  });

  it('with an id that no turn has', async () => {
    const replica = await start({ adapter: createAdapter() });
    // Fastify has a limit of its own for parameters.
    expect([400, 414]).toContain((await replica.send(`turns/${'x'.repeat(201)}/events`)).status);
    expect((await replica.send('turns/unknown/events')).status).toBe(404);
  });

  it('are hidden from others as if the turn did not exist', async () => {
    const replica = await start({ adapter: createAdapter() });
    const id = await replica.ask();
    const answers = async (turnId: string, user: string) =>
      Promise.all(
        [
          ['GET', `turns/${turnId}/events`],
          ['GET', `turns/${turnId}/stream`],
          ['DELETE', `turns/${turnId}`],
        ].map(async ([method, path]) => {
          const response = await replica.send(path!, { method: method!, user });
          return { status: response.status, body: await response.text() };
        }),
      );
    const foreign = await answers(id, 'bob');
    expect(foreign).toEqual(await answers('unknown', 'bob'));
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await replica.send('turns/conversations/c/stream', { user: 'bob' })).status).toBe(204);
    replica.archive.open();
  });

  it('go on when a global interceptor limits how long a handler takes', async () => {
    const limit = new Subject<void>();
    const limited = {
      intercept: (_context: unknown, next: CallHandler) => {
        const late = limit.pipe(
          map(() => Promise.reject(new RequestTimeoutException())),
          mergeAll(),
        );
        return merge(next.handle(), late).pipe(take(1));
      },
    };
    const replica = await start({
      adapter: createAdapter(),
      providers: [{ provide: APP_INTERCEPTOR, useValue: limited }],
    });
    const id = await replica.ask();
    const reading = readEvents(replica, id);
    const page = replica.send(`turns/${id}/stream`).then((response) => response.text());
    await readEvents(replica, id, { until: isCall });
    limit.next();
    await sleep(50);
    replica.archive.open();
    expect((await reading).at(-1)).toMatchObject({ type: 'finish', data: { finishReason: 'stop' } });
    expect(await page).toMatch(/It is there.*\[DONE\]\n\n$/s);
  });

  it('end when the application shuts down', async () => {
    const replica = await start({ adapter: createAdapter(), isWorker: false });
    const id = await replica.ask();
    const response = await replica.send(`turns/${id}/events`);
    replicas.splice(0);
    const closing = replica.app.close();
    expect(await response.text()).toBe('');
    await closing;
  });

  it('end when the log deletes the turn', async () => {
    const log = new InMemoryTurnEventLog();
    const read = log.read.bind(log);
    let isDeleted = false;
    log.read = (...args) => (isDeleted ? undefined : read(...args));
    const replica = await start({ adapter: createAdapter(), log });
    const id = await replica.ask();
    const events = await readEvents(replica, id, {
      until: (event) => {
        isDeleted ||= isCall(event);
        return false;
      },
    });
    expect(textOf(events)).toBe('Let me look.');
    expect(events.some(({ type }) => type === 'finish')).toBe(false);
    replica.archive.open();
  });
});

describe('a turn', () => {
  it('is stopped by its user', async () => {
    const replica = await start();
    const id = await replica.ask();
    await readEvents(replica, id, { until: isCall });
    expect((await replica.send(`turns/${id}`, { method: 'DELETE' })).status).toBe(204);
    const events = await readEvents(replica, id);
    expect(events.at(-1)).toMatchObject({ type: 'finish', data: { finishReason: 'stopped' } });
    expect(replica.archive.aborted).toBe(1);
    expect((await replica.journal.read(id))?.status).toBe('ended');
    expect((await replica.send(`turns/${id}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('is stopped before a worker takes it', async () => {
    const replica = await start({ isWorker: false });
    const id = await replica.ask();
    await replica.send(`turns/${id}`, { method: 'DELETE' });
    expect((await readEvents(replica, id)).map(({ type }) => type)).toEqual(['finish']);
    expect((await replica.journal.read(id))?.status).toBe('ended');
  });

  it('fails with a text for users, and the details stay inside', async () => {
    const replica = await start({ script: [{ error: new Error('secret of the provider') }] });
    const id = await replica.ask();
    expect(await readEvents(replica, id)).toEqual([
      { id: 1, type: 'error', data: { message: 'The answer could not be completed.' } },
    ]);
  });

  it('has all events from a worker that was slow until another one had it and died', async () => {
    const [journal, log] = [new InMemoryTurnJournal(), new InMemoryTurnEventLog()];
    const replica = await start({ journal, log, isWorker: false, script: ['It is there.'] });
    const id = await replica.ask();
    const facts = { status: 'running', client: 'default', pendingCallIds: [], conversationId: 'c' } as const;
    const context = { [ChatMemory.CONVERSATION_ID]: 'c' };
    const begun = { kind: 'begun', messages: [{ role: 'user', text: 'Look' }], options: {}, context } as const;
    journal.append({ turnId: id, entries: [begun], after: 1, owner: 'first', facts: { ...facts, requester: 'ann' } });
    const slow = await replica.app.get(TurnRunner).prepare(id);
    const claimed = { turnId: id, entries: [{ kind: 'claimed' }], after: 2, owner: 'dead', lease: 1 } as const;
    journal.append({ ...claimed, facts: { ...facts, requester: 'ann' } });
    log.append(id, 0, [JSON.stringify({ type: 'text', text: 'It ' })], 3);
    await until(() => journal.read(id)!.lapsedOwner === 'dead');
    if (slow.next === 'run') await replica.streams.record(slow.turn, slow.request);
    expect((await readEvents(replica, id)).map(({ type, data }) => data['text'] ?? type)).toEqual([
      'It ',
      'restart',
      'It is there.',
      'finish',
    ]);
    expect(journal.read(id)!.entries.map(({ kind }) => kind)).toEqual([
      'queued',
      'begun',
      'claimed',
      'claimed',
      'answered',
      'ended',
    ]);
  });

  it('asks its question, too, if such a worker does not know whether a call has run', async () => {
    const [journal, log] = [new InMemoryTurnJournal(), new InMemoryTurnEventLog()];
    const replica = await start({ journal, log, isWorker: false, script: [] });
    const facts = { status: 'running', client: 'default', pendingCallIds: ['c1'] } as const;
    const call = toolCall('pay', {}, 'c1');
    const messages = [{ role: 'assistant', text: '', toolCalls: [call] }];
    const answered = { kind: 'answered', from: 0, messages, response: { metadata: {} }, round: 0, usageByRound: [] };
    const begun = { kind: 'begun', messages: [], options: {}, context: {} };
    const turnId = 't';
    journal.append({ turnId, entries: [begun, answered] as readonly TurnEntry[], after: 0, owner: 'first', facts });
    const slow = await replica.app.get(TurnRunner).prepare(turnId);
    const entries = [{ kind: 'claimed' }, { kind: 'call-began', call }] as const;
    journal.append({ turnId, entries, after: 2, owner: 'dead', lease: 1, facts });
    log.append(turnId, 0, [JSON.stringify({ type: 'text', text: 'It ' })], 3);
    await until(() => journal.read(turnId)!.lapsedOwner === 'dead');
    if (slow.next === 'run')
      await expect(replica.streams.record(slow.turn, slow.request)).rejects.toThrow('may have run');
    expect(JSON.parse(log.read(turnId, 0)!.at(-1)!.data)).toMatchObject({
      type: 'finish',
      pendingApprovals: [{ id: 'c1' }],
    });
  });

  it('has all events of a request that an advisor around the loop sends twice', async () => {
    const replica = await start({ script: ['First. ', 'Second.'], providers: [Twice] });
    const events = await readEvents(replica, await replica.ask());
    expect(events.map(({ type, data }) => data['text'] ?? type)).toEqual(['First. ', 'Second.', 'finish']);
  });

  it('without a known user is hidden from all', async () => {
    const replica = await start({ script: ['Hello.'] });
    const answer = await fetch(`${replica.url}/chat`, { method: 'POST' });
    const { id } = (await answer.json()) as { id: string };
    await Promise.all(replica.queue.runs);
    for (const path of [`turns/${id}/events`, `turns/${id}/stream`])
      expect((await fetch(`${replica.url}/${path}`)).status).toBe(404);
  });
});

describe('an application', () => {
  it('without AiTurnsModule has no routes', async () => {
    const replica = await start({ hasRoutes: false, script: ['Hello.'] });
    const id = await replica.ask();
    for (const path of [`turns/${id}/events`, `turns/${id}/stream`, 'turns/conversations/c/stream'])
      expect((await replica.send(path)).status).toBe(404);
    expect((await replica.send(`turns/${id}`, { method: 'DELETE' })).status).toBe(404);
    await Promise.all(replica.queue.runs);
    expect((await replica.journal.read(id))?.status).toBe('ended');
  });

  it('without AiUiModule has the events of its turns, and says what useChat() needs', async () => {
    const replica = await start({ hasUi: false, script: ['Hello.'] });
    const id = await replica.ask();
    expect((await replica.send(`turns/${id}/events`)).status).toBe(200);
    const refused = await replica.send(`turns/${id}/stream`);
    expect(refused.status).toBe(501);
    expect(await refused.text()).toContain('This route needs AiUiModule of @nestor-ai/ui. Import it.');
    expect((await replica.send(`turns/${id}/stream`, { user: 'bob' })).status).toBe(404);
  });

  it('with AiTurnsModule but no log does not start', async () => {
    const starting = startReplica({ stores: { imports: [], providers: [] } });
    await expect(starting).rejects.toThrow('AiTurnsModule needs a TurnJournal.');
  });

  it('with AiTurnsModule but no AiModule does not start', async () => {
    const compiling = Test.createTestingModule({ imports: [AiTurnsModule.forRoot()] }).compile();
    await expect(compiling).rejects.toThrow('AiTurnsModule needs AiModule. Import AiModule.forRoot()');
  });

  it('reads events in code, too', async () => {
    const replica = await start({ script: ['Hello.'] });
    const id = await replica.ask();
    const types: string[] = [];
    await replica.app
      .get(TurnStreams)
      .events(id)
      .forEach(({ event }) => types.push(event.type));
    expect(types.at(-1)).toBe('finish');
  });
});
