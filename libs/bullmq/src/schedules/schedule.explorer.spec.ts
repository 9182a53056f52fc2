import { describe, expect, it } from '@jest/globals';
import { Injectable, Scope, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type Schedule, ScheduleExplorer } from './schedule.explorer.js';
import { ScheduledTurn, type ScheduledTurnOptions } from './scheduled-turn.decorator.js';

/** A class with a schedule. */
function digestOf(options: ScheduledTurnOptions, scope = Scope.DEFAULT, result?: unknown): Type {
  @Injectable({ scope })
  class Digest {
    @ScheduledTurn(options)
    digest() {
      return result as undefined;
    }
  }
  return Digest;
}

async function explore(...classes: Type[]): Promise<readonly Schedule[]> {
  const metadata = { imports: [DiscoveryModule], providers: [ScheduleExplorer, ...classes] };
  const application = await Test.createTestingModule(metadata).compile();
  return application.get(ScheduleExplorer).explore();
}

describe('the schedules of an application', () => {
  it.each<[string, Type[], string | RegExp]>([
    ['no time', [digestOf({})], 'Digest.digest: set either the pattern or every'],
    ['two times', [digestOf({ every: 5, pattern: '* * * * *' })], 'Digest.digest: set either the pattern or every'],
    ['no interval', [digestOf({ every: 0 })], 'every must be a number of milliseconds greater than 0, but is 0.'],
    ['a name with a colon', [digestOf({ every: 5, name: 'a:b' })], 'cannot be empty or contain a colon'],
    ['an empty name', [digestOf({ every: 5, name: '' })], 'cannot be empty or contain a colon'],
    ['the same name', [digestOf({ every: 5 }), digestOf({ every: 6 })], "has the same name 'Digest.digest'"],
    ['a request', [digestOf({ every: 5 }, Scope.REQUEST)], 'a request-scoped provider cannot have @ScheduledTurn()'],
    ['two mistakes', [digestOf({}), digestOf({ every: -1 })], /set either.*\n.*every must be/],
  ])('cannot have %s', async (_what, classes, problem) => {
    await expect(explore(...classes)).rejects.toThrow(problem);
  });

  it('fail if they return something else than a request', async () => {
    const every = await explore(digestOf({ every: 5 }), digestOf({ every: 5, name: 'second' }, Scope.DEFAULT, 'Hi'));
    const [first, second] = every.map((schedule) => schedule.run({ name: schedule.name, dueAt: new Date(0) }));
    expect(await first).toBeUndefined();
    await expect(second).rejects.toThrow('Digest.digest must return a request to queue');
  });
});
