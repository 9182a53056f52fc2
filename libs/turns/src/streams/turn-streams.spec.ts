import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { concat, defer, firstValueFrom, type Observable, of, Subject, take, throwError, toArray } from 'rxjs';
import {
  ApprovalTokens,
  type ChatClientEvent,
  ToolApprovalException,
  type TurnEntry,
  type TurnStatus,
} from '@nestor-ai/core';
import { inNoTime, useFakeTimeouts, useRealTimeouts, withoutWaiting } from '../../../../test/fake-timeouts.js';
import { InMemoryTurnEventLog } from './in-memory-turn-event-log.js';
import { InMemoryTurnJournal } from '../journal/in-memory-turn-journal.js';
import type { TurnEventLog } from './turn-event-log.js';
import type { JournaledTurn } from '../journal/journaled-turn.js';
import type { TurnStreamFormat } from './turn-stream-format.js';
import { type RecordedRequest, TurnStreams } from './turn-streams.js';

const CALL = { id: 'c1', name: 'pay', arguments: '{}' };
const BEGUN: TurnEntry = { kind: 'begun', messages: [{ role: 'user', text: 'Pay' }], options: {}, context: {} };
const ASKED: TurnEntry = {
  kind: 'answered',
  from: 1,
  messages: [{ role: 'assistant', text: '', toolCalls: [CALL] }],
  response: { metadata: {} },
  round: 0,
  usageByRound: [],
};
const SUSPENDED: TurnEntry = {
  kind: 'suspended',
  from: 1,
  messages: [{ role: 'assistant', text: '', toolCalls: [CALL] }],
  pending: [CALL],
  context: {},
};
const FINISH: ChatClientEvent = { type: 'finish', finishReason: 'stop' };

const text = (value: string, round = 0): ChatClientEvent => ({ type: 'text', text: value, round });
const called: ChatClientEvent = { type: 'tool-call', toolCall: CALL };
const answered: ChatClientEvent = {
  type: 'tool-result',
  toolCall: CALL,
  result: 'done',
  response: { id: 'c1', name: 'pay', responseData: 'done' },
};

/** A request with these events. */
const asking = (events: Observable<ChatClientEvent>): RecordedRequest => ({ stream: () => ({ events: () => events }) });

/** A turn in a journal, and streams that share a log. */
class Scene {
  readonly journal = new InMemoryTurnJournal();
  readonly streams: TurnStreams;
  #entries: TurnEntry[] = [];

  constructor(
    readonly log = new InMemoryTurnEventLog(),
    tokens?: ApprovalTokens,
  ) {
    this.streams = new TurnStreams(log, this.journal, { tokens, redactor: undefined });
  }

