import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Provider, Scope } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import {
  AiModule,
  ChatClient,
  DefaultToolCallingManager,
  type Embedding,
  EmbeddingModel,
  getChatClientToken,
  RegisterAdvisor,
  ToolCallingAdvisor,
  ToolCallingManager,
  ToolFilter,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
import {
  KeywordToolIndex,
  ToolIndex,
  ToolSearchAdvisors,
  ToolSearchToolCallingAdvisor,
  ToolSearchModule,
  type ToolSearchResponse,
  type VectorMatch,
  VectorStore,
} from '@nestor-ai/tool-search';
import { resultOf, startApplication } from '../nest/application.js';
import { provided, sent, startWithSearch, tool } from './application.js';

const TOOLS = provided(
  tool('getWeather', 'Tells the weather of a city'),
  tool('sendEmail', 'Sends an e-mail'),
  tool('bookFlight', 'Buys a plane ticket'),
);

const searching = (query: string): ScriptEntry[] => [{ toolCalls: [toolCall('toolSearchTool', { query })] }, 'done'];

/** Knows two directions: words about mail, and all others. */
class TwoWayModel extends EmbeddingModel {
  async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
    return texts.map((text) => (/mail|letter|post/i.test(text) ? [1, 0.1] : [0.1, 1]));
  }
}

/** An index of the application's own: always finds the same tool. */
class FixedIndex extends ToolIndex {
  indexTool(): void {}
  clearIndex(): void {}
  search({ query }: { query: string }): ToolSearchResponse {
    return {
      toolReferences: [{ toolName: 'bookFlight' }],
      totalMatches: 1,
      searchMetadata: { searchType: 'fixed', query, searchTimeMs: 0 },
    };
  }
}

