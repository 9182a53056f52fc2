import { describe, expect, it } from '@jest/globals';
import {
  ChatClient,
  FunctionToolCallback,
  type Message,
  offeredToolDefinitions,
  Ordered,
  type Prompt,
  ToolCallback,
  ToolResponseMessage,
  UserMessage,
  AssistantMessage,
} from '@nestor-ai/core';
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/core/testing';
import { lastValueFrom, toArray } from 'rxjs';
import {
  AlwaysEvictStrategy,
  CompositeEvictionStrategy,
  LruEvictionStrategy,
} from '../eviction/tool-index-eviction-strategy.js';
import {
  ToolIndex,
  type ToolReference,
  type ToolSearchRequest,
  type ToolSearchResponse,
} from '../tool-index/tool-index.js';
import {
  DEFAULT_SYSTEM_MESSAGE_SUFFIX,
  ToolSearchToolCallingAdvisor,
  type ToolSearchToolCallingAdvisorOptions,
} from './tool-search-tool-calling-advisor.js';

/** An index of somebody's own: finds the tools whose names are in the query, and tells what it was asked. */
class NamingIndex extends ToolIndex {
  readonly log: string[] = [];
  readonly requests: ToolSearchRequest[] = [];
  readonly sessions = new Map<string, readonly ToolReference[]>();
  failure: Error | undefined;

  override indexTool(sessionId: string, tool: ToolReference): void {
    this.sessions.set(sessionId, [...(this.sessions.get(sessionId) ?? []), tool]);
  }

  override async indexTools(sessionId: string, tools: readonly ToolReference[]): Promise<void> {
    this.log.push(`index ${sessionId} ${tools.map(({ toolName }) => toolName).join(' ')}`);
    for (const tool of tools) this.indexTool(sessionId, tool);
  }

  override clearIndex(sessionId: string): void | Promise<void> {
    this.log.push(`clear ${sessionId}`);
    this.sessions.delete(sessionId);
  }

  override search(request: ToolSearchRequest): ToolSearchResponse {
    this.requests.push(request);
    if (this.failure) throw this.failure;
    const words = request.query.split(' ');
    const known = new Map((this.sessions.get(request.sessionId) ?? []).map((tool) => [tool.toolName, tool]));
    const toolReferences = words.flatMap((word) => known.get(word) ?? (word === 'ghost' ? { toolName: 'ghost' } : []));
    const searchMetadata = { searchType: 'naming', query: request.query, searchTimeMs: 0 };
    return { toolReferences, totalMatches: toolReferences.length, searchMetadata };
  }
}

const NAMES = ['weather', 'clock', 'mail', 'calendar'];

function tool(name: string, metadata: object = {}): ToolCallback {
  return new FunctionToolCallback({
    name,
    description: `Does ${name}`,
    toolFunction: () => `${name} ran`,
    toolMetadata: { returnDirect: false, ...metadata },
  });
}

const TOOLS = Object.freeze(NAMES.map((name) => tool(name)));

const searchFor = (...names: string[]) => toolCall('toolSearchTool', { query: names.join(' ') });
const call = (...calls: ReturnType<typeof toolCall>[]): ScriptEntry => ({ toolCalls: calls });

interface Scene {
  readonly model: ScriptedChatModel;
  readonly index: NamingIndex;
  readonly advisor: ToolSearchToolCallingAdvisor;
  readonly client: ChatClient;
  ask(session?: string, tools?: readonly ToolCallback[]): Promise<string | undefined>;
}

function scene(
  script: readonly ScriptEntry[],
  options: Partial<ToolSearchToolCallingAdvisorOptions> = {},
  way: 'call' | 'stream' = 'call',
): Scene {
  const model = new ScriptedChatModel(script);
  const index = new NamingIndex();
  const advisor = new ToolSearchToolCallingAdvisor({ toolIndex: index, ...options });
  const client = ChatClient.builder(model).defaultTools(TOOLS).defaultAdvisors(advisor).build();
  const key = options.sessionIdKeyName ?? 'chat_memory_conversation_id';
  return {
    model,
    index,
    advisor,
    client,
    ask: async (session, tools) => {
      const request = client.prompt('Go').advisors((spec) => session !== undefined && spec.param(key, session));
      if (tools) request.tools(...tools);
      if (way === 'call') return request.call().content();
      return (await lastValueFrom(request.stream().content().pipe(toArray()))).join('');
    },
  };
}

