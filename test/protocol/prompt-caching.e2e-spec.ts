import { afterEach, describe, expect, it } from '@jest/globals';
import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4';
import { type AiSdkLanguageModel, AiSdkChatModel } from '@nestor-ai/ai-sdk';
import { AiModule, type AiModuleOptions, ChatClient, getChatClientToken, Tool } from '@nestor-ai/core';

@Injectable()
class Tools {
  @Tool({ description: 'First' })
  first() {
    return 'one';
  }

  @Tool({ description: 'Second' })
  second() {
    return 'two';
  }
}

/** The bodies of the requests, as text: what a provider compares is their bytes. */
const sent: string[] = [];
afterEach(() => {
  sent.length = 0;
});

/** Answers like a provider: the first request of a turn with a call, the next with a text. */
const answering =
  (call: object, text: object): typeof fetch =>
  async (_url, init) => {
    const body = String(init?.body);
    sent.push(body);
    return Response.json(/tool_?result|"role":"tool"/i.test(body) ? text : call);
  };

const message = (content: object, stop: string) => ({
  type: 'message',
  id: 'm1',
  model: 'claude-test',
  role: 'assistant',
  content: [content],
  stop_reason: stop,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const anthropic = {
  apiKey: 'test',
  fetch: answering(
    message({ type: 'tool_use', id: 't1', name: 'first', input: {} }, 'tool_use'),
    message({ type: 'text', text: 'Done.' }, 'end_turn'),
  ),
};
const converse = (content: object, stopReason: string) => ({
  output: { message: { role: 'assistant', content: [content] } },
  stopReason,
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
});
const choice = (chat: object, finish: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...chat }, finish_reason: finish }],
});
const MODELS = {
  Anthropic: () => createAnthropic(anthropic)('claude-test'),
  'Anthropic, version 4 of the specification': () => createAnthropicV4(anthropic)('claude-test'),
  'Amazon Bedrock': () =>
    createAmazonBedrock({
      region: 'us-east-1',
      apiKey: 'test',
      fetch: answering(
        converse({ toolUse: { toolUseId: 't1', name: 'first', input: {} } }, 'tool_use'),
        converse({ text: 'Done.' }, 'end_turn'),
      ),
    })('anthropic.claude-test'),
  OpenAI: () =>
    createOpenAI({
      apiKey: 'test',
      fetch: answering(
        choice(
          { tool_calls: [{ id: 't1', type: 'function', function: { name: 'first', arguments: '{}' } }] },
          'tool_calls',
        ),
        choice({ content: 'Done.' }, 'stop'),
      ),
    }).chat('gpt-test'),
};

async function boot(name: keyof typeof MODELS, properties: AiModuleOptions['properties'] = {}) {
  const module = await Test.createTestingModule({
    imports: [
      AiModule.forRoot({ chatModel: new AiSdkChatModel(MODELS[name]() as AiSdkLanguageModel), properties }),
      AiModule.forFeature([{ name: 'support', tools: [Tools] }]),
    ],
    providers: [Tools],
  }).compile();
  await module.init();
  return module;
}

const ALL = { chat: { client: { promptCaching: ['tools', 'system', 'history'] } } } as const;
const ask = (client: ChatClient, question = 'Go') => client.prompt(question).system('Rules').call().content();
const bodies = (): Record<string, unknown>[] => sent.map((body) => JSON.parse(body) as Record<string, unknown>);

describe.each(['Anthropic', 'Anthropic, version 4 of the specification'] as const)('prompt caching of %s', (name) => {
  it('keeps the tools, the system text, and all that a round has read', async () => {
    expect(await ask((await boot(name, ALL)).get(ChatClient))).toBe('Done.');
    const cached = { cache_control: { type: 'ephemeral' } };
    const [first, second] = bodies();
    expect(first).toMatchObject({
      tools: [{ name: 'first' }, { name: 'second', ...cached }],
      system: [{ text: 'Rules', ...cached }],
      messages: [{ role: 'user', content: [{ text: 'Go', ...cached }] }],
    });
    expect(second).toMatchObject({
      tools: [{ name: 'first' }, { name: 'second', ...cached }],
      system: [{ text: 'Rules', ...cached }],
      messages: [
        { role: 'user', content: [{ text: 'Go', ...cached }] },
        { role: 'assistant' },
        { role: 'user', content: [{ type: 'tool_result', ...cached }] },
      ],
    });
    expect(sent[1]!.split('cache_control')).toHaveLength(5);
  });

  it('is off by default, and chosen by client and request', async () => {
    const module = await boot(name, { clients: { support: { promptCaching: ['system'] } } });
    await ask(module.get(ChatClient));
    expect(sent.join()).not.toContain('cache_control');
    sent.length = 0;
    const support = module.get<ChatClient>(getChatClientToken('support'));
    await ask(support);
    expect(sent[0]!.split('cache_control')).toHaveLength(2);
    sent.length = 0;
    await support.prompt('Go').options({ promptCaching: [] }).call().content();
    expect(sent.join()).not.toContain('cache_control');
  });
});

describe('prompt caching', () => {
  it('of Amazon Bedrock keeps the system text with the tools before it, and the messages', async () => {
    expect(await ask((await boot('Amazon Bedrock', ALL)).get(ChatClient))).toBe('Done.');
    const point = { cachePoint: { type: 'default' } };
    expect(bodies()[1]).toMatchObject({
      system: [{ text: 'Rules' }, point],
      messages: [
        { content: [{ text: 'Go' }, point] },
        { role: 'assistant' },
        { content: [{ toolResult: { toolUseId: 't1' } }, point] },
      ],
    });
  });

  it('changes nothing for OpenAI, which caches by itself', async () => {
    await ask((await boot('OpenAI', ALL)).get(ChatClient));
    const cached = sent.splice(0);
    await ask((await boot('OpenAI')).get(ChatClient));
    expect(cached).toEqual(sent);
  });

  it.each(Object.keys(MODELS) as (keyof typeof MODELS)[])(
    'of %s finds the same tools, byte for byte, in all rounds and requests',
    async (name) => {
      const client = (await boot(name, ALL)).get(ChatClient);
      await ask(client);
      await ask(client, 'Again');
      const tools = bodies().map((body) => JSON.stringify(body.tools ?? body.toolConfig));
      expect(tools).toHaveLength(4);
      expect(tools[0]).toContain('second');
      expect(new Set(tools).size).toBe(1);
    },
  );

  it('of a part that does not exist stops the bootstrap', async () => {
    const failing = boot('Anthropic', { chat: { client: { promptCaching: ['messages' as 'tools'] } } });
    await expect(failing).rejects.toThrow(
      /ai\.chat\.client\.prompt-caching .*has to be a list of tools, system, history/,
    );
  });
});
