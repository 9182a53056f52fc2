import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  AroundAdvisor,
  AssistantMessage,
  asUntrusted,
  ChatClient,
  type ChatClientRequest,
  ChatMemory,
  type Embedding,
  EmbeddingModel,
  FunctionToolCallback,
  InMemoryConversationLog,
  type Message,
  MessageChatMemoryAdvisor,
  MessageWindowChatMemory,
  type NextHandler,
  Ordered,
  ToolCallingAdvisor,
  UserMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, toolCall } from '@nestor-ai/testing';
import { ConversationSearchAdvisor, type ConversationSearchAdvisorOptions } from './conversation-search-advisor.js';

const log = new InMemoryConversationLog({ maxMessages: 100_000 });
let count = 0;

async function conversationOf(...turns: readonly (readonly Message[])[]): Promise<string> {
  const id = `conversation ${++count}`;
  for (const [at, messages] of turns.entries()) await log.append(id, `turn ${at}`, messages);
  return id;
}

const said = (question: string, answer = 'Noted.'): readonly Message[] => [
  new UserMessage(question),
  new AssistantMessage(answer),
];
const talk = Array.from({ length: 30 }, (_, at) => said(`Small talk number ${at}`));

/** What a model reads that searches for a query. */
async function search(id: string, query: string, options: Partial<ConversationSearchAdvisorOptions> = {}) {
  const model = new ScriptedChatModel([{ toolCalls: [toolCall('search_conversation', { query })] }, 'Done.']);
  const chatMemory = new MessageWindowChatMemory({ log, maxMessages: 4 });
  const client = ChatClient.builder(model)
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }), new ConversationSearchAdvisor({ log, ...options }))
    .build();
  await client.prompt('What was it?').conversation(id).call().content();
  const result = model.lastPrompt!.messages.at(-1)!;
  if (result.role !== 'tool') throw new Error('No tool ran.');
  return result.responses[0]!;
}

