import { describe, expect, it } from '@jest/globals';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { HybridToolIndex } from './hybrid/hybrid-tool-index.js';
import { KeywordToolIndex } from './keyword/keyword-tool-index.js';
import { RegexToolIndex } from './regex/regex-tool-index.js';
import { SimpleVectorStore } from './vector/simple-vector-store.js';
import { VectorToolIndex } from './vector/vector-tool-index.js';
import type { CatalogueToolIndex } from './tool-index/catalogue-tool-index.js';
import type { ToolReference } from './tool-index/tool-index.js';

/** Meaning by letters: texts with the same two letters in a row are near each other. */
class LetterModel extends EmbeddingModel {
  embedded: string[] = [];

  async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
    this.embedded.push(...texts);
    return texts.map((text) => {
      const vector = new Float32Array(1024);
      const letters = text.toLowerCase().replace(/[^\p{L}]+/gu, ' ');
      for (let at = 0; at + 2 <= letters.length; at++) {
        let hash = 7;
        for (const letter of letters.slice(at, at + 2)) hash = (hash * 31 + letter.charCodeAt(0)) % 1021;
        vector[hash]! += 1;
      }
      return vector;
    });
  }
}

const KINDS: readonly (readonly [string, () => CatalogueToolIndex])[] = [
  ['keyword', () => new KeywordToolIndex()],
  ['regex', () => new RegexToolIndex()],
  ['vector', () => new VectorToolIndex({ embeddingModel: new LetterModel() })],
  ['hybrid', () => new HybridToolIndex({ embeddingModel: new LetterModel() })],
];

const WEATHER: ToolReference = { toolName: 'getWeather', summary: 'Tells the weather of a city', category: 'Outside' };
const MAIL: ToolReference = { toolName: 'send_email', summary: 'Sends a letter to somebody', category: 'Office' };
const CLOCK: ToolReference = { toolName: 'clock', summary: 'Tells the current time', category: 'office' };
const TOOLS = Object.freeze([WEATHER, MAIL, CLOCK]);

async function found(index: CatalogueToolIndex, query: string, more: object = {}): Promise<string[]> {
  const { toolReferences } = await index.search({ sessionId: 'a', query, ...more });
  return toolReferences.map(({ toolName }) => toolName);
}

