import { afterEach, expect, it, jest } from '@jest/globals';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { BullSettings } from '../nest/bull-settings.js';
import { BullTurnQueue } from './bull-turn.queue.js';
import { TurnSweep } from './turn.sweep.js';

const COUNT = 2500;

afterEach(() => {
  jest.restoreAllMocks();
});

it('a sweep finds all turns, however many wait', async () => {
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now');
  const journal = new InMemoryTurnJournal();
  for (let at = 0; at < COUNT; at++) {
    clock.mockReturnValue(now - 10_000 - at);
    const facts = { status: 'queued', pendingCallIds: [] } as const;
    journal.append({ turnId: `${at}`, entries: [{ kind: 'queued', request: {} }], after: 0, owner: 'web', facts });
  }
  clock.mockReturnValue(now);
  const settings = BullSettings.read({}, undefined);
  const queue = new BullTurnQueue(settings);
  const queued = new Set<string>();
  jest.spyOn(queue, 'addJob').mockImplementation(async (id) => void queued.add(id));
  await new TurnSweep(settings, queue, journal, queue).sweep();
  expect(queued.size).toBe(COUNT);
});

it('a sweep queues the oldest turn of a conversation that waits, and each that is interrupted', async () => {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now - 10_000);
  const journal = new InMemoryTurnJournal();
  for (const turnId of ['first', 'second', 'third']) {
    const facts = { status: 'queued', conversationId: 'a', pendingCallIds: [] } as const;
    journal.append({ turnId, entries: [{ kind: 'queued', request: {} }], after: 0, owner: 'web', facts });
  }
  const facts = { status: 'running', conversationId: 'a', pendingCallIds: [] } as const;
  journal.append({ turnId: 'interrupted', entries: [], after: 0, owner: 'dead', lease: 1, facts });
  jest.restoreAllMocks();
  const settings = BullSettings.read({}, undefined);
  const queue = new BullTurnQueue(settings);
  const queued: string[] = [];
  jest.spyOn(queue, 'addJob').mockImplementation(async (id) => void queued.push(id));
  await new TurnSweep(settings, queue, journal, queue).sweep();
  expect(queued.toSorted()).toEqual(['first', 'interrupted']);
});

it('a sweep leaves turns alone that are not due', async () => {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now - 10_000);
  const journal = new InMemoryTurnJournal();
  for (const [turnId, lease] of [
    ['due', 5000],
    ['later', 60_000],
  ] as const) {
    const facts = { status: 'queued', pendingCallIds: [] } as const;
    journal.append({ turnId, entries: [{ kind: 'queued', request: {} }], after: 0, owner: 'web', lease, facts });
  }
  jest.restoreAllMocks();
  const settings = BullSettings.read({}, undefined);
  const queue = new BullTurnQueue(settings);
  const queued: string[] = [];
  jest.spyOn(queue, 'addJob').mockImplementation(async (id) => void queued.push(id));
  await new TurnSweep(settings, queue, journal, queue).sweep();
  expect(queued).toEqual(['due']);
});