describe('ai.chat.client.tool-search-advisor.enabled', () => {
  it('replaces the default loop, with no other change', async () => {
    const scene = await startWithSearch({ providers: [TOOLS] }, searching('send a mail'));
    await scene.client.prompt('Go').call().content();
    expect(sent(scene.model.prompts[0])).toEqual(['toolSearchTool']);
    expect(resultOf(scene)).toBe('["sendEmail"]');
  });

  it.each([[false], [undefined]])('changes nothing when it is %p', async (enabled) => {
    const scene = await startWithSearch({ providers: [TOOLS] }, ['done'], { enabled });
    await scene.client.prompt('Go').call().content();
    expect(sent(scene.model.lastPrompt)).toEqual(['getWeather', 'sendEmail', 'bookFlight']);
    expect(scene.app.get(ToolSearchAdvisors).of()).toBeUndefined();
  });

  it('is read once: a change while the application runs changes nothing', async () => {
    const key = 'ai.chat.client.tool-search-advisor.enabled';
    const scene = await startWithSearch({ providers: [TOOLS] }, ['done']);
    try {
      scene.app.get(ConfigService).set(key, false);
      await scene.client.prompt('Go').call().content();
      expect(sent(scene.model.lastPrompt)).toEqual(['toolSearchTool']);
    } finally {
      delete process.env[key];
    }
  });

  it('is followed from an environment variable, and from the options of the module under the configuration', async () => {
    process.env.AI_CHAT_CLIENT_TOOL_SEARCH_ADVISOR_ENABLED = 'true';
    try {
      const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true });
      const imports = [config, ToolSearchModule.forRoot({ properties: { enabled: false, maxResults: 1 } })];
      const scene = await startApplication({ imports, providers: [TOOLS] }, searching('weather, e-mail, plane'));
      await scene.client.prompt('Go').call().content();
      expect(JSON.parse(resultOf(scene))).toHaveLength(1);
    } finally {
      delete process.env.AI_CHAT_CLIENT_TOOL_SEARCH_ADVISOR_ENABLED;
    }
  });

  it('works with options from a factory, and without any', async () => {
    const useFactory = async () => ({ properties: { enabled: true } });
    const asynchronous = await startApplication(
      { imports: [ToolSearchModule.forRootAsync({ useFactory })], providers: [TOOLS] },
      searching('weather'),
    );
    await asynchronous.client.prompt('Go').call().content();
    expect(resultOf(asynchronous)).toBe('["getWeather"]');
    const plain = await startApplication({ imports: [ToolSearchModule], providers: [TOOLS] }, ['done']);
    await plain.client.prompt('Go').call().content();
    expect(sent(plain.model.lastPrompt)).toHaveLength(3);
  });

  it('is reported if the module of tool search is not imported', async () => {
    const support = AiModule.forFeature([{ name: 'support' }]);
    const start = (values: object) => {
      const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => values] });
      return startApplication({ imports: [config, support] });
    };
    const enabled = { ai: { chat: { client: { 'tool-search-advisor': { enabled: true } } } } };
    await expect(start(enabled)).rejects.toThrow(
      'ai.chat.client.tool-search-advisor.* needs ToolSearchModule of @nestor-ai/tool-search.',
    );
    await expect(start({ 'ai.clients.support.tool-search-advisor.enabled': true })).rejects.toThrow(
      'ai.clients.support.tool-search-advisor.* needs ToolSearchModule',
    );
  });

  it('is followed where only AiModule can see the configuration, and from its options', async () => {
    const values = { ai: { chat: { client: { 'tool-search-advisor': { enabled: true } } } } };
    const config = ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => values] });
    const seen = await startApplication({ imports: [ToolSearchModule.forRoot()], providers: [TOOLS] }, ['done'], {
      imports: [config],
    });
    await seen.client.prompt('Go').call().content();
    expect(sent(seen.model.lastPrompt)).toEqual(['toolSearchTool']);
    const given = await startApplication({ imports: [ToolSearchModule.forRoot()], providers: [TOOLS] }, ['done'], {
      properties: { chat: { client: { toolSearchAdvisor: { enabled: true } } } },
    });
    await given.client.prompt('Go').call().content();
    expect(sent(given.model.lastPrompt)).toEqual(['toolSearchTool']);
  });

  it('is told of when the search would live as long as a request', async () => {
    const search = ToolSearchModule.forRootAsync({
      inject: [REQUEST],
      useFactory: () => ({ properties: { enabled: true } }),
    });
    await expect(startApplication({ imports: [search], providers: [TOOLS] })).rejects.toThrow(
      'The AiExtension of ToolSearchModule is request-scoped',
    );
  });

  it('needs AiModule', async () => {
    const module = await Test.createTestingModule({ imports: [ToolSearchModule.forRoot()] }).compile();
    await expect(module.init()).rejects.toThrow('ToolSearchModule needs AiModule');
  });
});

describe('the properties of the tool search', () => {
  it.each([
    [
      { 'max-results': 0 },
      'ai.chat.client.tool-search-advisor.max-results is 0, but has to be a whole number greater than 0',
    ],
    [
      { 'tool-index-type': 'elastic' },
      "tool-index-type is 'elastic', but has to be keyword or vector or regex or hybrid",
    ],
    [{ 'max-result': 3 }, 'Did you mean ai.chat.client.tool-search-advisor.max-results?'],
    [{ eviction: { ttl: 'soon' } }, "eviction.ttl is 'soon', but has to be a duration"],
    [{ eviction: { 'lru-max-sessions': -1 } }, 'eviction.lru-max-sessions is -1'],
    [
      { keyword: { 'min-score-threshold': 3 } },
      'keyword.min-score-threshold is 3, but has to be a number between 0 and 1',
    ],
    [{ 'advisor-order': 'first' }, "advisor-order is 'first'"],
    [{ 'tool-index-type': 'vector' }, 'neither an EmbeddingModel nor a VectorStore'],
    [{ 'tool-index-type': 'hybrid' }, 'neither an EmbeddingModel nor a VectorStore'],
  ])('stop the bootstrap when they are wrong: %j', async (search, message) => {
    await expect(startWithSearch({ providers: [TOOLS] }, [], search)).rejects.toThrow(message);
  });

  it('are told of together with every other mistake', async () => {
    const wrong = startWithSearch({ providers: [TOOLS] }, [], { 'max-results': 'many', eviction: { ttl: -1 } });
    await expect(wrong).rejects.toThrow(/2 problems:[^]*max-results[^]*ttl/);
  });

  it('are followed', async () => {
    const scene = await startWithSearch({ providers: [TOOLS] }, [...searching('weather mail plane'), 'again'], {
      'max-results': 2,
      'system-message-suffix': ' Look for tools.',
      'session-id-key-name': 'tenant',
      'advisor-order': -100,
      'reference-tool-name-accumulation': false,
      eviction: { ttl: '10m', 'lru-max-sessions': 2 },
      lucene: { 'min-score-threshold': 0.01 },
      'tool-index-type': 'lucene',
    });
    const ask = () =>
      scene.client
        .prompt('Go')
        .system('Hello.')
        .advisors((spec) => spec.param('tenant', 't1'))
        .call()
        .content();
    await ask();
    expect(JSON.parse(resultOf(scene))).toHaveLength(2);
    await ask();
    expect(sent(scene.model.lastPrompt)).toHaveLength(3);
    expect(scene.model.lastPrompt!.systemMessage!.text).toBe('Hello. Look for tools.');
    const advisor = scene.app.get(ToolSearchAdvisors).of()!;
    expect(advisor.order).toBe(-100);
    await advisor.evictSession('t1');
  });
});

