import { firstValueFrom, timeout } from 'rxjs';
import type { TurnEventLog } from '@nestor-ai/turns';
import { assertEqual } from './assertions.js';
import type { ContractCase } from './chat-model-contract.js';
import { until } from './journal-checks.js';
import { newId, type StoreCases, testsOf } from './store-checks.js';

/** Connects the contract with the log under test. */
export interface TurnEventLogHarness {
  /**
   * Opens the log as one more process would: all logs that it returns share one store. A log in
   * memory returns the same instance. The contract asks for one with a retention of its own to see
   * how it deletes turns.
   *
   * @param retention how long to keep a turn after its last event, in milliseconds. Undefined: long
   */
  open(retention?: number): TurnEventLog | Promise<TurnEventLog>;
}

const eventOf = (text: string): string => JSON.stringify({ type: 'text', text, round: 0 });

/** All events after a number, however many the log returns at once. */
async function readAll(log: TurnEventLog, turnId: string, after = 0): Promise<readonly [number, string][]> {
  const all: [number, string][] = [];
  for (;;) {
    const events = (await log.read(turnId, all.at(-1)?.[0] ?? after)) ?? [];
    if (events.length === 0) return all;
    all.push(...events.map(({ number, data }): [number, string] => [number, data]));
  }
}

const CHECKS: StoreCases<TurnEventLogHarness> = {
  'has no events of an unknown turn': async ({ open }) => {
    const log = await open();
    assertEqual(await log.read(newId(), 0), undefined, 'read() of an unknown turn gives undefined');
  },
  'numbers events from 1, for every process': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    assertEqual(await log.append(id, 0, [eventOf('a'), eventOf('b')]), true, 'append() stores the first events');
    assertEqual(await other.append(id, 2, [eventOf('c')]), true, 'append() stores further events');
    const all = [1, 2, 3].map((number, index) => [number, eventOf('abc'[index]!)]);
    for (const reader of [log, other]) assertEqual(await readAll(reader, id), all, 'read() gives all, in order');
    assertEqual(await readAll(other, id, 1), all.slice(1), 'read() gives the events after a number');
    assertEqual(await other.read(id, 3), [], 'read() after the last event gives none');
  },
  'keeps the turns apart': async ({ open }) => {
    const [log, a, b] = [await open(), newId(), newId()];
    await log.append(a, 0, [eventOf('a')]);
    await log.append(b, 0, [eventOf('b')]);
    assertEqual(await readAll(log, a), [[1, eventOf('a')]], 'read() gives the events of one turn');
  },
  'refuses events after another number than the last': async ({ open }) => {
    const [log, id] = [await open(), newId()];
    await log.append(id, 0, [eventOf('a'), eventOf('b')]);
    for (const after of [0, 1, 3]) {
      const stored = await log.append(id, after, [eventOf('no')]);
      assertEqual(stored, false, `append() after ${after} is refused if the last number is 2`);
    }
    assertEqual((await readAll(log, id)).length, 2, 'A refused append stores nothing');
  },
  'lets only one of several concurrent writers append after the same event': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    for (const after of [0, 2]) {
      const stored = await Promise.all(
        Array.from({ length: 8 }, async (_, index) =>
          (index % 2 ? log : other).append(id, after, [eventOf(`${index}`), eventOf(`${index}`)]),
        ),
      );
      assertEqual(stored.filter(Boolean).length, 1, 'One of eight writers appends');
      const [first, second] = await readAll(log, id, after);
      assertEqual(first![1], eventOf(`${stored.indexOf(true)}`), 'The events are those of the writer that succeeded');
      assertEqual(second![1], first![1], 'The events of one append stay together');
    }
  },
  'refuses events of a process that was paused until another had the turn': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    assertEqual(await log.append(id, 0, [eventOf('a')], 3), true, 'append() stores the first events');
    assertEqual(await other.append(id, 1, [eventOf('b')], 5), true, 'A greater fence takes the turn over');
    assertEqual(await log.append(id, 2, [eventOf('no')], 3), false, 'A smaller fence is refused, after any number');
    assertEqual(await other.append(id, 2, [eventOf('c')], 5), true, 'The same fence goes on');
    assertEqual((await readAll(log, id)).length, 3, 'A refused append stores nothing');
  },
  'gives all events for a number that is greater than the last': async ({ open }) => {
    const [log, id] = [await open(), newId()];
    await log.append(id, 0, [eventOf('a')]);
    assertEqual(await readAll(log, id, 99), [[1, eventOf('a')]], 'The number belongs to deleted events');
  },
  'accepts the next number of a turn that it does not have any more': async ({ open }) => {
    const [log, id] = [await open(), newId()];
    assertEqual(await log.append(id, 41, [eventOf('a')]), true, 'append() stores the events');
    assertEqual(await readAll(log, id), [[42, eventOf('a')]], 'The event keeps its number');
    assertEqual(await log.append(id, 42, [eventOf('b')]), true, 'The next event follows');
    assertEqual(await readAll(log, id, 42), [[43, eventOf('b')]], 'read() gives it');
  },
  'keeps many and long events, and all characters': async ({ open }) => {
    const [log, id] = [await open(), newId()];
    const long = [eventOf('x'.repeat(300_000)), eventOf('\0 \\ \ud800 " \u2028 😀')];
    await log.append(id, 0, long);
    for (let after = 2; after < 502; after += 2) await log.append(id, after, [eventOf('a'), eventOf('b')]);
    const all = await readAll(log, id);
    assertEqual(all.length, 502, 'No event is missing');
    assertEqual(
      all.every(([number], index) => number === index + 1),
      true,
      'The events are in order',
    );
    assertEqual(
      all.slice(0, 2).map(([, data]) => data),
      long,
      'The events are unchanged',
    );
  },
  'deletes a turn some time after its last event': async ({ open }) => {
    const [log, id] = [await open(300), newId()];
    await log.append(id, 0, [eventOf('a'), eventOf('b')]);
    await until('A turn expires', async () => (await log.read(id, 0)) === undefined);
    let read: Awaited<ReturnType<typeof readAll>> = [];
    // On a slow machine, the new event may expire before it is read.
    await until('A turn has events again', async () => {
      await log.append(id, 0, [eventOf('c')]);
      read = await readAll(log, id);
      return read.length > 0;
    });
    assertEqual(read, [[1, eventOf('c')]], 'The numbers begin again, and expired events do not come back');
  },
  'tells readers of other processes about new events': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    let hints = 0;
    const subscription = other.changes(id).subscribe(() => hints++);
    try {
      let after = 0;
      await until('A reader gets a hint', async () => {
        after += Number(await log.append(id, after, [eventOf('a')]));
        return hints > 0;
      });
    } finally {
      subscription.unsubscribe();
    }
  },
  'tells the process that runs a turn to stop it': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    const stops: string[] = [];
    const other2 = newId();
    const subscriptions = [
      log.stops(id).subscribe(() => stops.push('stopped')),
      log.stops(other2).subscribe(() => stops.push('another')),
    ];
    try {
      await log.append(id, 0, [eventOf('a')]);
      await other.requestStop(id);
      await until('The process gets the request', async () => stops.length > 0);
      assertEqual([...new Set(stops)], ['stopped'], 'Only the turn itself is stopped');
    } finally {
      for (const subscription of subscriptions) subscription.unsubscribe();
    }
  },
  'remembers a stop for the process that takes the turn later': async ({ open }) => {
    const [log, other, id] = [await open(), await open(), newId()];
    await log.requestStop(id);
    await log.requestStop(id);
    assertEqual(await log.read(id, 0), undefined, 'A stop is no event');
    assertEqual(await log.append(id, 0, [eventOf('a')]), true, 'A turn that is to stop can be written');
    await firstValueFrom(other.stops(id).pipe(timeout(10_000)));
  },
};

/**
 * What every `TurnEventLog` must do, as tests for any test runner.
 *
 * @example
 * describe('AcmeTurnEventLog', () => {
 *   const open = (retention?: number) => new AcmeTurnEventLog({ retention });
 *   for (const { name, run } of turnEventLogContract({ open })) it(name, run);
 * });
 */
export function turnEventLogContract(harness: TurnEventLogHarness): readonly ContractCase[] {
  return testsOf(CHECKS, harness);
}