describe.each(KINDS)('a %s index', (kind, make) => {
  it('finds a tool by its name and by what it does, the best first, and says how it has searched', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    const response = await index.search({ sessionId: 'a', query: 'the weather of the city' });
    expect(response.toolReferences[0]).toMatchObject({ ...WEATHER, relevanceScore: 1 });
    expect(response.searchMetadata).toMatchObject({ searchType: kind, query: 'the weather of the city' });
    expect(response.searchMetadata.searchTimeMs).toBeGreaterThanOrEqual(0);
    expect(response.totalMatches).toBeGreaterThanOrEqual(response.toolReferences.length);
    expect((await found(index, 'send email'))[0]).toBe('send_email');
  });

  it('finds nothing in a session that it does not know, nor in one that was cleared', async () => {
    const index = make();
    expect(await found(index, 'weather')).toEqual([]);
    await index.indexTools('a', TOOLS);
    await index.clearIndex('a');
    expect(await found(index, 'weather')).toEqual([]);
    expect(index.catalogueCount).toBe(0);
    await index.clearIndex('never there');
    await index.indexTools('a', []);
    expect(await found(index, 'weather')).toEqual([]);
  });

  it('keeps sessions apart', async () => {
    const index = make();
    await index.indexTools('a', [WEATHER]);
    await index.indexTools('b', [MAIL]);
    expect(await found(index, 'send email')).not.toContain('send_email');
    await index.clearIndex('b');
    expect(await found(index, 'weather')).toEqual(['getWeather']);
  });

  it('takes tools one by one, at any time, also in place of one of the same name', async () => {
    const index = make();
    for (const tool of TOOLS) await index.indexTool('a', tool);
    await index.indexTool('a', { toolName: 'clock', summary: 'Rings a bell in the morning' });
    expect((await found(index, 'ring bell in the morning'))[0]).toBe('clock');
    const { toolReferences } = await index.search({ sessionId: 'a', query: 'clock' });
    expect(toolReferences.filter(({ toolName }) => toolName === 'clock')).toHaveLength(1);
  });

  it('takes many tools at the same time without losing one', async () => {
    const index = make();
    await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        index.indexTools('a', [{ toolName: `gadget${number}`, summary: 'A gadget of the workshop' }]),
      ),
    );
    expect(await found(index, 'gadget', { maxResults: 100 })).toHaveLength(60);
  });

  it('finds as many as are asked for', async () => {
    const index = make();
    const many = Array.from({ length: 30 }, (_, number) => ({ toolName: `gadget${number}`, summary: 'A gadget' }));
    await index.indexTools('a', many);
    expect(await found(index, 'gadget')).toHaveLength(10);
    expect(await found(index, 'gadget', { maxResults: 3 })).toHaveLength(3);
    expect(await found(index, 'gadget', { maxResults: 0 })).toHaveLength(1);
    expect(await found(index, 'gadget', { maxResults: 2.9 })).toHaveLength(2);
    expect(await found(index, 'gadget', { maxResults: Number.NaN })).toHaveLength(10);
  });

  it('finds only tools of the category that is asked for', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    const query = 'tells the weather, sends a letter, tells the time';
    expect((await found(index, query, { categoryFilter: 'OFFICE' })).sort()).toEqual(['clock', 'send_email']);
    expect(await found(index, query, { categoryFilter: 'nowhere' })).toEqual([]);
    expect((await found(index, query, { categoryFilter: ' ' })).length).toBeGreaterThan(1);
  });

  it('brings along the tools that a hit depends on, also through others, each once', async () => {
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

  it('shares what sessions with the same tools have in common, whatever order they come in', async () => {
    const index = make();
    await index.indexTools('a', TOOLS);
    for (let number = 0; number < 50; number++) await index.indexTools(`s${number}`, TOOLS);
    await index.indexTools('reversed', TOOLS.toReversed());
    for (const tool of TOOLS) await index.indexTool('one by one', tool);
    expect(index.catalogueCount).toBe(1);
    await index.indexTool('s7', { toolName: 'extra', summary: 'Something of its own' });
    expect(index.catalogueCount).toBe(2);
    expect(await found(index, 'something of its own')).not.toContain('extra');
    for (let number = 0; number < 50; number++) await index.clearIndex(`s${number}`);
    expect((await found(index, 'weather'))[0]).toBe('getWeather');
  });

  it.each(['', '   ', '?!', '🤷', 'x'.repeat(20_000), '((((', '[a-z', '\\', 'constructor __proto__', '天気を調べて'])(
    'answers something to the query %#',
    async (query) => {
      const index = make();
      await index.indexTools('a', TOOLS);
      expect((await index.search({ sessionId: 'a', query })).searchMetadata.query).toBe(query);
    },
  );

  it('takes tools as they come: without a description, with names and schemas of any kind', async () => {
    const index = make();
    const odd: ToolReference[] = [
      { toolName: '__proto__' },
      { toolName: 'constructor', summary: '' },
      { toolName: '天気', summary: '天気を調べる' },
      { toolName: 'x', inputSchema: { properties: { a: null, b: { anyOf: [{ enum: [1, 'two'] }] } } } as never },
      { toolName: 'truth', inputSchema: true as never },
    ];
    await index.indexTools('a', odd);
    expect((await found(index, '天気'))[0]).toBe('天気');
    expect(await found(index, '__proto__ constructor')).toContain('constructor');
  });

  it('refuses tools that are of no session', async () => {
    await expect(make().indexTools('', TOOLS)).rejects.toThrow('sessionId cannot be empty');
  });
});