describe('the index of the application', () => {
  const spyOn = (embeddings: EmbeddingModel) => {
    const texts: string[] = [];
    const { embed } = embeddings;
    embeddings.embed = (asked) => {
      texts.push(...asked);
      return embed.call(embeddings, asked);
    };
    return texts;
  };

  it('searches by words alone where there are no embeddings', async () => {
    const scene = await startWithSearch({ providers: [TOOLS] }, searching('postman'));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toContain('No tool was found');
  });

  it.each([undefined, 'hybrid', 'vector'])('searches by meaning where there is an EmbeddingModel: %p', async (type) => {
    const model = new TwoWayModel();
    const texts = spyOn(model);
    const embeddings = { provide: EmbeddingModel, useValue: model };
    @Module({ providers: [embeddings] })
    class Elsewhere {}
    const scene = await startWithSearch({ imports: [Elsewhere], providers: [TOOLS] }, searching('postman'), {
      'tool-index-type': type,
    });
    await scene.client.prompt('Go').call().content();
    expect((JSON.parse(resultOf(scene)) as string[])[0]).toBe('sendEmail');
    expect(texts).toContain('postman');
    expect(texts.some((text) => text.startsWith('book Flight. Buys a plane ticket'))).toBe(true);
  });

  it('goes on by words alone when the embeddings fail', async () => {
    class Broken extends EmbeddingModel {
      async embed(): Promise<never> {
        throw new Error('No quota left.');
      }
    }
    const embeddings = { provide: EmbeddingModel, useClass: Broken };
    const scene = await startWithSearch({ providers: [TOOLS, embeddings] }, searching('weather'));
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('["getWeather"]');
  });

  it('uses the VectorStore of the application', async () => {
    const kept = new Map<string, string>();
    class Database extends VectorStore {
      async add(documents: readonly { id: string; text: string }[]) {
        for (const { id, text } of documents) kept.set(id, text);
      }
      async delete(ids: readonly string[]) {
        for (const id of ids) kept.delete(id);
      }
      async similaritySearch(): Promise<readonly VectorMatch[]> {
        return [...kept].map(([id, text]) => ({ id, score: text.includes('plane') ? 0.9 : 0.1 }));
      }
    }
    const scene = await startWithSearch(
      { providers: [TOOLS, { provide: VectorStore, useClass: Database }] },
      searching('anything'),
      { 'tool-index-type': 'vector' },
    );
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('["bookFlight"]');
    expect(kept.size).toBe(3);
  });

  it('is the one that the application provides, whatever the properties say', async () => {
    const index = { provide: ToolIndex, useClass: FixedIndex };
    const elsewhere = await startWithSearch({ providers: [TOOLS, index] }, searching('weather'), {
      'tool-index-type': 'vector',
    });
    await elsewhere.client.prompt('Go').call().content();
    expect(resultOf(elsewhere)).toBe('["bookFlight"]');
    const beside = await startWithSearch(
      { providers: [TOOLS] },
      searching('weather'),
      {},
      {
        forRoot: { providers: [index] },
      },
    );
    await beside.client.prompt('Go').call().content();
    expect(resultOf(beside)).toBe('["bookFlight"]');
  });

  it('is searched by words whatever is wrong with embeddings, where that is wanted', async () => {
    const scoped = { provide: EmbeddingModel, useClass: TwoWayModel, scope: Scope.REQUEST };
    const scene = await startWithSearch({ providers: [TOOLS, scoped] }, searching('weather'), {
      'tool-index-type': 'keyword',
    });
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('["getWeather"]');
    await expect(startWithSearch({ providers: [TOOLS, scoped] }, [])).rejects.toThrow(
      /The EmbeddingModel in RootTestModule is request-scoped.*Or set ai.chat.client.tool-search-advisor.tool-index-type to keyword/,
    );
  });

  it('stops the bootstrap when the embedding model of the configuration cannot be made', async () => {
    const sdk = AiSdkModule.forRoot({ provider: 'anthropic', embeddingName: 'voyage' });
    await expect(
      startWithSearch({ imports: [sdk], providers: [TOOLS] }, [], { 'tool-index-type': 'vector' }),
    ).rejects.toThrow('anthropic has no embedding models');
  });

  it('stops the bootstrap when it lives as long as a request, or is none', async () => {
    const scoped = { provide: ToolIndex, useClass: KeywordToolIndex, scope: Scope.REQUEST };
    await expect(startWithSearch({ providers: [TOOLS, scoped] }, [])).rejects.toThrow(
      'The ToolIndex in RootTestModule is request-scoped',
    );
    const nothing = { provide: ToolIndex, useValue: {} };
    await expect(startWithSearch({ providers: [TOOLS, nothing] }, [])).rejects.toThrow('has no search()');
  });
});

