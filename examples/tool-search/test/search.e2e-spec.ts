import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { ChatClient, ChatModel, offeredToolDefinitions } from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { AppModule } from '../src/app.module.js';

const model = new ScriptedChatModel([
  { toolCalls: [toolCall('toolSearchTool', { query: 'trains between cities' })] },
  { toolCalls: [toolCall('findTrains', { from: 'Paris', to: 'Lyon' })] },
  'Take the one at 8:04.',
]);
let module: TestingModule;

beforeAll(async () => {
  module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ChatModel)
    .useValue(model)
    .compile();
  module.useLogger(['error']);
  await module.init();
});
afterAll(() => module.close());

test('the model is only sent the tools that it has found', async () => {
  const answer = await module.get(ChatClient).prompt('A train from Paris to Lyon?').call().content();
  expect(answer).toBe('Take the one at 8:04.');
  const rounds = model.prompts.map(({ options }) => offeredToolDefinitions(options).map(({ name }) => name));
  expect(rounds[0]).toEqual(['toolSearchTool']);
  expect(rounds[1]?.slice(0, 2)).toEqual(['toolSearchTool', 'findTrains']);
  expect(rounds[1]?.length).toBeLessThan(5);
});
