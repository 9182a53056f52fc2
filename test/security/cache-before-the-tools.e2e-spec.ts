import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import {
  Advisor,
  ChatMemory,
  InMemoryChatMemoryRepository,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Tool,
  ToolContext,
  type ToolResponseMessage,
} from '@nestor-ai/core';
import { ResponseCacheAdvisor, type ResponseCacheAdvisorOptions } from '@nestor-ai/advisors';
import { type ScriptEntry, toolCall } from '@nestor-ai/testing';
import { createCache } from 'cache-manager';
import { startApplication } from '../nest/application.js';

const FIRST = Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER - 1;

@Injectable()
class Accounts {
  @Tool()
  balance(context: ToolContext): string {
    return `The balance of ${context.require<string>('user')}`;
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** What two users are told who ask the same. */
async function toldToBoth(options: Partial<ResponseCacheAdvisorOptions>, hasMemory = false) {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const calls: ScriptEntry = { toolCalls: [toolCall('balance')] };
  const repeats: ScriptEntry = ({ messages }) => (messages.at(-1) as ToolResponseMessage).responses[0]!.responseData;
  const remembers: ScriptEntry = ({ messages }) =>
    messages.map((message) => ('text' in message ? message.text : '')).join();
  const script = hasMemory ? ['Hi Ann', 'Hi Bob', remembers, remembers] : [calls, repeats, calls, repeats];
  const { client } = await startApplication(hasMemory ? {} : { providers: [Accounts] }, script);
  const chatMemory = new MessageWindowChatMemory({ chatMemoryRepository: new InMemoryChatMemoryRepository() });
  const cached = client
    .mutate()
    .defaultAdvisors(
      new ResponseCacheAdvisor({ cache: createCache(), ...options }),
      ...(hasMemory ? [new MessageChatMemoryAdvisor({ chatMemory })] : []),
    )
    .build();
  const ask = (user: string, question: string) =>
    cached
      .prompt(question)
      .toolContext({ user })
      .advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, user))
      .call()
      .content();
  if (hasMemory) for (const user of ['Ann', 'Bob']) await ask(user, `I am ${user}`);
  const told = [await ask('Ann', 'What do you know?'), await ask('Bob', 'What do you know?')];
  return { told, warnings: warn.mock.calls.map(([text]) => String(text)) };
}

describe('a cache of responses that was moved before', () => {
  it('the tools tells no user what they gave another', async () => {
    const { told, warnings } = await toldToBoth({ order: FIRST });
    expect(told).toEqual(['The balance of Ann', 'The balance of Bob']);
    expect(warnings[0]).toContain("Leave out the option 'order' of ResponseCacheAdvisor, or set its option 'key'");
  });

  it('the memory tells no user what another has said', async () => {
    const { told } = await toldToBoth({ order: FIRST }, true);
    expect(told[1]).toContain('I am Bob');
    expect(told[1]).not.toContain('Ann');
  });

  it('the tools keeps answers by a key of the application', async () => {
    const { told, warnings } = await toldToBoth({ order: FIRST, key: () => 'for all' });
    expect(told).toEqual(['The balance of Ann', 'The balance of Ann']);
    expect(warnings).toEqual([]);
  });
});

it('a cache of responses at the model keeps them, with tools and a memory before it', async () => {
  expect((await toldToBoth({})).warnings).toEqual([]);
  expect((await toldToBoth({}, true)).warnings).toEqual([]);
});
