import { describe, expect, it } from '@jest/globals';
import { ChatMemory } from './chat-memory.js';
import { InMemorySuspendedTurnRepository } from './in-memory-suspended-turn.repository.js';
import type { SuspendedTurn } from './suspended-turn.repository.js';

function turn(id: string, owner: { requester?: string; client?: string; conversation?: string }): SuspendedTurn {
  const { conversation, ...of } = owner;
  const context = conversation === undefined ? {} : { [ChatMemory.CONVERSATION_ID]: conversation };
  return { id, revision: '1', pending: [], context, ...of } as unknown as SuspendedTurn;
}

describe('InMemorySuspendedTurnRepository', () => {
  it.each([
    ['a user', { requester: 'mallory', client: 'mcp' }, { requester: 'ada', client: 'mcp' }],
    ['an unknown user of another client', { client: 'mcp' }, { client: 'assistant' }],
    ['an unknown user', { client: 'mcp' }, { requester: 'ada', client: 'mcp' }],
    ['a conversation', { conversation: 'long' }, { conversation: 'short' }],
  ])('does not let %s displace the turns of others', (_who, flooding, victim) => {
    const repository = new InMemorySuspendedTurnRepository({ maxTurns: 10 });
    repository.save(turn('victim', victim));
    for (let index = 0; index < 30; index++) repository.save(turn(`${index}`, flooding));
    expect(repository.findById('victim')).toBeDefined();
    expect(repository.findById('29')).toBeDefined();
    expect(repository.findById('0')).toBeUndefined();
  });

  it('does not let a user displace the turns of others with many conversations', () => {
    const repository = new InMemorySuspendedTurnRepository({ maxTurns: 10 });
    repository.save(turn('victim', { requester: 'ada', conversation: 'of ada' }));
    for (let index = 0; index < 30; index++)
      repository.save(turn(`${index}`, { requester: 'mallory', conversation: `${index}` }));
    expect(repository.findById('victim')).toBeDefined();
  });
});