  /** Adds entries to the turn, and returns it as a worker gets it. */
  turn(status: TurnStatus, ...entries: TurnEntry[]): JournaledTurn {
    const facts = { status, requester: 'ann', pendingCallIds: [] };
    this.journal.append({ turnId: 't', entries, after: this.#entries.length, owner: 'w', facts });
    this.#entries = [...this.#entries, ...entries];
    return this.journal.read('t')!;
  }

  end(): void {
    this.turn('ended', { kind: 'ended' });
  }

  async all(after = 0): Promise<readonly object[]> {
    return firstValueFrom(this.streams.events('t', { after }).pipe(toArray()));
  }
}

const shown = (events: readonly object[]): readonly unknown[] =>
  events.map((numbered) => {
    const { number, event } = numbered as { number: number; event: Record<string, unknown> };
    return [number, event['type'], event['text'] ?? event['after'] ?? event['finishReason'] ?? null];
  });

describe('TurnStreams', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  afterEach(() => {
    useRealTimeouts();
    warn.mockClear();
  });

  it('logs what a browser may see, and pieces of text as one', async () => {
    const scene = new Scene();
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, native: { key: 'secret' } };
    const turn = scene.turn('running', BEGUN);
    const events = of<ChatClientEvent[]>(
      text('Hel'),
      text('lo'),
      called,
      answered,
      text('Bye', 1),
      { type: 'usage', usage },
      FINISH,
    );
    await scene.streams.record(turn, asking(events));
    scene.end();
    const all = await scene.all();
    expect(shown(all)).toEqual([
      [1, 'text', 'Hello'],
      [2, 'tool-call', null],
      [3, 'tool-result', null],
      [4, 'text', 'Bye'],
      [5, 'usage', null],
      [6, 'finish', 'stop'],
    ]);
    expect(JSON.stringify(all)).not.toContain('secret');
    expect(all[2]).toHaveProperty('event.result', 'done');
  });

  it('does not wait for a slow log', async () => {
    const log = new InMemoryTurnEventLog();
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const append = log.append.bind(log);
    Object.assign(log, { append: async (...args: Parameters<typeof append>) => slow.then(() => append(...args)) });
    const scene = new Scene(log);
    const source = new Subject<ChatClientEvent>();
    const seen: string[] = [];
    source.subscribe(({ type }) => seen.push(type));
    const recording = scene.streams.record(scene.turn('running', BEGUN), asking(source));
    for (let i = 0; i < 1000; i++) source.next(called);
    expect(seen).toHaveLength(1000);
    source.next(FINISH);
    source.complete();
    release();
    await recording;
    scene.end();
    expect(await scene.all()).toHaveLength(1001);
  });

  it('does not double events of an append that has failed after it stored them', async () => {
    const log = new InMemoryTurnEventLog();
    const append = log.append.bind(log);
    let calls = 0;
    Object.assign(log, {
      append: (...args: Parameters<typeof append>) => {
        const stored = append(...args);
        if (++calls % 2 === 1) throw new Error('connection lost');
        return stored;
      },
    });
    const scene = new Scene(log);
    const source = new Subject<ChatClientEvent>();
    const recording = scene.streams.record(scene.turn('running', BEGUN), asking(source));
    source.next(text('a'));
    await firstValueFrom(scene.streams.events('t').pipe(take(1)));
    source.next(called);
    source.next(FINISH);
    source.complete();
    await recording;
    scene.end();
    expect(shown(await scene.all()).map((event) => (event as unknown[])[1])).toEqual(['text', 'tool-call', 'finish']);
  });

  it('waits for a log that is down for a while before the journal records the end', async () => {
    const log = new InMemoryTurnEventLog();
    const append = log.append.bind(log);
    let failures = 4;
    Object.assign(log, {
      append: (...args: Parameters<typeof append>) => {
        if (failures-- > 0) throw new Error('the server restarts');
        return append(...args);
      },
    });
    const scene = new Scene(log);
    const loggedAtEnd: unknown[] = [];
    const request: RecordedRequest = {
      stream: () => ({
        events: ({ beforeEnd }) =>
          concat(
            of(text('Paid.')),
            defer(async () => {
              await beforeEnd!();
              loggedAtEnd.push(...(log.read('t', 0) ?? []).map(({ data }): unknown => JSON.parse(data)));
              scene.end();
              return FINISH;
            }),
          ),
      }),
    };
    await withoutWaiting(() => scene.streams.record(scene.turn('running', BEGUN), request));
    expect(loggedAtEnd).toEqual([{ type: 'text', text: 'Paid.', round: 0 }]);
  });

  it('goes on without a log that fails for good, and warns once', async () => {
    const log = new InMemoryTurnEventLog();
    Object.assign(log, {
      append: () => {
        throw new Error('no disk');
      },
    });
    const scene = new Scene(log);
    const events = Array.from({ length: 30 }, (_, round) => text('x'.repeat(1_000_000), round));
    await scene.streams.record(scene.turn('running', BEGUN), asking(of(...events, FINISH)));
    expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
      "The rest of the turn 't' is not in the TurnEventLog (too many events wait for it). The turn goes on. Check the store of the log.",
    ]);
  });

  it('says which events are void when another process continues the turn, and refuses those of the first', async () => {
    const scene = new Scene();
    const dead = new Subject<ChatClientEvent>();
    const recording = scene.streams.record(scene.turn('running', BEGUN), asking(dead));
    for (const event of [text('Let me look.'), called, answered, text('Half an', 1)]) dead.next(event);
    await firstValueFrom(scene.streams.events('t').pipe(take(4)));
    const turn = scene.turn('running', ASKED);
    await scene.streams.record(turn, asking(of(text('The whole answer', 1), FINISH)));
    dead.next(text(' answer', 1));
    dead.next(FINISH);
    dead.complete();
    await recording;
    scene.end();
    const all = await scene.all();
    expect(shown(all)).toEqual([
      [1, 'text', 'Let me look.'],
      [2, 'tool-call', null],
      [3, 'tool-result', null],
      [4, 'text', 'Half an'],
      [5, 'restart', 3],
      [6, 'text', 'The whole answer'],
      [7, 'finish', 'stop'],
    ]);
  });

  it.each<[string, Error]>([
    ['fails while the log is down', new Error('The store did not answer')],
    ['has lost its turn', new ToolApprovalException('Another request has the turn.', 'conflict')],
  ])('logs nothing any more of a request that %s, when the next one goes on', async (_name, failure) => {
    const scene = new Scene();
    let isDown = true;
    const { log } = scene;
    const broken: TurnEventLog = {
      append: (...args) => {
        if (isDown) throw new Error('the server restarts');
        return log.append(...args);
      },
      read: (...args) => log.read(...args),
      changes: (id) => log.changes(id),
      requestStop: (id) => log.requestStop(id),
      stops: (id) => log.stops(id),
    };
    const failing = new Subject<ChatClientEvent>();
    useFakeTimeouts();
    const first = new TurnStreams(broken, scene.journal).record(scene.turn('running', BEGUN), asking(failing), {
      isFinal: () => false,
    });
    failing.next(text('Half'));
    await jest.advanceTimersByTimeAsync(100);
    failing.error(failure);
    await expect(inNoTime(first)).rejects.toThrow(failure.message);
    isDown = false;
    await inNoTime(scene.streams.record(scene.journal.read('t')!, asking(of(text('Whole'), FINISH))));
    scene.end();
    // Longer than the first request would wait before its next attempt.
    await jest.advanceTimersByTimeAsync(1100);
    expect(shown(await inNoTime(scene.all()))).toEqual([
      [1, 'text', 'Whole'],
      [2, 'finish', 'stop'],
    ]);
  });

  it('lets readers wait for the next attempt if an error is not final', async () => {
    const scene = new Scene();
    const failing = new Subject<ChatClientEvent>();
    const reading = scene.all();
    const first = scene.streams.record(scene.turn('running', BEGUN), asking(failing), { isFinal: () => false });
    failing.next(text('Half'));
    failing.error(new Error('The model is down'));
    await expect(first).rejects.toThrow('The model is down');
    await scene.streams.record(scene.journal.read('t')!, asking(of(text('Whole'), FINISH)));
    scene.end();
    expect(shown(await reading)).toEqual([
      [1, 'text', 'Half'],
      [2, 'restart', 0],
      [3, 'text', 'Whole'],
      [4, 'finish', 'stop'],
    ]);
  });

  it('tells readers of an error, without its text', async () => {
    const scene = new Scene();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const failed = scene.streams.record(scene.turn('running', BEGUN), asking(throwError(() => new Error('secret'))));
    await expect(failed).rejects.toThrow('secret');
    scene.turn('failed', { kind: 'failed', errorType: 'Error' });
    expect(await scene.all()).toEqual([
      { number: 1, event: { type: 'error', message: 'The answer could not be completed.' } },
    ]);
    error.mockRestore();
  });

  it('reads on when a turn that waited for a decision continues', async () => {
    const scene = new Scene();
    const waits: ChatClientEvent = { type: 'finish', finishReason: 'toolApprovalRequired', pendingApprovals: [CALL] };
    await scene.streams.record(scene.turn('running', BEGUN), asking(of(called, waits)));
    scene.turn('suspended', ASKED, SUSPENDED);
    expect(await scene.all(2)).toEqual([]);
    const approved = scene.turn('running', { kind: 'approved', decisions: [] });
    const reading = scene.all(2);
    await scene.streams.record(approved, asking(of(answered, text('Paid.', 1), FINISH)));
    scene.end();
    expect(shown(await reading)).toEqual([
      [3, 'tool-result', null],
      [4, 'text', 'Paid.'],
      [5, 'finish', 'stop'],
    ]);
  });

  it('shows a page what a call asks next, even if that comes before the page reads', async () => {
    const scene = new Scene();
    const waits: ChatClientEvent = { type: 'finish', finishReason: 'toolApprovalRequired', pendingApprovals: [CALL] };
    await scene.streams.record(scene.turn('running', BEGUN), asking(of(called, waits)));
    scene.turn('suspended', ASKED, SUSPENDED);
    const approved = scene.turn('running', { kind: 'approved', decisions: [{ toolCallId: 'c1', approved: true }] });
    const form: ChatClientEvent = { ...waits, pendingApprovals: [{ ...CALL, inputRequest: { message: 'Which?' } }] };
    await scene.streams.record(approved, asking(of(form)));
    scene.turn('suspended', SUSPENDED);
    const format: TurnStreamFormat = {
      headers: {},
      async *texts(reader, _turnId, signal) {
        for await (const batch of reader.batches(signal)) yield JSON.stringify(batch);
      },
    };
    const sent = scene.streams.messages('t', format, { approvals: [{ toolCallId: 'c1' }] });
    const texts = await firstValueFrom(sent.pipe(toArray()));
    expect(texts.map(({ data }) => data).join('')).toContain('Which?');
  });

  it('signs approvals for those who read, and keeps no token in the log', async () => {
    const tokens = new ApprovalTokens({ secret: 's'.repeat(32) });
    const scene = new Scene(undefined, tokens);
    const asked: ChatClientEvent = {
      type: 'finish',
      finishReason: 'toolApprovalRequired',
      turnId: 't',
      pendingApprovals: [CALL],
      approvalTokens: tokens.signAll('t', [CALL]),
    };
    const turn = scene.turn('running', BEGUN, ASKED);
    scene.turn('suspended', SUSPENDED);
    await scene.streams.record(turn, asking(of(called, asked)));
    expect(JSON.stringify(scene.log.read('t', 0))).not.toMatch(/approvalTokens|\d\./);
    const last = (await scene.all()).at(-1) as { event: { approvalTokens: Record<string, string> } };
    expect(tokens.verify(last.event.approvalTokens['c1'], 't', CALL)).toBe('valid');
    scene.end();
    expect((await scene.all()).at(-1)).not.toHaveProperty('event.approvalTokens');
  });

  it('waits for the last events of a turn, even if the clock of the reader is ahead of the store', async () => {
    const scene = new Scene();
    const { journal, log } = scene;
    scene.turn('suspended', BEGUN, ASKED, SUSPENDED);
    log.append('t', 0, [JSON.stringify(text('Let me pay.'))]);
    const read = journal.read.bind(journal);
    let look = (): void => undefined;
    const looked = new Promise<void>((resolve) => (look = resolve));
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    journal.read = (id) => {
      look();
      return { ...read(id)!, updatedAt: anHourAgo };
    };
    useFakeTimeouts();
    const reading = scene.all();
    await inNoTime(looked);
    await new Promise(setImmediate);
    const waits: ChatClientEvent = { type: 'finish', finishReason: 'toolApprovalRequired', pendingApprovals: [CALL] };
    expect(log.append('t', 1, [JSON.stringify(waits)])).toBe(true);
    expect(await inNoTime(reading)).toEqual([expect.anything(), { number: 2, event: waits }]);
  });

  it('stops a turn that waits, but not one whose calls may have run', async () => {
    const scene = new Scene();
    scene.turn('suspended', BEGUN, ASKED, SUSPENDED);
    await scene.streams.stop('t');
    expect(scene.journal.read('t')!.status).toBe('ended');
    expect(shown(await scene.all())).toEqual([[1, 'finish', 'stopped']]);
    const uncertain = new Scene();
    uncertain.turn('suspended', BEGUN, ASKED, { kind: 'call-began', call: CALL }, SUSPENDED);
    await expect(uncertain.streams.stop('t')).rejects.toThrow('some of its calls may have run');
    expect(uncertain.journal.read('t')!.status).toBe('suspended');
  });

  it('stops a turn whose process hands it over before it can hear that', async () => {
    const scene = new Scene();
    const { journal, log } = scene;
    const facts = { requester: 'ann', pendingCallIds: [] };
    const entries = [BEGUN, ASKED];
    journal.append({ turnId: 't', entries, after: 0, owner: 'w', lease: 1e5, facts: { ...facts, status: 'running' } });
    const request = log.requestStop.bind(log);
    log.requestStop = (id) => {
      journal.append({
        turnId: 't',
        entries: [SUSPENDED],
        after: 2,
        owner: 'w',
        facts: { ...facts, status: 'suspended' },
      });
      request(id);
    };
    await scene.streams.stop('t');
    expect(journal.read('t')!.status).toBe('ended');
    expect(shown(await scene.all())).toEqual([[1, 'finish', 'stopped']]);
  });

  it('asks readers about calls that may have run, and reports no error', async () => {
    const scene = new Scene();
    const turn = scene.turn('running', BEGUN, ASKED, { kind: 'call-began', call: CALL });
    const waits = defer(() => {
      scene.turn('suspended', SUSPENDED);
      return throwError(() => new ToolApprovalException("The turn 't' waits.", 'uncertain', [CALL]));
    });
    await expect(scene.streams.record(turn, asking(waits), { isFinal: () => true })).rejects.toThrow('waits');
    expect(shown(await scene.all())).toEqual([
      [1, 'tool-call', null],
      [2, 'finish', 'toolApprovalRequired'],
    ]);
  });

  it('tells readers of a request that cannot be sent', async () => {
    const scene = new Scene();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const broken: RecordedRequest = {
      stream: () => {
        throw new Error('no model');
      },
    };
    await expect(scene.streams.record(scene.turn('queued', BEGUN), broken)).rejects.toThrow('no model');
    scene.turn('failed', { kind: 'failed', errorType: 'Error' });
    expect(shown(await scene.all())).toEqual([[1, 'error', null]]);
    error.mockRestore();
  });

  it('says what it needs', async () => {
    const streams = new TurnStreams(undefined, undefined);
    expect(streams.isEnabled).toBe(false);
    await expect(streams.stop('t')).rejects.toThrow('TurnStreams needs a TurnJournal.');
  });
});
