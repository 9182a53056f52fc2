import { describe, expect, it } from '@jest/globals';
import { withoutWaiting } from '../../../../test/fake-timeouts.js';
import { InMemoryTurnEventLog } from './in-memory-turn-event-log.js';
import type { NumberedTurnEvent } from './turn-event-log.js';
import type { TurnEnd } from './turn-ends.js';
import { TurnEventReader } from './turn-event-reader.js';

const FINISH = JSON.stringify({ type: 'finish' });
const text = (value: string): string => JSON.stringify({ type: 'text', text: value, round: 0 });
const endsWith = (end: TurnEnd | undefined): Parameters<typeof TurnEventReader.open>[3] => ({
  find: async () => end,
  signed: async (_turnId, event) => event,
});
const isRunning = endsWith(undefined);
const isOver = endsWith({ age: 60_000, toEvent: () => ({ type: 'finish' }) });

/** A log that returns at most two events at once, gives no hints, and fails as often as a test wants. */
class PoorLog extends InMemoryTurnEventLog {
  failures = 0;

  override read(turnId: string, after: number): readonly NumberedTurnEvent[] | undefined {
    if (this.failures-- > 0) throw new Error('connection lost');
    return super.read(turnId, after)?.slice(0, 2);
  }
}

async function numbersOf(reader: TurnEventReader, signal = new AbortController().signal): Promise<number[]> {
  const numbers: number[] = [];
  for await (const batch of reader.batches(signal)) numbers.push(...batch.map(({ number }) => number));
  return numbers;
}

function logOf(...events: string[]): PoorLog {
  const log = new PoorLog();
  log.append('t', 0, events);
  return log;
}

describe('TurnEventReader', () => {
  it.each([
    [0, [1, 2, 3, 4, 5]],
    [1, [2, 3, 4, 5]],
    [4, [5]],
    [5, []],
    [99, [1, 2, 3, 4, 5]],
    [6, [1, 2, 3, 4, 5]],
  ])('after %d gives %j, from a log that gives only some at once', async (after, numbers) => {
    const log = logOf(text('a'), text('b'), text('c'), text('d'), FINISH);
    const reader = await TurnEventReader.open(log, 't', after, isOver);
    expect(reader.hasEnded).toBe(numbers.length === 0);
    expect(await numbersOf(reader)).toEqual(numbers);
  });

  it('ends at once for a turn that is over, but has no events (any more)', async () => {
    const reader = await TurnEventReader.open(new PoorLog(), 't', 7, isOver);
    expect(reader.hasEnded).toBe(true);
    expect(await numbersOf(reader)).toEqual([]);
  });

  it('ends the log of a turn whose process died before it could, once for all readers', async () => {
    const log = logOf(text('a'));
    const readers = await Promise.all([0, 0, 1].map((after) => TurnEventReader.open(log, 't', after, isOver)));
    const numbers = withoutWaiting(() => Promise.all(readers.map((reader) => numbersOf(reader))));
    expect(await numbers).toEqual([[1, 2], [1, 2], [2]]);
  });

  it('waits for the first event of a turn that has none yet', async () => {
    const log = new PoorLog();
    const reader = await TurnEventReader.open(log, 't', 0, isRunning);
    const leaving = new AbortController();
    const reading = numbersOf(reader, leaving.signal);
    log.append('t', 0, [text('a')]);
    for await (const batch of (await TurnEventReader.open(log, 't', 0, isRunning)).batches(leaving.signal)) {
      expect(batch).toHaveLength(1);
      break;
    }
    leaving.abort();
    expect(await reading).toEqual([1]);
  });

  it('survives some failures of the log, and reports those that go on', async () => {
    const log = logOf(text('a'), text('b'), text('c'), FINISH);
    const some = await TurnEventReader.open(log, 't', 0, isOver);
    log.failures = 2;
    expect(await withoutWaiting(() => numbersOf(some))).toEqual([1, 2, 3, 4]);
    const many = await TurnEventReader.open(log, 't', 0, isOver);
    log.failures = Infinity;
    await expect(withoutWaiting(() => numbersOf(many))).rejects.toThrow('connection lost');
  });

  it('stops listening when its reader leaves', async () => {
    const log = logOf(text('a'));
    let listeners = 0;
    const changes = log.changes.bind(log);
    log.changes = (turnId) => {
      listeners++;
      const source = changes(turnId);
      const { subscribe } = source;
      source.subscribe = ((...args: Parameters<typeof subscribe>) => {
        const subscription = subscribe.apply(source, args);
        subscription.add(() => listeners--);
        return subscription;
      }) as typeof subscribe;
      return source;
    };
    const reader = await TurnEventReader.open(log, 't', 0, isRunning);
    for await (const _batch of reader.batches(new AbortController().signal)) {
      expect(listeners).toBe(1);
      break;
    }
    expect(listeners).toBe(0);
  });
});
