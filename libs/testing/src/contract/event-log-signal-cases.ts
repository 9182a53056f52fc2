import { firstValueFrom, timeout } from 'rxjs';
import { eventOf } from './event-log-cases.js';
import { assertEqual, until } from './journal-checks.js';
import { newId, type StoreCases } from './store-checks.js';
import type { TurnEventLogHarness } from './turn-event-log.contract.js';

export const EVENT_LOG_SIGNAL_CASES: StoreCases<TurnEventLogHarness> = {
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
