import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { UserMessage } from '../model/messages.js';
import { InMemoryChatMemoryRepository } from './chat-memory.repository.js';

describe('conversations in memory', () => {
  let warnings: unknown[][];

  beforeEach(() => {
    warnings = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((...args) => void warnings.push(args));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const filled = (maxConversations: number, ...ids: string[]) => {
    const repository = new InMemoryChatMemoryRepository({ maxConversations });
    for (const id of ids) repository.saveAll(id, [new UserMessage(`I am ${id}`)]);
    return repository;
  };

  it('are limited: the least recently used one is deleted first', () => {
    const repository = filled(2, 'ann', 'bob');
    repository.findByConversationId('ann');
    repository.saveAll('cid', [new UserMessage('I am cid')]);
    expect(repository.findConversationIds()).toEqual(['ann', 'cid']);
    expect(repository.findByConversationId('bob')).toEqual([]);
  });

  it('log once that they are full, with the remedy and without content', () => {
    filled(1, 'ann', 'bob', 'cid');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]![0]).toMatch(/it has 1 conversations.*maxConversations.*extend ConversationLog/);
    expect(String(warnings[0]![0])).not.toMatch(/ann|bob|cid/);
  });

  it('log nothing when conversations are replaced or deleted', () => {
    const repository = filled(2, 'ann', 'ann', 'bob', 'bob');
    repository.deleteByConversationId('ann');
    expect(repository.findConversationIds()).toEqual(['bob']);
    expect(warnings).toEqual([]);
  });

  it('are limited to 10,000 by default', () => {
    const repository = new InMemoryChatMemoryRepository();
    for (let at = 0; at <= 10_000; at++) repository.saveAll(String(at), []);
    expect(repository.findConversationIds()).toHaveLength(10_000);
    expect(repository.findConversationIds()[0]).toBe('1');
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as unknown as number])(
    'cannot be limited to %p',
    (given) => {
      expect(() => new InMemoryChatMemoryRepository({ maxConversations: given })).toThrow(
        /^maxConversations must be a whole number greater than 0/,
      );
    },
  );
});