function offered(prompt: Prompt | undefined): string[] {
  return offeredToolDefinitions(prompt?.options).map(({ name }) => name);
}

function offeredInEachRound({ model }: Scene): string[][] {
  return model.prompts.map(offered);
}

describe.each(['call', 'stream'] as const)('a tool search by %s', (way) => {
  it('shows the model one tool at first, and the tools that it has found in the round after', async () => {
    const it = scene([call(searchFor('weather')), call(toolCall('weather')), 'Sunny'], {}, way);
    expect(await it.ask('a')).toBe('Sunny');
    expect(offeredInEachRound(it)).toEqual([
      ['toolSearchTool'],
      ['toolSearchTool', 'weather'],
      ['toolSearchTool', 'weather'],
    ]);
    expect(it.model.toolResponses).toEqual(['["weather"]', 'weather ran']);
  });

  it('indexes the tools of a session once, in their order', async () => {
    const it = scene(['1', '2'], {}, way);
    await it.ask('a');
    await it.ask('a');
    expect(it.index.log).toEqual(['clear a', 'index a weather clock mail calendar']);
  });

  it('indexes again when the tools are others, and not when they are the same in another list', async () => {
    const it = scene(['1', '2', '3'], {}, way);
    await it.ask('a');
    await it.ask('a', [...TOOLS]);
    await it.ask('a', TOOLS.slice(0, 2));
    expect(it.index.log).toEqual([
      'clear a',
      'index a weather clock mail calendar',
      'clear a',
      'index a weather clock',
    ]);
  });

  it('tells the model of the search behind the instructions of the application', async () => {
    const it = scene(['1', '2'], {}, way);
    await it.ask('a');
    expect(it.model.lastPrompt!.systemMessage!.text).toBe(DEFAULT_SYSTEM_MESSAGE_SUFFIX.trim());
    const request = it.client.prompt('Go').system('Be brief.');
    await (way === 'call' ? request.call().content() : lastValueFrom(request.stream().content()));
    expect(it.model.lastPrompt!.systemMessage!.text).toBe(`Be brief.${DEFAULT_SYSTEM_MESSAGE_SUFFIX}`);
  });

  it('keeps what was found for the turns that follow, though no message tells of it', async () => {
    const it = scene([call(searchFor('mail')), 'Found', call(searchFor('clock')), 'Found', 'Bye'], {}, way);
    await it.ask('a');
    await it.ask('a');
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail', 'clock']);
  });

  it('gives a model the tool that it knows without having searched for it', async () => {
    const it = scene([call(toolCall('clock')), 'Noon', 'Still noon'], {}, way);
    await it.ask('a');
    expect(it.model.toolResponses).toEqual(['clock ran']);
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
  });
});

