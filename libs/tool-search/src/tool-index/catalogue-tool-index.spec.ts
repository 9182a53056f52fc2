import { describe, expect, it } from '@jest/globals';
import { LetterModel, MAIL, many, names, TOOLS, WEATHER, WordModel } from '../../../../test/tool-search/indexes.js';
import { HybridToolIndex } from '../hybrid/hybrid-tool-index.js';
import { KeywordToolIndex } from '../keyword/keyword-tool-index.js';
import { RegexToolIndex } from '../regex/regex-tool-index.js';
import { SimpleVectorStore } from '../vector/simple-vector-store.js';
import { VectorToolIndex } from '../vector/vector-tool-index.js';
import type { CatalogueToolIndex } from './catalogue-tool-index.js';
import type { ToolReference } from './tool-index.js';

const KINDS: readonly (readonly [string, () => CatalogueToolIndex])[] = [
  ['keyword', () => new KeywordToolIndex()],
  ['regex', () => new RegexToolIndex()],
  ['vector', () => new VectorToolIndex({ embeddingModel: new LetterModel() })],
  ['hybrid', () => new HybridToolIndex({ embeddingModel: new LetterModel() })],
];

describe.each(KINDS)('a %s index', (kind, make) => {
  it('finds a tool by its name and description, best first, and reports how it searched', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    const response = await index.search({ sessionId: 'a', query: 'the weather of the city' });
    expect(response.toolReferences[0]).toMatchObject({ ...WEATHER, relevanceScore: 1 });
    expect(response.searchMetadata).toMatchObject({ searchType: kind, query: 'the weather of the city' });
    expect(response.searchMetadata.searchTimeMs).toBeGreaterThanOrEqual(0);
    expect(response.totalMatches).toBeGreaterThanOrEqual(response.toolReferences.length);
    expect((await names(index, 'send email'))[0]).toBe('send_email');
  });

  it('finds nothing in unknown and cleared sessions', async () => {
    const index = make();
    expect(await names(index, 'weather')).toEqual([]);
    await index.indexTools('a', TOOLS);
    await index.clearIndex('a');
    expect(await names(index, 'weather')).toEqual([]);
    expect(index.catalogueCount).toBe(0);
    await index.clearIndex('never there');
    await index.indexTools('a', []);
    expect(await names(index, 'weather')).toEqual([]);
  });

  it('keeps sessions separate', async () => {
    const index = make();
    await index.indexTools('a', [WEATHER]);
    await index.indexTools('b', [MAIL]);
    expect(await names(index, 'send email')).not.toContain('send_email');
    await index.clearIndex('b');
    expect(await names(index, 'weather')).toEqual(['getWeather']);
  });

  it('adds single tools at any time, and replaces one with the same name', async () => {
    const index = make();
    for (const tool of TOOLS) await index.indexTool('a', tool);
    await index.indexTool('a', { toolName: 'clock', summary: 'Rings a bell in the morning' });
    expect((await names(index, 'ring bell in the morning'))[0]).toBe('clock');
    const { toolReferences } = await index.search({ sessionId: 'a', query: 'clock' });
    expect(toolReferences.filter(({ toolName }) => toolName === 'clock')).toHaveLength(1);
  });

  it('adds many tools concurrently without losing one', async () => {
    const index = make();
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        index.indexTools('a', [{ toolName: `gadget${number}`, summary: 'A gadget of the workshop' }]),
      ),
    );
    expect(await names(index, 'gadget', { maxResults: 100 })).toHaveLength(60);
  });

  it('finds as many tools as requested', async () => {
    const index = make();
    const many = Array.from({ length: 30 }, (_, number) => ({ toolName: `gadget${number}`, summary: 'A gadget' }));
    await index.indexTools('a', many);
    expect(await names(index, 'gadget')).toHaveLength(10);
    expect(await names(index, 'gadget', { maxResults: 3 })).toHaveLength(3);
    expect(await names(index, 'gadget', { maxResults: 0 })).toHaveLength(1);
    expect(await names(index, 'gadget', { maxResults: 2.9 })).toHaveLength(2);
    expect(await names(index, 'gadget', { maxResults: Number.NaN })).toHaveLength(10);
  });

  it('finds only tools of the requested category', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    const query = 'tells the weather, sends a letter, tells the time';
    expect((await names(index, query, { categoryFilter: 'OFFICE' })).sort()).toEqual(['clock', 'send_email']);
    expect(await names(index, query, { categoryFilter: 'nowhere' })).toEqual([]);
    expect((await names(index, query, { categoryFilter: ' ' })).length).toBeGreaterThan(1);
  });

  it('adds the direct and indirect dependencies of a hit, each once', async () => {
    const index = make();
    await index.indexTools('a', [
      { toolName: 'bookFlight', summary: 'Buys a plane ticket', dependsOn: ['login', 'payment', 'missing'] },
      { toolName: 'payment', summary: 'xxxx', dependsOn: ['login'] },
      { toolName: 'login', summary: 'yyyy', dependsOn: ['network', 'bookFlight'] },
      { toolName: 'network', summary: 'zzzz' },
      { toolName: 'unrelated', summary: 'qqqq' },
    ]);
    const { toolReferences } = await index.search({ sessionId: 'a', query: 'buy a plane ticket', maxResults: 1 });
    expect(toolReferences.map(({ toolName, relevanceScore }) => ({ toolName, relevanceScore }))).toEqual([
      { toolName: 'bookFlight', relevanceScore: 1 },
      { toolName: 'login', relevanceScore: 0 },
      { toolName: 'payment', relevanceScore: 0 },
      { toolName: 'network', relevanceScore: 0 },
    ]);
  });

  it('shares a catalogue between sessions with the same tools in any order', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    for (let number = 0; number < 50; number++) await index.indexTools(`s${number}`, TOOLS);
    await index.indexTools('reversed', TOOLS.toReversed());
    for (const tool of TOOLS) await index.indexTool('one by one', tool);
    expect(index.catalogueCount).toBe(1);
    await index.indexTool('s7', { toolName: 'extra', summary: 'Something of its own' });
    expect(index.catalogueCount).toBe(2);
    expect(await names(index, 'something of its own')).not.toContain('extra');
    for (let number = 0; number < 50; number++) await index.clearIndex(`s${number}`);
    expect((await names(index, 'weather'))[0]).toBe('getWeather');
  });

  it.each(['', '   ', '?!', '🤷', 'x'.repeat(20_000), '((((', '[a-z', '\\', 'constructor __proto__', '天気を調べて'])(
    'answers something to the query %#',
    async (query) => {
      const index = make();
      await index.indexTools('a', TOOLS);
      expect((await index.search({ sessionId: 'a', query })).searchMetadata.query).toBe(query);
    },
  );

  it('accepts tools without description and with any names and schemas', async () => {
    const index = make();
    const odd: ToolReference[] = [
      { toolName: '__proto__' },
      { toolName: 'constructor', summary: '' },
      { toolName: '天気', summary: '天気を調べる' },
      { toolName: 'x', inputSchema: { properties: { a: null, b: { anyOf: [{ enum: [1, 'two'] }] } } } as never },
      { toolName: 'truth', inputSchema: true as never },
    ];
    await index.indexTools('a', odd);
    expect((await names(index, '天気'))[0]).toBe('天気');
    expect(await names(index, '__proto__ constructor')).toContain('constructor');
  });

  it('refuses tools without a session', async () => {
    await expect(make().indexTools('', TOOLS)).rejects.toThrow('sessionId cannot be empty');
  });
});

