import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplicationContext, type Provider, Scope } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import {
  AiModule,
  type AiModuleOptions,
  ChatClient,
  ChatMemory,
  ChatMemoryRepository,
  ConversationLog,
  getChatClientToken,
  InMemoryChatMemoryRepository,
  InMemoryConversationLog,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  Tool,
  ToolResponseMessage,
} from '@nestor-ai/core';
import { SafeGuardAdvisor } from '@nestor-ai/advisors';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

@Injectable()
class Clock {
  @Tool({ description: 'Delete all clocks', needsApproval: true })
  deleteClocks(): string {
    return 'deleted';
  }

  @Tool({ description: 'Read the clock' })
  readClock(): string {
    return 'noon';
  }
}

interface Setting {
  readonly model: ScriptedChatModel;
  readonly options?: Omit<AiModuleOptions, 'chatModel'>;
  readonly configuration?: Record<string, unknown>;
  readonly given?: Provider[];
}

async function start({ model, options = {}, configuration = {}, given = [] }: Setting): Promise<ChatClient> {
  app = await NestFactory.createApplicationContext(
    {
      module: class AppModule {},
      imports: [
        ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => configuration] }),
        AiModule.forRoot({ chatModel: model, ...options, providers: given }),
        AiModule.forFeature([{ name: 'support' }]),
      ],
      providers: [Clock],
    },
    { logger: false, abortOnError: false },
  );
  return app.get(ChatClient);
}

const answers = (): ScriptedChatModel => new ScriptedChatModel(['Hello Ann', 'You are Ann', 'More', 'Even more']);
const sent = (model: ScriptedChatModel): readonly string[][] =>
  model.prompts.map(({ messages }) =>
    messages.map((message) => `${message.role}: ${message.role === 'tool' ? '' : message.text}`),
  );