describe('a tool search', () => {
  it('needs an index, and text where text belongs', () => {
    expect(() => new ToolSearchToolCallingAdvisor({} as never)).toThrow('toolIndex is required');
    const toolIndex = new NamingIndex();
    expect(() => new ToolSearchToolCallingAdvisor({ toolIndex, systemMessageSuffix: ' ' })).toThrow('must have text');
    expect(() => new ToolSearchToolCallingAdvisor({ toolIndex, maxResults: 0 })).toThrow('maxResults');
  });

  it('stands where the default loop stands, unless it is told otherwise', () => {
    const toolIndex = new NamingIndex();
    const { name, order } = new ToolSearchToolCallingAdvisor({ toolIndex });
    expect({ name, order }).toEqual({
      name: 'ToolSearchToolCallingAdvisor',
      order: Ordered.HIGHEST_PRECEDENCE + 300,
    });
    const built = ToolSearchToolCallingAdvisor.builder().toolIndex(toolIndex).advisorOrder(7).maxResults(3).build();
    expect(built).toBeInstanceOf(ToolSearchToolCallingAdvisor);
    expect(built.order).toBe(7);
  });

  it('finds as many tools as the model asks for, within reason', async () => {
    const sizes = [7, 500, 0, undefined];
    const searches = sizes.map((maxResults) => call(toolCall('toolSearchTool', { query: 'clock', maxResults })));
    const it = scene([...searches, 'Done'], { maxResults: 3 });
    await it.ask('a');
    expect(it.index.requests.map(({ maxResults }) => maxResults)).toEqual([7, 10, 1, 3]);
  });

  it('is not led astray by what the model makes up: names, blanks, arguments that there are not', async () => {
    const it = scene([
      call(toolCall('toolSearchTool', { query: 'clock', limit: 3, maxResults: '2' })),
      call(toolCall('toolSearchTool', '{"query": 7')),
      call(toolCall('toolSearchTool', {})),
      call(toolCall('nonsense')),
      call(searchFor('ghost')),
      'Done',
    ]);
    expect(await it.ask('a')).toBe('Done');
    expect(it.model.toolResponses[0]).toBe('["clock"]');
    expect(it.model.toolResponses[2]).toContain('query');
    expect(it.model.toolResponses[3]).toBe("Unknown tool 'nonsense'. Available tools: toolSearchTool, clock.");
    expect(it.model.toolResponses[4]).toBe(
      "No tool was found for 'ghost'. Try other or more general words, or answer without a tool.",
    );
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
  });

  it('goes on when the index fails, and searches again when it is asked again', async () => {
    const it = scene([call(searchFor('clock')), call(searchFor('clock')), 'Done']);
    it.index.failure = new Error('The database is gone.');
    expect(await it.ask('a')).toBe('Done');
    expect(it.model.toolResponses[0]).toContain('does not work at the moment');
    expect(it.model.toolResponses[0]).not.toContain('database');
  });

  it('goes on when the tools cannot be indexed, and tries again at the next search', async () => {
    const it = scene([call(searchFor('clock')), call(searchFor('clock')), 'Done']);
    const { indexTools } = it.index;
    let failures = 1;
    it.index.indexTools = async (...args) => {
      if (failures-- > 0) throw new Error('No embeddings today.');
      return indexTools.apply(it.index, args);
    };
    expect(await it.ask('a')).toBe('Done');
    expect(it.model.toolResponses).toEqual([expect.stringContaining('does not work at the moment'), '["clock"]']);
  });

  it('goes on with what the messages tell of earlier searches, and passes over what is no list of names', async () => {
    const it = scene(['Done']);
    const answered = (name: string, responseData: string): Message[] => [
      new AssistantMessage({ toolCalls: [toolCall(name, {}, 'x')] }),
      new ToolResponseMessage({ responses: [{ id: 'x', name, responseData }] }),
    ];
    await it.client
      .prompt()
      .messages(
        new UserMessage('Hi'),
        ...answered('toolSearchTool', '["WEATHER", "unknown", 7]'),
        ...answered('toolSearchTool', 'The search for tools does not work at the moment.'),
        ...answered('toolSearchTool', '{"a": 1}'),
        ...answered('other', '["mail"]'),
      )
      .user('Go')
      .call()
      .content();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'weather']);
  });

  it('keeps only what the last search has found, where that is wanted; of searches at the same time, all', async () => {
    const it = scene([call(searchFor('mail')), call(searchFor('clock'), searchFor('weather')), 'Done'], {
      referenceToolNameAccumulation: false,
    });
    await it.ask('a');
    expect(offeredInEachRound(it).map((names) => names.slice(1).sort())).toEqual([[], ['mail'], ['clock', 'weather']]);
  });

  it('keeps sessions apart, also those of turns without a session', async () => {
    const it = scene([call(searchFor('mail')), 'Found', 'b', call(searchFor('clock')), 'Found', 'none']);
    await it.ask('a');
    await it.ask('b');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
  });

  it('makes one index for all turns without a session that have the same tools', async () => {
    const it = scene(['1', '2', '3']);
    await it.ask();
    await it.ask();
    await it.ask(undefined, [...TOOLS]);
    expect(it.index.log.filter((entry) => entry.startsWith('index'))).toHaveLength(1);
  });

  it('reads the session under another key where it lies there', async () => {
    const it = scene(['1'], { sessionIdKeyName: 'tenant' });
    await it.ask('acme');
    expect(it.index.log.at(-1)).toBe('index acme weather clock mail calendar');
  });

  it('takes a number for a session, and refuses what would be the same for everybody', async () => {
    const it = scene(['1']);
    const ask = (id: unknown) =>
      it.client
        .prompt('Go')
        .advisors((spec) => spec.param('chat_memory_conversation_id', id))
        .call()
        .content();
    await ask(7);
    expect(it.index.log.at(-1)).toContain('index 7 ');
    await expect(ask({ id: 7 })).rejects.toThrow('has to be a text, but is object');
  });

  it('tells two tools apart whose names differ in upper and lower case only', async () => {
    const it = scene([call(toolCall('getx')), 'Done']);
    await it.ask('a', [tool('getX'), tool('getx')]);
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'getx']);
  });

  it('forgets the session that was not used for the longest time', async () => {
    const it = scene(['1', '2', '3'], { evictionStrategy: new LruEvictionStrategy(1) });
    await it.ask('a');
    await it.ask('b');
    expect(it.index.log).toContain('clear a');
    expect([...it.index.sessions.keys()]).toEqual(['b']);
    await it.ask('a');
    expect([...it.index.sessions.keys()]).toEqual(['a']);
  });

  it('searches on when the session was forgotten while its turn went on', async () => {
    const it = scene([
      () => {
        void it.advisor.evictSession('a');
        return { toolCalls: [searchFor('clock')] };
      },
      'Done',
    ]);
    await it.ask('a');
    expect(it.model.toolResponses).toEqual(['["clock"]']);
  });

  it('forgets a session when it is told to, and what was found in it', async () => {
    const it = scene([call(searchFor('mail')), 'Found', 'Again']);
    await it.ask('a');
    await it.advisor.evictSession('a');
    expect([...it.index.sessions.keys()]).toEqual([]);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    expect([...it.index.sessions.keys()]).toEqual(['a']);
  });

  it('begins each turn anew where that is wanted, and keeps what it finds within the turn', async () => {
    const it = scene([call(searchFor('mail')), call(toolCall('mail')), 'Sent', 'Bye'], {
      evictionStrategy: AlwaysEvictStrategy.INSTANCE,
    });
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail']);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    expect(it.index.log.filter((entry) => entry.startsWith('index'))).toHaveLength(2);
  });

  it('is not emptied by the late end of a session of the same name', async () => {
    const it = scene([call(searchFor('mail')), 'x', call(searchFor('clock')), 'y', call(searchFor('clock')), 'z']);
    const { clearIndex } = it.index;
    it.index.clearIndex = async (id) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await clearIndex.call(it.index, id);
    };
    await it.ask('a');
    const evicting = it.advisor.evictSession('a');
    await it.ask('a');
    await evicting;
    await it.ask('a');
    expect(it.model.toolResponses.at(-1)).toBe('["clock"]');
  });

  it('keeps what a turn finds whose session was evicted while it went on', async () => {
    const it = scene([{ delay: 20, toolCalls: [searchFor('clock')] }, 'b', 'Done', 'Next'], {
      evictionStrategy: new LruEvictionStrategy(1),
    });
    const first = it.ask('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await it.ask('b');
    await first;
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
  });

  it('survives calls without a name', async () => {
    const it = scene([
      call({ id: '1', name: undefined as never, arguments: '{}' }),
      call({ id: '2', name: 7 as never, arguments: '{}' }),
      'Done',
    ]);
    expect(await it.ask('a')).toBe('Done');
  });

  it('keeps the order in which the model has asked, whichever search is answered first', async () => {
    const it = scene([call(searchFor('mail'), searchFor('clock')), 'Done']);
    const { search } = it.index;
    it.index.search = (async (request: ToolSearchRequest) => {
      if (request.query === 'mail') await new Promise((resolve) => setTimeout(resolve, 10));
      return search.call(it.index, request);
    }) as never;
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail', 'clock']);
  });

  it('knows the sessions in a composite of strategies of which one always begins anew', async () => {
    const it = scene(['1', '2', '3', '4'], {
      evictionStrategy: new CompositeEvictionStrategy(new AlwaysEvictStrategy(), new LruEvictionStrategy(2)),
    });
    for (const id of ['a', 'b', 'c', 'd']) await it.ask(id);
    expect([...it.index.sessions.keys()]).toEqual(['c', 'd']);
  });

  it('goes on when the strategy of somebody fails', async () => {
    const evictionStrategy = {
      onAccess: () => {
        throw new Error('Not today.');
      },
      onRemoved: () => undefined,
    };
    const it = scene([call(searchFor('clock')), 'Done'], { evictionStrategy });
    expect(await it.ask('a')).toBe('Done');
  });

  it('works with an index that only looks like one', async () => {
    const own = new NamingIndex();
    const toolIndex = {
      indexTool: own.indexTool.bind(own),
      indexTools: own.indexTools.bind(own),
      clearIndex: own.clearIndex.bind(own),
      search: own.search.bind(own),
    } as unknown as ToolIndex;
    const it = scene([call(searchFor('clock')), 'Done'], { toolIndex });
    await it.ask('a');
    expect(it.model.toolResponses).toEqual(['["clock"]']);
  });

  it('always offers the tools that say so, and one that the model has to call', async () => {
    const tools = [tool('help', { alwaysAvailable: true }), ...TOOLS];
    const it = scene([call(toolCall('mail')), 'Done']);
    await it.client
      .prompt('Go')
      .tools(tools)
      .options({ toolChoice: { toolName: 'mail' } })
      .call()
      .content();
    expect(offeredInEachRound(it)).toEqual([
      ['toolSearchTool', 'help', 'mail'],
      ['toolSearchTool', 'help', 'mail'],
    ]);
  });

  it('leaves requests alone that have nothing to search for', async () => {
    const it = scene(['1', '2']);
    await it.client.prompt('Go').tools().call().content();
    expect(offered(it.model.lastPrompt)).toEqual([]);
    await it.client
      .prompt('Go')
      .tools(tool('help', { alwaysAvailable: true }))
      .call()
      .content();
    expect(offered(it.model.lastPrompt)).toEqual(['help']);
    expect(it.model.lastPrompt!.systemMessage).toBeUndefined();
  });

  it('says so when a tool has the name of the search', async () => {
    const it = scene(['1']);
    await expect(it.ask('a', [tool('toolSearchTool')])).rejects.toThrow(
      "has the name 'toolSearchTool' of the one that finds tools",
    );
  });

  it('tells the model which categories there are', async () => {
    const tools = [tool('mail', { category: 'Office' }), tool('clock', { category: 'Time' })];
    const it = scene([call(toolCall('toolSearchTool', { query: 'ghostly', categoryFilter: 'Sports' })), 'Done']);
    await it.ask('a', tools);
    const [search] = offeredToolDefinitions(it.model.lastPrompt!.options);
    expect(JSON.stringify(search!.inputSchema)).toContain('One of: Office, Time.');
    expect(Object.keys(search!.inputSchema.properties!)).toEqual(['query', 'maxResults', 'categoryFilter']);
    expect(it.model.toolResponses).toEqual(["There is no category 'Sports'. Categories: Office, Time."]);
  });

  it('does not mix up the tools of two turns of one session at the same time', async () => {
    const it = scene([
      { toolCalls: [searchFor('mail', 'clock')], delay: 20 },
      { toolCalls: [searchFor('mail', 'clock')], delay: 20 },
      'one',
      'two',
    ]);
    await Promise.all([it.ask('a', [TOOLS[2]!]), it.ask('a', [TOOLS[1]!])]);
    const responses = it.model.prompts.slice(2).map((prompt) => {
      const last = prompt.messages.at(-1)!;
      return last.role === 'tool' ? last.responses[0]!.responseData : '';
    });
    expect(responses.sort()).toEqual(['["clock"]', '["mail"]']);
  });
});
