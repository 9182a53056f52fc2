import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AiModule, ChatClient, Tool } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { PostgresAiModule } from '@nestor-ai/postgres';
import { PostgresToolSearchSessionRepository } from '@nestor-ai/postgres/tool-search';
import { TOOL_SEARCH_TOOL_NAME, ToolSearchModule, ToolSearchSessionRepository } from '@nestor-ai/tool-search';
import { openTestDatabase, type TestDatabase } from './test-database.js';

@Injectable()
class WeatherTools {
  @Tool({ description: 'The weather in a city' })
  weather(): string {
    return 'sunny';
  }

  @Tool({ description: 'Sends an invoice' })
  invoice(): string {
    return 'sent';
  }
}

describe('a tool search with sessions in PostgreSQL', () => {
  let test: TestDatabase;

  beforeAll(async () => void (test = await openTestDatabase({ migrate: false })));
  afterAll(() => test.close());

  const replica = async (model: ScriptedChatModel) => {
    const module = await Test.createTestingModule({
      imports: [
        PostgresAiModule.forRoot({ pool: test.pool, schema: test.schema }),
        AiModule.forRoot({ chatModel: model, memory: true, providers: PostgresAiModule.stores() }),
        ToolSearchModule.forRoot({ properties: { enabled: true } }),
      ],
      providers: [
        WeatherTools,
        { provide: ToolSearchSessionRepository, useClass: PostgresToolSearchSessionRepository },
      ],
    }).compile();
    return module.createNestApplication().init();
  };

  it('offers a tool that another replica has found', async () => {
    const first = new ScriptedChatModel([
      { toolCalls: [toolCall(TOOL_SEARCH_TOOL_NAME, { query: 'weather in a city', maxResults: 1 })] },
      'Found.',
    ]);
    const one = await replica(first);
    await one.get(ChatClient).prompt('How is the weather?').conversation('c').call().content();
    await one.close();
    expect(first.prompts[1]!.options?.offeredToolNames).toContain('weather');
    const second = new ScriptedChatModel(['Still found.']);
    const two = await replica(second);
    await two.get(ChatClient).prompt('And now?').conversation('c').call().content();
    await two.close();
    expect(second.prompts[0]!.options?.offeredToolNames).toContain('weather');
    expect(second.prompts[0]!.options?.offeredToolNames).not.toContain('invoice');
  });
});
