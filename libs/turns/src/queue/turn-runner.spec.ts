import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { AiModule, SuspendedTurnRepository, type TurnEntry } from '@nestor-ai/core';
import { ScriptedChatModel } from '@nestor-ai/testing';
import { until } from '../../../../test/until.js';
import { AiTurnsModule } from '../ai-turns.module.js';
import { InMemoryTurnJournal } from '../journal/in-memory-turn-journal.js';
import { TurnRunner } from './turn-runner.js';

const BEGUN: TurnEntry = { kind: 'begun', messages: [{ role: 'user', text: 'Hi' }], options: {}, context: {} };
const FACTS = { status: 'running', client: 'default', pendingCallIds: [] } as const;

async function start(...entries: TurnEntry[]) {
  const journal = new InMemoryTurnJournal();
  journal.append({ turnId: 't', entries, after: 0, owner: 'first', facts: FACTS });
  const repository = { provide: SuspendedTurnRepository, useValue: journal };
  const providers = [...AiTurnsModule.providers(), repository];
  const ai = AiModule.forRoot({ chatModel: new ScriptedChatModel(['Hello.']), providers });
  const application = await (await Test.createTestingModule({ imports: [ai] }).compile()).init();
  return {
    journal,
    runner: application.get(TurnRunner),
    kinds: () => journal.read('t')!.entries.map(({ kind }) => kind),
  };
}

describe('TurnRunner.prepare()', () => {
  it('takes a turn over from the worker that had it, once for each worker', async () => {
    const { journal, runner, kinds } = await start(BEGUN);
    for (let tries = 0; tries < 3; tries++) expect(await runner.prepare('t')).toMatchObject({ next: 'run' });
    expect(kinds()).toEqual(['begun', 'claimed']);
    journal.claim('t', 2, 'dead', 1);
    await until(() => journal.read('t')!.lapsedOwner === 'dead');
    expect(await runner.prepare('t')).toMatchObject({ next: 'run', turn: { entries: { length: 3 } } });
    expect(kinds()).toEqual(['begun', 'claimed', 'claimed']);
    // A worker counts the death, also if it cannot store it at the first try.
    expect(journal.read('t')!.lapsedOwner).toBe('dead');
  });

  it('lets one of several workers have a turn', async () => {
    const { runner } = await start(BEGUN);
    const prepared = await Promise.all([runner.prepare('t'), runner.prepare('t'), runner.prepare('t')]);
    expect(prepared.map(({ next }) => next).toSorted()).toEqual(['later', 'later', 'run']);
  });

  it('leaves a turn alone that only a newer version can continue', async () => {
    const { runner, kinds } = await start(BEGUN, { kind: 'paused' } as unknown as TurnEntry);
    await runner.prepare('t');
    expect(kinds()).toEqual(['begun', 'paused']);
  });
});