describe('a search in a conversation', () => {
  it('finds what has left the view, and says who said it', async () => {
    const id = await conversationOf(said('My locker has the number 4711', 'I keep that in mind.'), ...talk);
    expect((await search(id, 'locker')).responseData).toBe('{"turnsAgo":31,"user":"My locker has the number 4711"}');
    expect((await search(id, 'mind')).responseData).toBe('{"turnsAgo":32,"assistant":"I keep that in mind."}');
  });

  it.each([
    ['another form of a word', 'invoices', 'The invoice of May is paid'],
    ['a word with a typo', 'Sthubert', 'Play something of Schubert'],
    ['the beginning of a compound', 'Rechnung', 'Die Rechnungsnummer lautet 12'],
    ['the plural of a short word', 'keys', 'The key is blue'],
    ['a word without its accents', 'cafe zurich', 'Im Café in Zu\u0308rich'],
    ['another way to write ß', 'STRASSE', 'Die Straße ist lang'],
    ['characters of full width', 'CA1234', 'ＣＡ１２３４'],
    ['numbers in a text without spaces', '1,234', '价格是 1,234 元'],
    ['a Korean word with a particle', '열쇠', '열쇠를 서랍에 뒀어요'],
    ['a script without spaces', '航班', '我的航班是明天早上八点'],
    ['Thai', 'กุญแจ', 'ฉันเก็บกุญแจไว้ในลิ้นชัก'],
  ])('finds %s', async (_what, query, text) => {
    expect((await search(await conversationOf(said(text), ...talk), query)).responseData).toContain(text);
  });

  it('finds a place in a long result of a tool, and leaves out what it has found before', async () => {
    const call = { id: '1', name: 'readFile', arguments: '{}' };
    const responseData = `${'filler line\n'.repeat(2000)}The key is under the flowerpot.\n${'more filler\n'.repeat(2000)}`;
    const again = { id: '2', name: 'search_conversation', arguments: '{}' };
    const id = await conversationOf(
      [
        new UserMessage('Read it'),
        new AssistantMessage({ text: '', toolCalls: [call, again] }),
        {
          role: 'tool',
          responses: [
            { id: '1', name: 'readFile', responseData },
            { id: '2', name: 'search_conversation', responseData: 'flowerpot' },
          ],
        },
        new AssistantMessage('Read.'),
      ],
      ...talk,
    );
    const found = (await search(id, 'flowerpot')).responseData;
    expect(found).toContain('The key is under the flowerpot.');
    expect(found).toMatch(/^\{"turnsAgo":31,"result of readFile":/);
    expect(found.length).toBeLessThan(1200);
    expect(found.split('\n')).toHaveLength(1);
  });

  it('finds neither what the model sees, nor summaries, nor other conversations', async () => {
    await conversationOf(said('The password is swordfish'), ...talk);
    const id = await conversationOf(...talk, said('The password is tuna'));
    await log.append(id, 'summary', said('What?', 'The password was mentioned.'), { pin: 'summary' });
    await log.append(id, 'last', said('The password is cod'));
    expect((await search(id, 'password')).responseData).not.toMatch(/swordfish|mentioned|cod/);
    expect((await search(id, 'swordfish')).responseData).toMatch(/^Nothing in the earlier part .* 'swordfish'/);
  });

  it('gives the best passages first, as many as it may, from as far back as it may', async () => {
    const id = await conversationOf(said('Red paint for Oslo'), said('Red paint'), said('Red'), ...talk);
    expect((await search(id, 'red paint oslo', { maxResults: 2 })).responseData).toBe(
      '{"turnsAgo":33,"user":"Red paint for Oslo"}\n{"turnsAgo":32,"user":"Red paint"}',
    );
    const long = await conversationOf(
      said('The first word'),
      ...Array.from({ length: 700 }, (_, at) => said(`a ${at}`)),
    );
    expect((await search(long, 'first')).responseData).toContain('The first word');
    expect((await search(long, 'first', { maxMessages: 500 })).responseData).toMatch(/^Nothing/);
  });

  it('finds of equal passages only the newest', async () => {
    const asked = Array.from({ length: 8 }, () => said('What is my locker?'));
    const id = await conversationOf(said('My locker is 4711'), ...asked, ...talk);
    const found = (await search(id, 'locker')).responseData;
    expect(found.match(/What is my locker/g)).toHaveLength(1);
    expect(found).toContain('{"turnsAgo":31,"user":"What is my locker?"}');
    expect(found).toContain('4711');
  });

  it('takes a text that is nearly all spaces, and cuts no character in two', async () => {
    const id = await conversationOf(said(`${' '.repeat(2_000_000)}lighthouse`), said('😀'.repeat(3000)), ...talk);
    expect((await search(id, 'lighthouse')).responseData).toContain('lighthouse');
    expect((await search(id, '😀'.repeat(20))).responseData).not.toMatch(/\p{Cs}/u);
  });

  it('marks a result with a passage that strangers may have written, and no other', async () => {
    const [question, answer] = said('Sum up the mail', 'The mail says: send money to Kim');
    const id = await conversationOf([question!, asUntrusted(answer!)], said('Call Lee'), ...talk);
    expect((await search(id, 'Kim')).untrusted).toBe(true);
    expect((await search(id, 'Lee')).untrusted).toBeUndefined();
  });

  it.each(['', '   ', '!!!', '"}],', '*', '\u0000', 'constructor __proto__', 'x'.repeat(500)])(
    'takes the query %p',
    async (query) => {
      const id = await conversationOf(said('Something else entirely'), ...talk);
      expect((await search(id, query)).responseData).toMatch(/^Nothing in the earlier part/);
    },
  );
});

describe('a search by meaning', () => {
  /** Knows two fields of meaning. */
  class Fields extends EmbeddingModel {
    readonly texts: string[] = [];
    async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
      this.texts.push(...texts);
      return texts.map((text) => [Number(/car|vehicle|Volvo/.test(text)), Number(/flat|home|rent/.test(text)), 0.01]);
    }
  }

  it('finds other words for the same thing, and what has the words of the query as well first', async () => {
    const id = await conversationOf(said('We rent a flat'), said('My Volvo is blue'), said('The vehicle tax'), ...talk);
    expect((await search(id, 'car')).responseData).toMatch(/^Nothing/);
    const embeddingModel = new Fields();
    const found = (await search(id, 'car', { embeddingModel, maxResults: 2 })).responseData;
    expect(found).toMatch(/The vehicle tax.*\n.*My Volvo is blue/);
    const byBoth = (await search(id, 'blue Volvo', { embeddingModel, maxResults: 2 })).responseData;
    expect(byBoth).toMatch(/My Volvo is blue.*\n.*The vehicle tax/);
    expect((await search(id, 'blue', { embeddingModel, maxResults: 1 })).responseData).toContain('Volvo');
  });

  it('gives the model each passage once, and neither what is in view nor other conversations', async () => {
    await conversationOf(said('My car is secret'), ...talk);
    const id = await conversationOf(said('My Volvo is blue'), said('My Volvo is blue'), ...talk, said('A car in view'));
    const embeddingModel = new Fields();
    const advisor = new ConversationSearchAdvisor({ log, embeddingModel });
    for (const query of ['car', 'a car']) {
      const model = new ScriptedChatModel([{ toolCalls: [toolCall('search_conversation', { query })] }, 'Done.']);
      const chatMemory = new MessageWindowChatMemory({ log, maxMessages: 4 });
      const memory = new MessageChatMemoryAdvisor({ chatMemory });
      const client = ChatClient.builder(model).defaultAdvisors(memory, advisor).build();
      await client.prompt('Which?').conversation(id).call().content();
      expect(model.toolResponses.at(-1)).toMatch(/^[^\n]*My Volvo is blue/);
      expect(model.toolResponses.at(-1)).not.toMatch(/secret|in view/);
    }
    expect(embeddingModel.texts.filter((text) => text === 'My Volvo is blue')).toHaveLength(1);
    expect(embeddingModel.texts.join()).not.toContain('secret');
  });

  it('marks a passage that strangers may have written', async () => {
    const [question, answer] = said('Read the page', 'The page says: the Volvo is for sale');
    const id = await conversationOf([question!, asUntrusted(answer!)], ...talk);
    expect((await search(id, 'car', { embeddingModel: new Fields(), maxResults: 1 })).untrusted).toBe(true);
  });

  it.each<[string, (texts: readonly string[]) => unknown]>([
    ['fails', () => Promise.reject(new Error('SECRET'))],
    [
      'throws',
      () => {
        throw new Error('SECRET');
      },
    ],
    ['returns too few vectors', () => []],
    ['returns no vectors', () => undefined],
    ['returns texts', (texts) => texts],
    ['returns vectors of other lengths', (texts) => texts.map((text) => new Float32Array(text.length).fill(1))],
    ['returns no numbers', (texts) => texts.map(() => [Number.NaN, 1])],
    ['returns zeros', (texts) => texts.map(() => [0, 0])],
  ])('finds by words when the model %s', async (_what, answer) => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    class Broken extends EmbeddingModel {
      async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
        return (await answer(texts)) as readonly Embedding[];
      }
    }
    const id = await conversationOf(said('My locker has the number 4711'), ...talk);
    const { responseData } = await search(id, 'locker', { embeddingModel: new Broken() });
    expect(responseData.split('\n')[0]).toBe('{"turnsAgo":31,"user":"My locker has the number 4711"}');
    expect(log.mock.calls.join()).not.toMatch(/SECRET|locker/);
    log.mockRestore();
  });

  it('warns once of a model that fails, and leaves it alone for a while', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    let asked = 0;
    class Failing extends EmbeddingModel {
      embed(): Promise<never> {
        asked++;
        return Promise.reject(Object.assign(new Error('SECRET'), { code: 'ECONNREFUSED' }));
      }
    }
    const id = await conversationOf(said('My locker has the number 4711'), ...talk);
    const find = (query: string) => ({ toolCalls: [toolCall('search_conversation', { query })] });
    const client = ChatClient.builder(new ScriptedChatModel([find('locker'), find('number'), 'Done.']))
      .defaultAdvisors(new ConversationSearchAdvisor({ log, embeddingModel: new Failing() }))
      .build();
    const spec = client.prompt('Where?').advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, id));
    expect(await spec.call().content()).toBe('Done.');
    expect(asked).toBe(1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/by meaning \(ECONNREFUSED\).*Check the EmbeddingModel/)]]);
    warn.mockRestore();
  });

  it('ends with its request, whatever the model does', async () => {
    const abort = new AbortController();
    class Hanging extends EmbeddingModel {
      embed(): Promise<never> {
        abort.abort(new Error('gone'));
        return new Promise(() => undefined);
      }
    }
    const id = await conversationOf(said('My locker has the number 4711'), ...talk);
    const model = new ScriptedChatModel([{ toolCalls: [toolCall('search_conversation', { query: 'car' })] }, 'Done.']);
    const client = ChatClient.builder(model)
      .defaultAdvisors(new ConversationSearchAdvisor({ log, embeddingModel: new Hanging() }))
      .build();
    const spec = client.prompt('Where?').advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, id));
    await expect(spec.options({ signal: abort.signal }).call().content()).rejects.toThrow('gone');
  });
});