describe('a keyword index', () => {
  it.each([
    ['HTTP status', 'getHTTPStatus_v2'],
    ['forecasting', 'weatherForecast'],
    ['purchase a vehicle', 'buyCar'],
    ['please log me in', 'login'],
    ['zip code', 'lookUp'],
    ['celsius', 'convert'],
  ])('finds %p', async (query, toolName) => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', [
      { toolName: 'getHTTPStatus_v2' },
      { toolName: 'weatherForecast' },
      { toolName: 'buyCar' },
      { toolName: 'login' },
      { toolName: 'lookUp', inputSchema: { properties: { zipCode: { type: 'string' } } } },
      { toolName: 'convert', inputSchema: { properties: { unit: { enum: ['celsius', 'kelvin'] } } } },
      { toolName: 'other', summary: 'Something else altogether' },
    ]);
    expect((await found(index, query))[0]).toBe(toolName);
  });

  it('leaves out what fits far worse than the best', async () => {
    const tools = [
      { toolName: 'sendParcelReminder', summary: 'Reminds the receiver of a parcel that waits' },
      { toolName: 'misc', summary: `Many things ${'and others '.repeat(40)} such as a parcel` },
    ];
    const strict = new KeywordToolIndex({ minScoreThreshold: 0.25 });
    const lax = new KeywordToolIndex({ minScoreThreshold: 0 });
    for (const index of [strict, lax]) await index.indexTools('a', tools);
    const query = 'send the receiver a reminder of the parcel';
    expect(await found(strict, query)).toEqual(['sendParcelReminder']);
    expect(await found(lax, query)).toEqual(['sendParcelReminder', 'misc']);
    expect(() => new KeywordToolIndex({ minScoreThreshold: 2 })).toThrow('between 0 and 1');
  });

  it('has a long request for several things answered by several tools', async () => {
    const index = new KeywordToolIndex();
    const cities = Array.from({ length: 6 }, (_, number) => ({
      toolName: `weatherReport${number}`,
      summary: 'Weather report with temperature, wind and rain for a city on a day',
    }));
    await index.indexTools('a', [...cities, { toolName: 'reserveTable', summary: 'Reserve a table in a restaurant' }]);
    const query =
      'Give me the weather report for Lisbon with temperature, wind, rain and humidity on Saturday evening in that city, and afterwards ' +
      'reserve a table for four people at a restaurant near the harbour';
    expect((await found(index, query, { maxResults: 3 })).slice(0, 3)).toContain('reserveTable');
  });
});

describe('a regex index', () => {
  const index = new RegexToolIndex();

  it('makes a pattern of words', () => {
    expect(index.convertQueryToRegexPattern('weather tools')).toBe('(?i)(weather|tools)');
    expect(index.convertQueryToRegexPattern('The WEATHER, the I')).toBe('(?i)(weather)');
    expect(index.convertQueryToRegexPattern('the')).toBe('(?i)(the)');
    expect(index.convertQueryToRegexPattern(' ')).toBe('.*');
    expect(index.convertQueryToRegexPattern('a+b c++')).toBe(String.raw`(?i)(a\+b|c\+\+)`);
    expect(index.convertQueryToRegexPattern('longword '.repeat(3) + 'w'.repeat(300)).length).toBeLessThan(200);
  });

  it('knows which patterns can be searched for', () => {
    expect(index.isValidPattern('^git.*')).toBe(true);
    for (const pattern of ['[a', '(?=x)', String.raw`(a)\1`, null, undefined, 7]) {
      expect(index.isValidPattern(pattern)).toBe(false);
    }
  });

  it('finds by a pattern where the query is one, and by words where it only looks like one', async () => {
    await index.indexTools('a', [
      { toolName: 'github_create_issue', summary: 'Create an issue' },
      { toolName: 'github_list', summary: 'List repositories' },
      { toolName: 'jira_create_issue', summary: 'Create an issue' },
    ]);
    expect((await found(index, '^github_.*')).sort()).toEqual(['github_create_issue', 'github_list']);
    expect((await found(index, '/issue$/')).sort()).toEqual(['github_create_issue', 'jira_create_issue']);
    expect((await found(index, '(github|jira)_create')).sort()).toEqual(['github_create_issue', 'jira_create_issue']);
    expect(await found(index, 'list [all] the repositories?')).toEqual(['github_list']);
    expect(await found(index, '')).toHaveLength(3);
  });

  it('is not hung by a pattern that would take for ever elsewhere', async () => {
    await index.indexTools('b', [{ toolName: 'a'.repeat(60), summary: `${'a'.repeat(5000)}!` }]);
    const { toolReferences } = await index.search({ sessionId: 'b', query: '(a+)+$|(a|aa)+b' });
    expect(toolReferences.length).toBeLessThanOrEqual(1);
  });

  it('finds inside of words, and what is in the name before what is in the description', async () => {
    await index.indexTools('c', [
      { toolName: 'other', summary: 'Sorts by category' },
      { toolName: 'catalogue', summary: 'Lists things' },
    ]);
    const { toolReferences } = await index.search({ sessionId: 'c', query: 'cat' });
    expect(toolReferences.map(({ toolName }) => toolName)).toEqual(['catalogue', 'other']);
  });
});