describe('clients with names', () => {
  const clients = AiModule.forFeature([
    { name: 'support', tools: [tool('openTicket', 'Opens a ticket'), tool('closeTicket', 'Closes a ticket')] },
    { name: 'sales', tools: [tool('makeOffer', 'Makes an offer')] },
  ]);

  it('search as all do, or as is said of them, each in sessions of its own', async () => {
    const scene = await startWithSearch(
      { imports: [clients], providers: [TOOLS] },
      [...searching('open'), ...searching('weather'), 'done', 'again'],
      {},
      {
        config: {
          'ai.clients.sales.tool-search-advisor.enabled': false,
          'ai.clients.support.tool-search-advisor.max-results': 1,
        },
      },
    );
    const ask = (name?: string) =>
      scene.app
        .get<ChatClient>(getChatClientToken(name))
        .prompt('Go')
        .advisors((spec) => spec.param('chat_memory_conversation_id', 'one'))
        .call()
        .content();
    await ask('support');
    expect(resultOf(scene)).toBe('["openTicket"]');
    await ask();
    expect(resultOf(scene)).toBe('["getWeather"]');
    await ask('sales');
    expect(sent(scene.model.lastPrompt)).toEqual(['makeOffer']);
    await ask('support');
    expect(sent(scene.model.lastPrompt)).toEqual(['toolSearchTool', 'openTicket']);
    expect(scene.app.get(ToolSearchAdvisors).of('support')).toBeInstanceOf(ToolSearchToolCallingAdvisor);
    expect(scene.app.get(ToolSearchAdvisors).of('sales')).toBeUndefined();
  });

  it('are told of what is wrong with the properties of one of them', async () => {
    const config = { 'ai.clients.support.tool-search-advisor.tool-index-type': 'vector' };
    const error = await startWithSearch({ imports: [clients] }, [], {}, { config }).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^ai.clients.support.tool-search-advisor.tool-index-type is vector, but/);
    const off = { ...config, 'ai.clients.support.enabled': false };
    await startWithSearch({ imports: [clients] }, [], {}, { config: off });
  });
});

