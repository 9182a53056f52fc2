import { describe, expect, it } from '@jest/globals';
import { turnEventLogContract } from '@nestor-ai/testing/contract';
import { InMemoryTurnEventLog } from './in-memory-turn-event-log.js';

describe('InMemoryTurnEventLog', () => {
  const log = new InMemoryTurnEventLog();
  const open = (retention?: number) => (retention === undefined ? log : new InMemoryTurnEventLog({ retention }));
  for (const { name, run } of turnEventLogContract({ open })) it(name, run);

  it('deletes the turn that was not used for the longest time, when there are too many', () => {
    const small = new InMemoryTurnEventLog({ maxTurns: 2 });
    for (const id of ['a', 'b', 'c']) small.append(id, 0, ['{}']);
    expect(['a', 'b', 'c'].map((id) => small.read(id, 0)?.length)).toEqual([undefined, 1, 1]);
  });
});
