import { describe, expect, it } from '@jest/globals';
import { ChatMemory } from './chat-memory.js';
import { InMemorySuspendedTurnRepository } from './in-memory-suspended-turn.repository.js';
import type { SuspendedTurn } from './suspended-turn.repository.js';

function turn(id: string, owner: { requester?: string; client?: string; conversation?: string }): SuspendedTurn {
  const { conversation, ...of } = owner;
  const context = conversation === undefined ? {} : { [ChatMemory.CONVERSATION_ID]: conversation };
  return { id, revision: 1, pending: [], context, ...of } as unknown as SuspendedTurn;
}

function save(repository: InMemorySuspendedTurnRepository, { revision: _none, ...stored }: SuspendedTurn): void {
  repository.save(stored, { revision: 0, entries: [], status: 'suspended', owner: 'first', lease: undefined });
}

describe('InMemorySuspendedTurnRepository', () => {
  it.each([
    ['a user', { requester: 'mallory', client: 'mcp' }, { requester: 'ada', client: 'mcp' }],
    ['an unknown user of another client', { client: 'mcp' }, { client: 'assistant' }],
    ['an unknown user', { client: 'mcp' }, { requester: 'ada', client: 'mcp' }],
    ['a conversation', { conversation: 'long' }, { conversation: 'short' }],
  ])('does not let %s displace the turns of others', (_who, flooding, victim) => {
    const repository = new InMemorySuspendedTurnRepository({ maxTurns: 10 });
    save(repository, turn('victim', victim));
    for (let index = 0; index < 30; index++) save(repository, turn(`${index}`, flooding));
    expect(repository.findById('victim')).toBeDefined();
    expect(repository.findById('29')).toBeDefined();
    expect(repository.findById('0')).toBeUndefined();
  });

  it('does not let a user displace the turns of others with many conversations', () => {
    const repository = new InMemorySuspendedTurnRepository({ maxTurns: 10 });
    save(repository, turn('victim', { requester: 'ada', conversation: 'of ada' }));
    for (let index = 0; index < 30; index++)
      save(repository, turn(`${index}`, { requester: 'mallory', conversation: `${index}` }));
    expect(repository.findById('victim')).toBeDefined();
  });
});