describe('ConversationSearchAdvisor', () => {
  const model = new ScriptedChatModel(() => 'Done.');
  const tools = (): readonly string[] =>
    (model.lastPrompt!.options?.toolCallbacks ?? []).map(({ toolDefinition }) => toolDefinition.name);
  const clientWith = (...own: FunctionToolCallback[]): ChatClient =>
    ChatClient.builder(model)
      .defaultTools(...own)
      .defaultAdvisors(
        new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory({ log }) }),
        new ConversationSearchAdvisor({ log }),
      )
      .build();

  it('gives the tool to requests with a conversation, beside their own', async () => {
    const own = new FunctionToolCallback({ name: 'own', toolFunction: () => 'ok' });
    await clientWith(own).prompt('Hi').conversation('c').call().content();
    expect(tools()).toEqual(['own', 'search_conversation']);
    const alone = ChatClient.builder(model).defaultTools(own).defaultAdvisors(new ConversationSearchAdvisor({ log }));
    await alone.build().prompt('Hi').call().content();
    expect(tools()).toEqual(['own']);
  });

  it('stands with a memory inside the tool loop', async () => {
    const chatMemory = new MessageWindowChatMemory({ log, maxMessages: 4 });
    const id = await conversationOf(said('My cat is called Minka'), ...talk);
    const script = new ScriptedChatModel([{ toolCalls: [toolCall('search_conversation', { query: 'cat' })] }, 'Minka']);
    const memory = new MessageChatMemoryAdvisor({ chatMemory, order: ToolCallingAdvisor.DEFAULT_ORDER + 100 });
    const client = ChatClient.builder(script).defaultAdvisors(memory, new ConversationSearchAdvisor({ log })).build();
    expect(await client.prompt('And my cat?').conversation(id).call().content()).toBe('Minka');
    expect(script.toolResponses).toEqual(['{"turnsAgo":31,"user":"My cat is called Minka"}']);
  });

  it('searches the conversation of each of two requests that an advisor makes of one', async () => {
    for (const place of ['a', 'b']) await log.append(place, 'x', said(`My locker is in ${place}`));
    class Both extends AroundAdvisor {
      readonly name = 'Both';
      override readonly order = Ordered.HIGHEST_PRECEDENCE;
      async around(request: ChatClientRequest, next: NextHandler) {
        const to = async (id: string) =>
          next.handle({ ...request, context: { ...request.context, [ChatMemory.CONVERSATION_ID]: id } });
        const [first] = await Promise.all([to('a'), to('b')]);
        return first!;
      }
    }
    const script = new ScriptedChatModel(({ messages }) =>
      messages.at(-1)!.role === 'tool'
        ? 'Done.'
        : { toolCalls: [toolCall('search_conversation', { query: 'locker' })] },
    );
    await ChatClient.builder(script)
      .defaultAdvisors(new Both(), new ConversationSearchAdvisor({ log }))
      .build()
      .prompt('Where?')
      .call()
      .content();
    const found = script.prompts.flatMap(({ messages }) => {
      const last = messages.at(-1)!;
      return last.role === 'tool' ? last.responses.map(({ responseData }) => responseData) : [];
    });
    expect(found.toSorted()).toEqual([
      '{"turnsAgo":1,"user":"My locker is in a"}',
      '{"turnsAgo":1,"user":"My locker is in b"}',
    ]);
  });

  it('reads the conversation once in a turn, and again after a failure', async () => {
    let reads = 0;
    class Failing extends InMemoryConversationLog {
      override read(...given: Parameters<InMemoryConversationLog['read']>) {
        if (++reads === 1) throw new Error('down');
        return super.read(...given);
      }
    }
    const failing = new Failing();
    failing.append('c', 'x', said('My locker is 4711'));
    const find = (query: string) => ({ toolCalls: [toolCall('search_conversation', { query })] });
    const script = new ScriptedChatModel([find('a locker'), find('locker'), find('my locker'), 'Done.']);
    const client = ChatClient.builder(script)
      .defaultAdvisors(new ConversationSearchAdvisor({ log: failing }))
      .build();
    const spec = client.prompt('Where?').advisors((advisors) => advisors.param(ChatMemory.CONVERSATION_ID, 'c'));
    await spec.call().content();
    expect(script.toolResponses.slice(1)).toEqual(
      Array.from({ length: 2 }, () => '{"turnsAgo":1,"user":"My locker is 4711"}'),
    );
    expect(reads).toBe(2);
  });

  it('gives no tool to a request whose tools its caller runs, and one to a request with two advisors', async () => {
    const asked = clientWith().prompt('Hi').conversation('c');
    await asked.options({ internalToolExecutionEnabled: false }).call().content();
    expect(tools()).toEqual([]);
    await clientWith().prompt('Hi').conversation('c').advisors(new ConversationSearchAdvisor({ log })).call().content();
    expect(tools()).toEqual(['search_conversation']);
  });

  it('refuses another tool of the same name', async () => {
    const own = new FunctionToolCallback({ name: 'search_conversation', toolFunction: () => 'ok' });
    await expect(clientWith(own).prompt('Hi').conversation('c').call().content()).rejects.toThrow(
      /^Rename your tool 'search_conversation'/,
    );
  });

  it.each([
    [{ log: undefined as never }, /needs a log.*inject ConversationLog/],
    [{ log, embeddingModel: 'small' as never }, /is no EmbeddingModel/],
    [{ log, maxMessages: 0 }, /^maxMessages must be a whole number/],
    [{ log, maxResults: 1.5 }, /^maxResults must be a whole number/],
  ])('refuses the options %p', (options, message) => {
    expect(() => new ConversationSearchAdvisor(options)).toThrow(message);
  });
});
