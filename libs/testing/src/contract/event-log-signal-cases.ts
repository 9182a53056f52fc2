import { firstValueFrom, timeout } from 'rxjs';
import { type EventLogCase, eventOf } from './event-log-cases.js';
import { assertEqual, newId, until } from './journal-checks.js';

export const EVENT_LOG_SIGNAL_CASES: readonly EventLogCase[] = [
  {
    name: 'tells readers of other processes about new events',
    async run({ open }) {
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
  },
  {
    name: 'tells the process that runs a turn to stop it',
    async run({ open }) {
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
  },
  {
    name: 'remembers a stop for the process that takes the turn later',
    async run({ open }) {
      const [log, other, id] = [await open(), await open(), newId()];
      await log.requestStop(id);
      await log.requestStop(id);
      assertEqual(await log.read(id, 0), undefined, 'A stop is no event');
      assertEqual(await log.append(id, 0, [eventOf('a')]), true, 'A turn that is to stop can be written');
      await firstValueFrom(other.stops(id).pipe(timeout(10_000)));
    },
  },
];
