import { describe, expect, it } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { ChatClient, ChatMemory } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import {
  AlwaysEvictStrategy,
  KeywordToolIndex,
  type ToolIndex,
  type ToolIndexEvictionStrategy,
  ToolSearchToolCallingAdvisor,
  type VectorMatch,
  VectorStore,
  VectorToolIndex,
} from '@nestor-ai/tool-search';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { tool } from '../tool-search/application.js';

const SECRET = 'postgres://admin:hunter2@vectors';

/** Cannot be reached, and says with which password. */
class LostStore extends VectorStore {
  constructor(private readonly fails: 'add' | 'delete') {
    super();
  }
  async add(): Promise<void> {
    if (this.fails === 'add') throw new Error(SECRET);
  }
  async delete(): Promise<void> {
    throw new Error(SECRET);
  }
  async similaritySearch(): Promise<readonly VectorMatch[]> {
    return [];
  }
}

class LostIndex extends KeywordToolIndex {
  override async clearIndex(): Promise<void> {
    throw new Error(SECRET);
  }
}

const fail = (): never => {
  throw new RangeError(SECRET);
};

/** What the log has of conversations whose ids somebody has chosen who should not be repeated. */
async function logOf(toolIndex: ToolIndex, evictionStrategy: ToolIndexEvictionStrategy): Promise<string[]> {
  const lines: string[] = [];
  const keep = (...told: unknown[]): number => lines.push(told.map((value) => inspect(value)).join(' '));
  const log: LoggerService = { log: keep, warn: keep, error: keep };
  Logger.overrideLogger(log);
  try {
    const search = { toolCalls: [toolCall('toolSearchTool', { query: 'mail' })] };
    const advisor = new ToolSearchToolCallingAdvisor({ toolIndex, evictionStrategy });
    const client = ChatClient.builder(new ScriptedChatModel([search, 'done', search, 'done']))
      .defaultAdvisors(advisor)
      .defaultTools(tool('sendEmail', 'Sends a mail'), tool('bookFlight', 'Buys a ticket'))
      .build();
    for (const id of [`${SECRET} 1`, `${SECRET} 2`]) {
      const request = client.prompt('Go').advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, id));
      await request.call().content();
      await advisor.evictSession(id).catch(() => undefined);
    }
    await setTimeout(5);
  } finally {
    Logger.overrideLogger(false);
  }
  return lines;
}

describe('the log of a tool search', () => {
  it.each<[what: string, index: () => ToolIndex, strategy: ToolIndexEvictionStrategy]>([
    ['a store that adds nothing', () => new VectorToolIndex(new LostStore('add')), AlwaysEvictStrategy.INSTANCE],
    ['a store that deletes nothing', () => new VectorToolIndex(new LostStore('delete')), AlwaysEvictStrategy.INSTANCE],
    ['an index that forgets nothing', () => new LostIndex(), AlwaysEvictStrategy.INSTANCE],
    ['a strategy that names nobody', () => new KeywordToolIndex(), { onAccess: fail, onRemoved: () => undefined }],
    ['a strategy that forgets nobody', () => new KeywordToolIndex(), { onAccess: () => [], onRemoved: fail }],
  ])('has the class of an error, and nothing of what it says: %s', async (_what, index, strategy) => {
    const lines = await logOf(index(), strategy);
    expect(lines.join('\n')).toMatch(/(?: with|:) (?:Range)?Error\b/);
    expect(lines.join('\n')).not.toContain('hunter2');
  });
});