describe('a hybrid index', () => {
  it('goes on with words alone while the embeddings hang, and when they fail, without asking again at once', async () => {
    let calls = 0;
    class Slow extends EmbeddingModel {
      embed(): Promise<never> {
        calls++;
        return new Promise(() => undefined);
      }
    }
    const slow = new HybridToolIndex({ embeddingModel: new Slow(), embeddingTimeout: 10 });
    await slow.indexTools('a', TOOLS);
    expect(await found(slow, 'weather')).toEqual(['getWeather']);
    class Failing extends EmbeddingModel {
      async embed(): Promise<never> {
        calls++;
        throw new Error('No quota.');
      }
    }
    calls = 0;
    const failing = new HybridToolIndex({ embeddingModel: new Failing() });
    await failing.indexTools('a', TOOLS);
    expect(await found(failing, 'weather')).toEqual(['getWeather']);
    expect(await found(failing, 'weather')).toEqual(['getWeather']);
    expect(calls).toBe(1);
    await failing.clearIndex('a');
  });

  it('does not embed again what it has embedded', async () => {
    const embeddingModel = new LetterModel();
    const index = new HybridToolIndex({ embeddingModel });
    await index.indexTools('a', TOOLS);
    await index.indexTools('b', [...TOOLS, { toolName: 'extra', summary: 'One more' }]);
    await index.replaceTools('a', TOOLS.slice(1));
    await found(index, 'x');
    expect(embeddingModel.embedded.filter((text) => text !== 'x')).toHaveLength(4);
  });
});

describe('a vector index', () => {
  it('keeps each tool once in its store, for as long as some session has it', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: new LetterModel() });
    const index = new VectorToolIndex(vectorStore);
    await index.indexTools('a', TOOLS);
    await index.indexTools('b', [...TOOLS, { toolName: 'extra', summary: 'One more' }]);
    expect(vectorStore.size).toBe(4);
    await index.clearIndex('b');
    expect(vectorStore.size).toBe(3);
    await index.replaceTools('a', [WEATHER]);
    await index.clearIndex('a');
    expect(vectorStore.size).toBe(0);
  });

  it('says so when the embeddings fail, and works when they are back', async () => {
    const embeddingModel = new LetterModel();
    const { embed } = embeddingModel;
    embeddingModel.embed = async () => {
      throw new Error('No quota.');
    };
    const index = new VectorToolIndex({ embeddingModel });
    await expect(index.indexTools('a', TOOLS)).rejects.toThrow('No quota.');
    expect(await found(index, 'weather')).toEqual([]);
    embeddingModel.embed = embed;
    await index.indexTools('a', TOOLS);
    expect((await found(index, 'get weather'))[0]).toBe('getWeather');
  });

  it('refuses vectors that cannot be compared, and models that make too few', async () => {
    const embeddingModel = new LetterModel();
    const index = new VectorToolIndex({ embeddingModel });
    await index.indexTools('a', TOOLS);
    embeddingModel.embed = async (texts) => texts.map(() => [1, 2, 3]);
    await expect(index.search({ sessionId: 'a', query: 'x' })).rejects.toThrow('they are of different models');
    embeddingModel.embed = async () => [];
    await expect(index.search({ sessionId: 'a', query: 'x' })).rejects.toThrow('given 1 texts, but has made 0 vectors');
    expect(() => new VectorToolIndex({} as never)).toThrow('needs a VectorStore or an EmbeddingModel');
    expect(() => new SimpleVectorStore({} as never)).toThrow('needs an EmbeddingModel');
  });
});