describe('conversations', () => {
  it('are remembered when memory is turned on and the request names one', async () => {
    const model = answers();
    const chatClient = await start({ model, options: { memory: true } });
    await chatClient.prompt('I am Ann').conversation('ann').call().content();
    expect(await chatClient.prompt('Who am I?').conversation('ann').call().content()).toBe('You are Ann');
    expect(sent(model)[1]).toEqual(['user: I am Ann', 'assistant: Hello Ann', 'user: Who am I?']);
  });

  it('are kept apart, and requests without one are not remembered', async () => {
    const model = answers();
    const chatClient = await start({ model, options: { memory: true } });
    await chatClient.prompt('I am Ann').conversation('ann').call().content();
    await chatClient.prompt('I am Bob').conversation('bob').call().content();
    await chatClient.prompt('One question').call().content();
    expect(sent(model).slice(1)).toEqual([['user: I am Bob'], ['user: One question']]);
    expect(await app!.get(ChatMemory).get('ann')).toHaveLength(2);
  });

  it('are remembered while they are streamed, and by named clients', async () => {
    const model = answers();
    await start({ model, options: { memory: true } });
    const support = app!.get<ChatClient>(getChatClientToken('support'), { strict: false });
    for await (const _text of support.prompt('I am Ann').conversation('ann').stream().content());
    await support.prompt('Who am I?').conversation('ann').call().content();
    expect(sent(model)[1]).toHaveLength(3);
  });

  it('go on with a turn that waits for approval', async () => {
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('deleteClocks', {}, 'call_1')] }, 'Done', 'Yes']);
    const chatClient = await start({ model, options: { memory: true } });
    await chatClient.prompt('Delete all clocks').conversation('ann').call().content();
    const decided = chatClient
      .prompt()
      .conversation('ann')
      .toolApprovals([{ toolCallId: 'call_1', approved: true }]);
    expect(await decided.call().content()).toBe('Done');
    await chatClient.prompt('Are they gone?').conversation('ann').call().content();
    expect(sent(model)[2]).toEqual(['user: Delete all clocks', 'assistant: Done', 'user: Are they gone?']);
  });

  it.each<[string, Setting['options'] & object, Record<string, unknown>]>([
    ['a property', { properties: { chat: { memory: { enabled: true } } } }, {}],
    ['the configuration', {}, { ai: { chat: { memory: { enabled: 'true' } } } }],
    ['the option, beside other properties', { memory: true, properties: { chat: { memory: { maxMessages: 4 } } } }, {}],
  ])('may be turned on with %s', async (_way, options, configuration) => {
    const chatClient = await start({ model: answers(), options, configuration });
    await chatClient.prompt('I am Ann').conversation('ann').call().content();
    expect(await app!.get(ChatMemory).get('ann')).toHaveLength(2);
  });

  it('may be turned off by the configuration', async () => {
    const options = { memory: true };
    const chatClient = await start({ model: answers(), options, configuration: { 'ai.chat.memory.enabled': false } });
    expect(() => chatClient.prompt('I am Ann').conversation('ann').call()).toThrow(
      /AiModule\.forRoot\(\{ memory: true \}\)/,
    );
  });

  it('are refused where nothing remembers them', async () => {
    expect(() => ChatClient.create(answers()).prompt('I am Ann').conversation('ann').call()).toThrow(
      /but memory is off.*MessageChatMemoryAdvisor/,
    );
  });

  it('are part of a client that is made of the request', async () => {
    const model = answers();
    const ofAnn = (await start({ model, options: { memory: true } })).prompt('Hi').conversation('ann').mutate().build();
    await ofAnn.prompt().call().content();
    expect(await app!.get(ChatMemory).get('ann')).toHaveLength(2);
    const forgetful = ChatClient.create(model).prompt('Hi').conversation('ann').mutate().build();
    expect(() => forgetful.prompt().call()).toThrow('memory is off');
  });

  it('are remembered by the advisor of the request alone, where it has one', async () => {
    const model = answers();
    const chatClient = await start({ model, options: { memory: true } });
    const chatMemory = new MessageWindowChatMemory({ log: new InMemoryChatMemoryRepository() });
    const own = new MessageChatMemoryAdvisor({ chatMemory });
    await chatClient.prompt('I am Ann').conversation('ann').advisors(own).call().content();
    expect(await app!.get(ChatMemory).get('ann')).toEqual([]);
    expect(await chatMemory.get('ann')).toHaveLength(2);
  });

  it.each([undefined, '', '  ', 5])('are refused with the id %p', async (id) => {
    const chatClient = await start({ model: answers(), options: { memory: true } });
    expect(() => chatClient.prompt('I am Ann').conversation(id as string)).toThrow('conversationId');
  });

  it('need a memory that serves all requests', async () => {
    class RequestMemory extends MessageWindowChatMemory {}
    const given = [{ provide: ChatMemory, useFactory: () => new RequestMemory(), scope: Scope.REQUEST }];
    await expect(start({ model: answers(), options: { memory: true }, given })).rejects.toThrow(
      /ChatMemory given to AiModule is request-scoped/,
    );
  });

  it('leave a memory alone that lives as long as a request, where they are not remembered', async () => {
    const given = [{ provide: ChatMemory, useFactory: () => new MessageWindowChatMemory(), scope: Scope.REQUEST }];
    expect(await (await start({ model: answers(), given })).prompt('Hi').call().content()).toBe('Hello Ann');
  });

  const repository = { provide: ChatMemoryRepository, useClass: InMemoryChatMemoryRepository };

  it('are stored in the log, or the repository, that the application gives', async () => {
    const log = new InMemoryConversationLog();
    const options = { memory: true };
    const ofLog = await start({ model: answers(), options, given: [{ provide: ConversationLog, useValue: log }] });
    await ofLog.prompt('I am Ann').conversation('ann').call().content();
    expect(log.list()).toEqual(['ann']);
    await app!.close();
    const ofRepository = await start({ model: answers(), options, given: [repository] });
    await ofRepository.prompt('I am Ann').conversation('ann').call().content();
    expect(app!.get(ChatMemoryRepository).findConversationIds()).toEqual(['ann']);
    expect(app!.get(ConversationLog)).toBe(app!.get(ChatMemoryRepository));
  });

  it('are not stored in two places: the start says which one is in use, and the remedy works', async () => {
    const log = { provide: ConversationLog, useClass: InMemoryConversationLog };
    const options = { memory: true };
    await expect(start({ model: answers(), options, given: [log, repository] })).rejects.toThrow(
      /^AiModule has a ChatMemoryRepository and a ConversationLog, and only uses the log\. .*useExisting: ChatMemoryRepository/,
    );
    const remedy = { provide: ConversationLog, useExisting: ChatMemoryRepository };
    const chatClient = await start({ model: answers(), options, given: [log, repository, remedy] });
    await chatClient.prompt('I am Ann').conversation('ann').call().content();
    expect(app!.get(ChatMemoryRepository).findConversationIds()).toEqual(['ann']);
    await app!.close();
    // A memory of the application decides itself.
    const own = { provide: ChatMemory, useFactory: () => new MessageWindowChatMemory() };
    await start({ model: answers(), options, given: [log, repository, own] });
  });

  it('need a store that is there, and has the methods of one', () => {
    expect(() => new MessageWindowChatMemory({ log: undefined as never })).toThrow(
      'MessageWindowChatMemory was given no store. AiModule has one: inject ConversationLog.',
    );
    expect(() => new MessageWindowChatMemory({ log: { saveAll: () => undefined } as never })).toThrow(
      'The store of conversations must extend ConversationLog or ChatMemoryRepository.',
    );
  });
});

