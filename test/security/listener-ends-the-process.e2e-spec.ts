import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AiEvent, AiEvents } from '@nestor-ai/core';
import { config, map, mergeMap, type Observable, type Subscription, take } from 'rxjs';
import { setTimeout } from 'node:timers/promises';
import { startApplication } from '../nest/application.js';
import { until } from '../until.js';

/** As a database does that is sent a character which it does not take. */
const fail = (): never => {
  throw new RangeError('a secret');
};

/** What RxJS would throw where nobody can catch it, which ends the process. */
const unhandled: unknown[] = [];
beforeEach(() => {
  unhandled.length = 0;
  config.onUnhandledError = (error) => unhandled.push(error);
});
afterEach(() => {
  config.onUnhandledError = null;
  jest.restoreAllMocks();
});

async function logOf(listen: (events: Observable<AiEvent>) => Subscription): Promise<unknown[]> {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const { app, client } = await startApplication({}, ['done']);
  const heard: string[] = [];
  listen(app.get(AiEvents));
  app.get(AiEvents).subscribe(({ type }) => heard.push(type));
  expect(await client.prompt('\u0000').call().content()).toBe('done');
  await until(() => heard.includes('turn-end'));
  // RxJS reports errors with a timer.
  await setTimeout(5);
  expect(heard).toEqual(['turn-start', 'turn-end']);
  return error.mock.calls.map(([text]) => text);
}

describe('a listener of AiEvents ends no process, and is told of by the class of its error', () => {
  it.each<[what: string, listen: Parameters<typeof logOf>[0]]>([
    ['whose operator throws', (events) => events.pipe(map(fail)).subscribe()],
    ['whose operator rejects', (events) => events.pipe(mergeMap(async () => fail())).subscribe(() => undefined)],
    ['that throws where it takes an error', (events) => events.pipe(map(fail)).subscribe({ error: fail })],
    ['that throws at the end', (events) => events.pipe(take(1)).subscribe({ complete: fail })],
  ])('%s', async (_what, listen) => {
    expect(await logOf(listen)).toEqual(['A listener of AiEvents failed: RangeError']);
    expect(unhandled).toEqual([]);
  });

  it('that takes the error is told, and nobody else', async () => {
    const taken: unknown[] = [];
    const lines = await logOf((events) => events.pipe(map(fail)).subscribe({ error: (error) => taken.push(error) }));
    expect(taken).toEqual([new RangeError('a secret')]);
    expect([...lines, ...unhandled]).toEqual([]);
  });
});