describe('tools that their owner changes', () => {
  it('keep the state at the time they were indexed', async () => {
    const store = new SimpleVectorStore({ embeddingModel: new WordModel() });
    const index = new VectorToolIndex(store);
    const mine = { toolName: 'x', summary: 'alpha beta' };
    await index.indexTools('a', [mine]);
    mine.summary = 'gamma delta';
    await index.indexTools('b', [{ toolName: 'x', summary: 'gamma delta' }]);
    await index.clearIndex('a');
    expect(await names(index, 'gamma', {}, 'b')).toEqual(['x']);
    await index.clearIndex('b');
    expect(store.size).toBe(0);
    const keyword = new KeywordToolIndex();
    const list = Object.freeze([{ toolName: 'y', summary: 'alpha' }]);
    await keyword.indexTools('a', list);
    list[0]!.summary = 'bravo';
    await keyword.replaceTools('a', list);
    expect(await names(keyword, 'bravo')).toEqual(['y']);
  });
});

describe('a search during a change', () => {
  it.each([
    ['keyword', () => new KeywordToolIndex()],
    ['hybrid', () => new HybridToolIndex({ embeddingModel: new WordModel() })],
  ])('finds the tools that existed when it started: %s', async (_kind, make) => {
    const index = make();
    await index.indexTools('a', many(20));
    const searching = index.search({ sessionId: 'a', query: 'zebra3' });
    await index.replaceTools(
      'a',
      many(20).filter((_, number) => number !== 3),
    );
    const { toolReferences } = await searching;
    expect(toolReferences[0]).toMatchObject({ toolName: 'tool_3', summary: 'Does the zebra3' });
    expect(await names(index, 'zebra3')).not.toContain('tool_3');
  });
});

describe('a tool that cannot be read', () => {
  it('is named in the error, and the others are kept', async () => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', many(3));
    const circle: Record<string, unknown> = {};
    circle.properties = circle;
    await expect(index.indexTool('a', { toolName: 'round', inputSchema: circle as never })).rejects.toThrow(
      "The tool 'round' cannot be indexed, because its schema cannot be serialized as JSON",
    );
    expect((await names(index, 'zebra1'))[0]).toBe('tool_1');
    await expect(index.indexTool('a', {} as never)).rejects.toThrow('without a toolName');
  });
});

describe('invalid metadata of tools', () => {
  it('is ignored', async () => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', [{ toolName: 'mail', summary: 7, category: 5, dependsOn: 5 } as never, ...many(2)]);
    expect(await names(index, 'mail')).toEqual(['mail']);
    expect(await names(index, 'mail', { categoryFilter: '5' })).toEqual([]);
  });
});

describe('endless queries', () => {
  const LONG = Array.from({ length: 30_000 }, (_, number) => `word${number}`).join(' ');

  const SPACES = ' '.repeat(200_000);
  const FIRST_TEN = many(10).map(({ toolName }) => toolName);

  it.each([
    ['a keyword index', KeywordToolIndex, { words: FIRST_TEN, word: [], spaces: [], spaced: [] }],
    ['a regex index', RegexToolIndex, { words: [], word: [], spaces: FIRST_TEN, spaced: FIRST_TEN }],
  ])('are answered like any other by %s', async (_kind, Index, expected) => {
    const index = new Index();
    await index.indexTools('a', many(50));
    expect({
      words: await names(index, LONG),
      word: await names(index, 'x'.repeat(200_000)),
      spaces: await names(index, SPACES),
      spaced: await names(index, `a${SPACES}b`),
    }).toEqual(expected);
  });
});
