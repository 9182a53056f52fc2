import { describe, expect, it } from '@jest/globals';
import {
  InMemorySuspendedTurnRepository,
  type SuspendedTurnRepository,
  type TurnChange,
  type TurnData,
} from '@nestor-ai/core';
import { InMemoryTurnJournal } from '@nestor-ai/turns';
import { suspendedTurnsContract } from './index.js';

describe('the contract of SuspendedTurnRepository', () => {
  const memory = new InMemorySuspendedTurnRepository();
  const journal = new InMemoryTurnJournal();

  describe.each<[string, () => SuspendedTurnRepository]>([
    ['in memory', () => memory],
    ['in a journal', () => journal],
  ])('is kept %s', (_where, open) => {
    for (const { name, run } of suspendedTurnsContract({ open })) it(name, run);
  });

  class Unfenced extends InMemorySuspendedTurnRepository {
    override save(turn: TurnData, change: TurnChange) {
      const { revision = 0, claim } = this.findById(turn.id) ?? {};
      return super.save(turn, { ...change, revision, owner: claim?.owner ?? change.owner });
    }
  }

  class Unclaimed extends InMemorySuspendedTurnRepository {
    override claim(turnId: string, revision: number, _owner: string, lease: number) {
      return super.claim(turnId, revision, 'everybody', lease);
    }
  }

  it.each([
    [Unfenced, 'refuses everything of a process that was paused until another had claimed the turn'],
    [Unfenced, 'lets only one of ten concurrent writers save a turn, and one of ten owners claim it'],
    [Unclaimed, 'lets one owner at a time claim a turn, until its time has passed'],
  ])('is broken by %p: %s', async (Broken, broken) => {
    const repository = new Broken();
    const { run } = suspendedTurnsContract({ open: () => repository }).find(({ name }) => name === broken)!;
    await expect(run()).rejects.toThrow('The contract checks');
  });
});
