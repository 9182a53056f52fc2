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
import { ScriptedChatModel, type ScriptEntry, toolCall } from '@nestor-ai/testing';
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

/** A custom index: finds the tools whose names are in the query, and records its searches. */
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
  it('offers the model one tool at first, and the found tools in the next round', async () => {
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

  it('indexes again if the tools change, but not if another list has the same tools', async () => {
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

  it("appends the search instructions to the application's system message", async () => {
    const it = scene(['1', '2'], {}, way);
    await it.ask('a');
    expect(it.model.lastPrompt!.systemMessage!.text).toBe(DEFAULT_SYSTEM_MESSAGE_SUFFIX.trim());
    const request = it.client.prompt('Go').system('Be brief.');
    await (way === 'call' ? request.call().content() : lastValueFrom(request.stream().content()));
    expect(it.model.lastPrompt!.systemMessage!.text).toBe(`Be brief.${DEFAULT_SYSTEM_MESSAGE_SUFFIX}`);
  });

  it('keeps found tools for later turns, even if no message mentions them', async () => {
    const it = scene([call(searchFor('mail')), 'Found', call(searchFor('clock')), 'Found', 'Bye'], {}, way);
    await it.ask('a');
    await it.ask('a');
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail', 'clock']);
  });

  it('offers a tool that the model calls without searching for it', async () => {
    const it = scene([call(toolCall('clock')), 'Noon', 'Still noon'], {}, way);
    await it.ask('a');
    expect(it.model.toolResponses).toEqual(['clock ran']);
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
  });
});

describe('a tool search', () => {
  it('requires an index, and rejects blank texts', () => {
    expect(() => new ToolSearchToolCallingAdvisor({} as never)).toThrow('toolIndex is required');
    const toolIndex = new NamingIndex();
    expect(() => new ToolSearchToolCallingAdvisor({ toolIndex, systemMessageSuffix: ' ' })).toThrow('must have text');
    expect(() => new ToolSearchToolCallingAdvisor({ toolIndex, maxResults: 0 })).toThrow('maxResults');
  });

  it('has the order of the default loop by default', () => {
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

  it('finds as many tools as the model requests, up to a limit', async () => {
    const sizes = [7, 500, 0, undefined];
    const searches = sizes.map((maxResults) => call(toolCall('toolSearchTool', { query: 'clock', maxResults })));
    const it = scene([...searches, 'Done'], { maxResults: 3 });
    await it.ask('a');
    expect(it.index.requests.map(({ maxResults }) => maxResults)).toEqual([7, 10, 1, 3]);
  });

  it('handles made-up names, blanks and unknown arguments', async () => {
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

  it('continues if the index fails, and searches again on the next request', async () => {
    const it = scene([call(searchFor('clock')), call(searchFor('clock')), 'Done']);
    it.index.failure = new Error('The database is gone.');
    expect(await it.ask('a')).toBe('Done');
    expect(it.model.toolResponses[0]).toContain('does not work at the moment');
    expect(it.model.toolResponses[0]).not.toContain('database');
  });

  it('continues if the tools cannot be indexed, and tries again on the next search', async () => {
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

  it('keeps sessions separate, and turns without a session too', async () => {
    const it = scene([call(searchFor('mail')), 'Found', 'b', call(searchFor('clock')), 'Found', 'none']);
    await it.ask('a');
    await it.ask('b');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'clock']);
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
  });

  it('shares an index between turns without a session that have the same tools', async () => {
    const it = scene(['1', '2', '3']);
    await it.ask();
    await it.ask();
    await it.ask(undefined, [...TOOLS]);
    expect(it.index.log.filter((entry) => entry.startsWith('index'))).toHaveLength(1);
  });

  it('reads the session id from a configured key', async () => {
    const it = scene(['1'], { sessionIdKeyName: 'tenant' });
    await it.ask('acme');
    expect(it.index.log.at(-1)).toBe('index acme weather clock mail calendar');
  });

  it('accepts a number as session id, and refuses values that would be the same for everyone', async () => {
    const it = scene(['1']);
    const ask = (id: unknown) =>
      it.client
        .prompt('Go')
        .advisors((spec) => spec.param('chat_memory_conversation_id', id))
        .call()
        .content();
    await ask(7);
    expect(it.index.log.at(-1)).toContain('index 7 ');
    await expect(ask({ id: 7 })).rejects.toThrow('must be a string, but is object');
  });

  it('distinguishes tools whose names differ only in case', async () => {
    const it = scene([call(toolCall('getx')), 'Done']);
    await it.ask('a', [tool('getX'), tool('getx')]);
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'getx']);
  });

  it('evicts the least recently used session', async () => {
    const it = scene(['1', '2', '3'], { evictionStrategy: new LruEvictionStrategy(1) });
    await it.ask('a');
    await it.ask('b');
    expect(it.index.log).toContain('clear a');
    expect([...it.index.sessions.keys()]).toEqual(['b']);
    await it.ask('a');
    expect([...it.index.sessions.keys()]).toEqual(['a']);
  });

  it('keeps searching if the session is evicted during its turn', async () => {
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

  it('evicts a session on request, with its found tools', async () => {
    const it = scene([call(searchFor('mail')), 'Found', 'Again']);
    await it.ask('a');
    await it.advisor.evictSession('a');
    expect([...it.index.sessions.keys()]).toEqual([]);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    expect([...it.index.sessions.keys()]).toEqual(['a']);
  });

  it('starts each turn empty if configured, and keeps found tools within the turn', async () => {
    const it = scene([call(searchFor('mail')), call(toolCall('mail')), 'Sent', 'Bye'], {
      evictionStrategy: AlwaysEvictStrategy.INSTANCE,
    });
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail']);
    await it.ask('a');
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool']);
    expect(it.index.log.filter((entry) => entry.startsWith('index'))).toHaveLength(2);
  });

  it('is not cleared by the late removal of a session with the same id', async () => {
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

  it('keeps the tools that a turn finds after its session was evicted', async () => {
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

  it('handles calls without a name', async () => {
    const it = scene([
      call({ id: '1', name: undefined as never, arguments: '{}' }),
      call({ id: '2', name: 7 as never, arguments: '{}' }),
      'Done',
    ]);
    expect(await it.ask('a')).toBe('Done');
  });

  it('keeps the order of the calls, regardless of which search finishes first', async () => {
    const it = scene([call(searchFor('mail'), searchFor('clock')), 'Done']);
    const { search } = it.index;
    it.index.search = (async (request: ToolSearchRequest) => {
      if (request.query === 'mail') await new Promise((resolve) => setTimeout(resolve, 10));
      return search.call(it.index, request);
    }) as never;
    await it.ask();
    expect(offered(it.model.lastPrompt)).toEqual(['toolSearchTool', 'mail', 'clock']);
  });

  it('works with a composite of strategies that includes AlwaysEvictStrategy', async () => {
    const it = scene(['1', '2', '3', '4'], {
      evictionStrategy: new CompositeEvictionStrategy(new AlwaysEvictStrategy(), new LruEvictionStrategy(2)),
    });
    for (const id of ['a', 'b', 'c', 'd']) await it.ask(id);
    expect([...it.index.sessions.keys()]).toEqual(['c', 'd']);
  });

  it('continues if a custom strategy fails', async () => {
    const evictionStrategy = {
      onAccess: () => {
        throw new Error('Not today.');
      },
      onRemoved: () => undefined,
    };
    const it = scene([call(searchFor('clock')), 'Done'], { evictionStrategy });
    expect(await it.ask('a')).toBe('Done');
  });

  it('works with an index that does not extend ToolIndex', async () => {
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

  it('always offers tools with alwaysAvailable, and the one that the model must call', async () => {
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

  it('does not change requests without searchable tools', async () => {
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

  it('reports a tool that has the name of the search tool', async () => {
    const it = scene(['1']);
    await expect(it.ask('a', [tool('toolSearchTool')])).rejects.toThrow(
      "has the name 'toolSearchTool' of the search tool",
    );
  });

  it('tells the model the existing categories', async () => {
    const tools = [tool('mail', { category: 'Office' }), tool('clock', { category: 'Time' })];
    const it = scene([call(toolCall('toolSearchTool', { query: 'ghostly', categoryFilter: 'Sports' })), 'Done']);
    await it.ask('a', tools);
    const [search] = offeredToolDefinitions(it.model.lastPrompt!.options);
    expect(JSON.stringify(search!.inputSchema)).toContain('One of: Office, Time.');
    expect(Object.keys(search!.inputSchema.properties!)).toEqual(['query', 'maxResults', 'categoryFilter']);
    expect(it.model.toolResponses).toEqual(["There is no category 'Sports'. Categories: Office, Time."]);
  });

  it('does not mix the tools of two parallel turns of one session', async () => {
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