it.each([SafeGuardAdvisor.DEFAULT_ORDER, MessageChatMemoryAdvisor.DEFAULT_ORDER + 1])(
  'a question that a filter has refused does not close its conversation (order %d)',
  async (order) => {
    const model = new ScriptedChatModel([{ text: 'I', finishReason: 'content-filter' }, 'Hello Ann']);
    const client = await start({ model, options: { memory: true } });
    const guard = new SafeGuardAdvisor({ sensitiveWords: ['password'], failureResponse: 'No.', order });
    const ask = (text: string) => client.prompt(text).conversation('c').advisors(guard).call().content();
    expect(await ask('The password is 123')).toBe('No.');
    expect(await ask('What the provider refuses')).toBe('I');
    expect(await ask('I am Ann')).toBe('Hello Ann');
    expect(sent(model).at(-1)).toEqual([expect.stringContaining('I am Ann')]);
  },
);

it('a filter that refuses the result of a tool ends a turn, which is remembered', async () => {
  const model = new ScriptedChatModel([{ toolCalls: [toolCall('readClock')] }]);
  const client = await start({ model, options: { memory: true } });
  const guard = new SafeGuardAdvisor({ sensitiveWords: ['noon'], failureResponse: 'No.' });
  expect(await client.prompt('Time?').conversation('c').advisors(guard).call().content()).toBe('No.');
  expect((await app!.get(ChatMemory).get('c')).map(({ text }) => text)).toEqual(['Time?', 'No.']);
});

it('a turn whose tools the caller has run is remembered, also if a filter ends its answer', async () => {
  const model = new ScriptedChatModel([
    { toolCalls: [toolCall('readClock', {}, 'a')] },
    { text: 'It is', finishReason: 'content-filter' },
  ]);
  const client = await start({ model, options: { memory: true } });
  const options = { internalToolExecutionEnabled: false };
  await client.prompt('Time?').options(options).conversation('c').call().content();
  const result = new ToolResponseMessage({ responses: [{ id: 'a', name: 'readClock', responseData: 'noon' }] });
  await client.prompt().messages(result).options(options).conversation('c').call().content();
  expect((await app!.get(ChatMemory).get('c')).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
});
