import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  type Advisor,
  AiModule,
  type ChatClient,
  ChatMemory,
  FallbackModelAdvisor,
  getChatClientToken,
  MessageChatMemoryAdvisor,
  ModelTimeoutAdvisor,
  StructuredOutputValidationAdvisor,
  ToolCallingAdvisor,
} from '@nestor-ai/core';
import { ResponseCacheAdvisor, SafeGuardAdvisor, SimpleLoggerAdvisor, UsageBudgetAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel } from '@nestor-ai/testing';

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(advisor: Type<Advisor>): Promise<ChatClient> {
  const testing = await Test.createTestingModule({
    imports: [
      AiModule.forRoot({ chatModel: new ScriptedChatModel(['Hello Ann', 'Hello again']) }),
      AiModule.forFeature([{ name: 'support', advisors: [advisor] }]),
    ],
  }).compile();
  testing.useLogger(false);
  app = await testing.init();
  return app.get<ChatClient>(getChatClientToken('support'), { strict: false });
}

describe('advisors of the library, given to a client as classes', () => {
  it.each([ModelTimeoutAdvisor, SimpleLoggerAdvisor, ToolCallingAdvisor])(
    'work without options: %p',
    async (advisor) => {
      const client = await start(advisor);
      expect(await client.prompt('I am Ann').call().content()).toBe('Hello Ann');
    },
  );

  it('include the memory advisor, which remembers in the memory of the application', async () => {
    const client = await start(MessageChatMemoryAdvisor);
    await client.prompt('I am Ann').conversation('ann').call().content();
    expect(await app!.get(ChatMemory).get('ann')).toMatchObject([{ text: 'I am Ann' }, { text: 'Hello Ann' }]);
  });

  it.each([
    [SafeGuardAdvisor, "new SafeGuardAdvisor({ sensitiveWords: ['…'] })"],
    [FallbackModelAdvisor, 'new FallbackModelAdvisor({ models: [otherModel] })'],
    [StructuredOutputValidationAdvisor, 'new StructuredOutputValidationAdvisor({ outputType: Answer })'],
    [UsageBudgetAdvisor, 'new UsageBudgetAdvisor({ turn: {'],
    [ResponseCacheAdvisor, 'cache-manager'],
  ])('say what to write when they need options: %p', async (advisor, remedy) => {
    await expect(start(advisor as Type<Advisor>)).rejects.toThrow(remedy);
  });
});