describe('an application with two AiModules', () => {
  it('runs the tools of each with its own manager', async () => {
    const asked: string[] = [];
    const managed = (name: string): Provider => ({
      provide: ToolCallingManager,
      useClass: class extends DefaultToolCallingManager {
        override executeToolCalls(...given: Parameters<DefaultToolCallingManager['executeToolCalls']>) {
          asked.push(name);
          return super.executeToolCalls(...given);
        }
      },
    });
    const moduleOf = (name: string) => {
      const model = new ScriptedChatModel(searching('weather'));
      @Module({ imports: [AiModule.forRoot({ chatModel: model, isGlobal: false, providers: [managed(name)] })] })
      class Area {
        constructor(readonly client: ChatClient) {}
      }
      return Area;
    };
    const [One, Two] = [moduleOf('one'), moduleOf('two')];
    const search = ToolSearchModule.forRoot({ properties: { enabled: true } });
    const app = await Test.createTestingModule({ imports: [One, Two, search], providers: [TOOLS] }).compile();
    await app.init();
    for (const Area of [Two, One]) await app.get(Area).client.prompt('Go').call().content();
    expect(asked).toEqual(['two', 'one']);
    await app.close();
  });
});

describe('which loop runs', () => {
  @RegisterAdvisor()
  @Injectable()
  class OwnLoop extends ToolCallingAdvisor {}

  it('is one with @RegisterAdvisor() before the tool search, and the tool search before the ToolCallingAdvisor', async () => {
    const registered = await startWithSearch({ providers: [TOOLS, OwnLoop] }, ['done']);
    await registered.client.prompt('Go').call().content();
    expect(sent(registered.model.lastPrompt)).toHaveLength(3);
    const replaced = await startWithSearch(
      { providers: [TOOLS] },
      ['done'],
      {},
      {
        ai: { providers: [{ provide: ToolCallingAdvisor, useClass: class Other extends ToolCallingAdvisor {} }] },
      },
    );
    await replaced.client.prompt('Go').call().content();
    expect(sent(replaced.model.lastPrompt)).toEqual(['toolSearchTool']);
  });

  it('is none when tool calling is turned off', async () => {
    const config = { 'ai.chat.client.tool-calling.enabled': false };
    const scene = await startWithSearch({ providers: [TOOLS] }, ['done'], {}, { config });
    await scene.client.prompt('Go').call().content();
    expect(sent(scene.model.lastPrompt)).toHaveLength(3);
  });
});

describe('who may see which tools', () => {
  it('holds for the search as well: nobody finds what they may not see, and nobody is asked about the search itself', async () => {
    const asked: string[] = [];
    class Filter extends ToolFilter {
      isVisible({ toolDefinition, toolMetadata }: Parameters<ToolFilter['isVisible']>[0]) {
        asked.push(toolDefinition.name);
        return toolMetadata.category === 'public';
      }
    }
    const tools = provided(
      tool('readNews', 'Reads the news', { category: 'public' }),
      tool('readMail', 'Reads the mail of somebody', { category: 'secret' }),
    );
    const scene = await startWithSearch(
      { providers: [tools] },
      [{ toolCalls: [toolCall('toolSearchTool', { query: 'read the mail or the news' })] }, 'done'],
      {},
      { ai: { providers: [{ provide: ToolFilter, useClass: Filter }] } },
    );
    await scene.client.prompt('Go').call().content();
    expect(resultOf(scene)).toBe('["readNews"]');
    expect(asked).not.toContain('toolSearchTool');
  });
});

describe('a model of the application’s own', () => {
  it('searches in a script without a container', async () => {
    const model = new ScriptedChatModel([...searching('weather')]);
    const { ToolSearchToolCallingAdvisor } = await import('@nestor-ai/tool-search');
    const search = new ToolSearchToolCallingAdvisor({ toolIndex: new KeywordToolIndex() });
    const client = ChatClient.builder(model)
      .defaultTools(tool('getWeather', 'Tells the weather'), tool('sendEmail', 'Sends an e-mail'))
      .defaultAdvisors(search)
      .build();
    await client.prompt('Go').call().content();
    expect(sent(model.lastPrompt)).toEqual(['toolSearchTool', 'getWeather']);
  });
});
