import { describe, expect, it } from '@jest/globals';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { HybridToolIndex } from './hybrid/hybrid-tool-index.js';
import { KeywordToolIndex } from './keyword/keyword-tool-index.js';
import { RegexToolIndex } from './regex/regex-tool-index.js';
import type { CatalogueToolIndex } from './tool-index/catalogue-tool-index.js';
import type { ToolReference } from './tool-index/tool-index.js';
import { SimpleVectorStore } from './vector/simple-vector-store.js';
import { type VectorDocument, VectorStore } from './vector/vector-store.js';
import { VectorToolIndex } from './vector/vector-tool-index.js';
import { clausesOf } from './words/clauses.js';

/** Texts are near that share words; may be told to fail. */
class WordModel extends EmbeddingModel {
  fails = false;

  async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
    if (this.fails) throw new Error('No quota.');
    return texts.map((text) => {
      const vector = new Float32Array(61);
      for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
        vector[Array.from(word).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 61, 7)]! += 1;
      }
      return vector;
    });
  }
}

const many = (count: number): ToolReference[] =>
  Array.from({ length: count }, (_, number) => ({ toolName: `tool_${number}`, summary: `Does the zebra${number}` }));

async function names(index: CatalogueToolIndex, query: string, more: object = {}, sessionId = 'a'): Promise<string[]> {
  const { toolReferences } = await index.search({ sessionId, query, ...more });
  return toolReferences.map(({ toolName }) => toolName);
}

describe('what fails while tools are indexed', () => {
  it('leaves a session with the tools it had, and nothing behind in the store', async () => {
    const embeddingModel = new WordModel();
    const store = new SimpleVectorStore({ embeddingModel });
    const index = new VectorToolIndex(store);
    await index.indexTools('a', many(20));
    embeddingModel.fails = true;
    await expect(index.indexTool('a', { toolName: 'mail', summary: 'Sends a letter' })).rejects.toThrow('No quota.');
    await expect(index.replaceTools('a', many(30))).rejects.toThrow('No quota.');
    embeddingModel.fails = false;
    expect((await names(index, 'zebra3'))[0]).toBe('tool_3');
    await index.indexTool('a', { toolName: 'clock', summary: 'Tells the time' });
    expect((await names(index, 'zebra3'))[0]).toBe('tool_3');
    expect((await names(index, 'tells the time'))[0]).toBe('clock');
    await index.clearIndex('a');
    expect(store.size).toBe(0);
    expect(index.catalogueCount).toBe(0);
  });

  it('names the tool that cannot be read, and keeps the others', async () => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', many(3));
    const circle: Record<string, unknown> = {};
    circle.properties = circle;
    await expect(index.indexTool('a', { toolName: 'round', inputSchema: circle as never })).rejects.toThrow(
      "The tool 'round' cannot be indexed, since its schema is no JSON",
    );
    expect((await names(index, 'zebra1'))[0]).toBe('tool_1');
    await expect(index.indexTool('a', {} as never)).rejects.toThrow('without a toolName');
  });

  it('does not keep a session from being cleared, when documents cannot be deleted', async () => {
    class Stubborn extends SimpleVectorStore {
      override async delete(): Promise<void> {
        throw new Error('Read only.');
      }
    }
    const index = new VectorToolIndex(new Stubborn({ embeddingModel: new WordModel() }));
    await index.indexTools('a', many(5));
    await index.replaceTools('a', many(4));
    expect(await names(index, 'zebra4')).not.toContain('tool_4');
    await index.clearIndex('a');
    expect(await names(index, 'zebra1')).toEqual([]);
  });
});

describe('a vector store that several have', () => {
  it('keeps a document for as long as any index of the process needs it', async () => {
    const store = new SimpleVectorStore({ embeddingModel: new WordModel() });
    const [one, two] = [new VectorToolIndex(store), new HybridToolIndex({ vectorStore: store })];
    await one.indexTools('a', many(3));
    await two.indexTools('b', many(3));
    await names(two, 'zebra1', {}, 'b');
    await one.clearIndex('a');
    expect(store.size).toBe(3);
    await two.clearIndex('b');
    expect(store.size).toBe(0);
  });

  it('loses none that another process may need', async () => {
    class Database extends SimpleVectorStore {
      override readonly isShared = true;
    }
    const store = new Database({ embeddingModel: new WordModel() });
    const index = new VectorToolIndex(store);
    await index.indexTools('a', many(3));
    await index.clearIndex('a');
    expect(store.size).toBe(3);
  });

  it('does not lose a document that is added while it is deleted', async () => {
    class Slow extends SimpleVectorStore {
      override async delete(ids: readonly string[]): Promise<void> {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return super.delete(ids);
      }
    }
    const index = new VectorToolIndex(new Slow({ embeddingModel: new WordModel() }));
    await index.indexTools('a', many(3));
    const cleared = index.clearIndex('a');
    await new Promise((resolve) => setTimeout(resolve, 1));
    await index.indexTools('b', many(3));
    await cleared;
    expect((await names(index, 'zebra1', {}, 'b'))[0]).toBe('tool_1');
  });

  it('holds nothing of two sessions that fail together', async () => {
    const held = new Map<string, VectorDocument>();
    class Flaky extends VectorStore {
      async add(documents: readonly VectorDocument[]): Promise<void> {
        const isBad = documents.some(({ text }) => text.includes('bad'));
        await new Promise((resolve) => setTimeout(resolve, isBad ? 5 : 20));
        if (isBad) throw new Error('bad');
        for (const document of documents) held.set(document.id, document);
      }
      async delete(ids: readonly string[]): Promise<void> {
        for (const id of ids) held.delete(id);
      }
      async similaritySearch() {
        return [];
      }
    }
    const index = new VectorToolIndex(new Flaky());
    const [bad, good] = [{ toolName: 'bad' }, { toolName: 'good' }];
    const outcomes = await Promise.allSettled([index.indexTools('a', [bad]), index.indexTools('b', [bad, good])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(held.size).toBe(0);
  });
});

describe('tools that their owner changes', () => {
  it('are known as they were when they were indexed', async () => {
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

describe('a search beside a change', () => {
  it.each([
    ['keyword', () => new KeywordToolIndex()],
    ['hybrid', () => new HybridToolIndex({ embeddingModel: new WordModel() })],
  ])('finds the tools that were there when it began: %s', async (_kind, make) => {
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

  it('finds after removals what a fresh index finds, and the same each time', async () => {
    const index = new KeywordToolIndex();
    const tools = Array.from({ length: 200 }, (_, number) => ({
      toolName: `mail_${number}`,
      summary: number % 3 ? 'Sends mail' : 'Sends a mail about mail to the mail list',
    }));
    await index.indexTools('a', tools);
    for (const tool of tools.slice(0, 40)) await index.indexTool('a', { ...tool, summary: 'Nothing of the kind' });
    const fresh = new KeywordToolIndex();
    await fresh.indexTools('a', [
      ...tools.slice(40),
      ...tools.slice(0, 40).map((tool) => ({ ...tool, summary: 'Nothing of the kind' })),
    ]);
    const query = 'mail mail mail';
    const first = await names(index, query);
    expect(await names(index, query)).toEqual(first);
    expect(first).toEqual(await names(fresh, query));
  });
});

describe('a hybrid search of few tools', () => {
  /** Has hardly anything to say. */
  class Dull extends EmbeddingModel {
    async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
      return texts.map((text) => [1, text.length % 7 < 3 ? 0.3 : 0.301]);
    }
  }

  it.each([2, 3, 8, 30])('finds what words find, among %i', async (count) => {
    const nouns =
      'order room car book ticket plant bird stone river cloud lamp chair table door window phone key shoe hat coat'.split(
        ' ',
      );
    const tools = Array.from({ length: count }, (_, number) => ({
      toolName: `handle_${nouns[number % 20]}${number > 19 ? number : ''}`,
    }));
    const index = new HybridToolIndex({ embeddingModel: new Dull() });
    await index.indexTools('a', tools);
    for (const noun of nouns.slice(0, Math.min(count, 20)))
      expect((await names(index, noun))[0]).toBe(`handle_${noun}`);
  });

  it('finds the only one there is', async () => {
    const index = new HybridToolIndex({ embeddingModel: new WordModel() });
    await index.indexTools('a', [{ toolName: 'x', summary: 'Waters plants', category: 'garden' }, ...many(3)]);
    expect(await names(index, 'something else', { categoryFilter: 'garden' })).toEqual(['x']);
  });

  it('finds by words where the embeddings are no numbers', async () => {
    class Broken extends EmbeddingModel {
      async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
        return texts.map((text) => (text.includes('7') ? [Number.NaN, 1] : [1, 1]));
      }
    }
    const index = new HybridToolIndex({ embeddingModel: new Broken() });
    await index.indexTools('a', many(20));
    expect((await names(index, 'zebra3'))[0]).toBe('tool_3');
    expect(
      () => new HybridToolIndex({ embeddingModel: new Broken(), embeddingTimeout: Number.POSITIVE_INFINITY }),
    ).toThrow('embeddingTimeout must be');
    expect(() => new HybridToolIndex(undefined as never)).toThrow();
  });
});

describe('a store in memory', () => {
  it('finds the nearest, whatever is as near as each other', async () => {
    class Fixed extends EmbeddingModel {
      async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
        return texts.map((text) => (text.startsWith('far') ? [1, 1] : [1, 0]));
      }
    }
    const store = new SimpleVectorStore(new Fixed());
    await store.add([
      ...Array.from({ length: 10 }, (_, id) => ({ id: `${id}`, text: 'far' })),
      { id: 'best', text: 'near' },
    ]);
    const matches = await store.similaritySearch({ query: 'near', topK: 10 });
    expect(matches).toHaveLength(10);
    expect(matches[0]!.id).toBe('best');
  });
});

describe('queries without end', () => {
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

  it('are divided into clauses as far as they are read', () => {
    expect(clausesOf(`read my mail${' '.repeat(1900)}and then do that now`)).toEqual(['read my mail', 'do that now']);
    expect(clausesOf(`read my mail${SPACES}and then do that now`)).toEqual(['read my mail']);
  });

  it('are not searched as patterns whose program is huge', () => {
    const index = new RegexToolIndex();
    for (const pattern of [String.raw`((\w?){30}){30}!.*`, String.raw`((\w?){10}){90}!.*`, '(a{500}){2}']) {
      expect(index.isValidPattern(pattern)).toBe(false);
    }
  });
});

describe('a keyword index', () => {
  const index = new KeywordToolIndex();

  it.each([
    ['help', 'help'],
    ['who am i', 'who_am_i'],
    ['s3', 's3'],
    ['使用github搜索代码', 'searchGithub'],
    ['munchen', 'München'],
    ['München', 'München'],
    ['shipping address', 'createOrder'],
  ])('finds %p', async (query, toolName) => {
    await index.indexTools('a', [
      { toolName: 'help', summary: 'Get help' },
      { toolName: 'who_am_i', summary: 'Tells who I am' },
      { toolName: 's3' },
      { toolName: 'mp3_download' },
      { toolName: 'searchGithub' },
      { toolName: 'München' },
      {
        toolName: 'createOrder',
        inputSchema: {
          properties: { to: { $ref: '#/$defs/Address' } },
          $defs: {
            Address: { properties: { shippingAddress: { type: 'string' }, next: { $ref: '#/$defs/Address' } } },
          },
        },
      },
    ]);
    expect((await names(index, query))[0]).toBe(toolName);
  });

  it('finds as many as are asked for, and those of a category whose words are common elsewhere', async () => {
    const other = new KeywordToolIndex();
    const customers = Array.from({ length: 300 }, (_, number) => ({
      toolName: `customer_${number}`,
      summary: 'Shows a customer',
      category: 'crm ',
    }));
    await other.indexTools('a', [
      ...customers,
      { toolName: 'overdue', category: 'billing' },
      { toolName: 'invoices', category: 'billing' },
    ]);
    expect(await names(other, 'customer', { maxResults: 200 })).toHaveLength(200);
    expect(await names(other, 'customer overdue invoices', { categoryFilter: 'CRM' })).toHaveLength(10);
    expect(await names(other, 'customer', { maxResults: null })).toHaveLength(10);
  });
});

describe('embeddings that hang', () => {
  class Hanging extends WordModel {
    hangs = false;
    calls = 0;

    override embed(texts: readonly string[]): Promise<readonly Embedding[]> {
      this.calls++;
      return this.hangs ? new Promise(() => undefined) : super.embed(texts);
    }
  }

  it('hold up neither a change of the tools nor the end of a session', async () => {
    const embeddingModel = new Hanging();
    embeddingModel.hangs = true;
    const index = new HybridToolIndex({ embeddingModel, embeddingTimeout: 20 });
    await index.indexTools('a', many(3));
    await index.replaceTools('a', many(4));
    expect(await names(index, 'zebra3')).toEqual(['tool_3']);
    await index.clearIndex('a');
    await index.indexTools('a', many(2));
    expect(await names(index, 'zebra1')).toEqual(['tool_1']);
  });

  it('are given up with whoever has asked, and are asked again for the next', async () => {
    const embeddingModel = new Hanging();
    const index = new HybridToolIndex({ embeddingModel, embeddingTimeout: 10_000 });
    await index.indexTools('a', many(5));
    await names(index, 'zebra1');
    embeddingModel.hangs = true;
    const leaving = new AbortController();
    const search = names(index, 'zebra2', { signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(search).rejects.toThrow('gone');
    await expect(names(index, 'zebra2', { signal: leaving.signal })).rejects.toThrow('gone');
    embeddingModel.hangs = false;
    const { calls } = embeddingModel;
    await names(index, 'zebra3');
    expect(embeddingModel.calls).toBe(calls + 1);
  });

  it('may be waited for any time that a timer can count', async () => {
    const index = new HybridToolIndex({ embeddingModel: new WordModel(), embeddingTimeout: 1500.5 });
    await index.indexTools('a', many(3));
    expect((await names(index, 'zebra1'))[0]).toBe('tool_1');
  });
});

describe('a store that refuses everything', () => {
  it('has its first refusal told, and its documents tried again', async () => {
    const embeddingModel = new WordModel();
    class Refusing extends SimpleVectorStore {
      override async delete(): Promise<void> {
        throw new Error('refused to delete');
      }
    }
    const index = new VectorToolIndex(new Refusing({ embeddingModel }));
    embeddingModel.fails = true;
    await expect(index.indexTools('a', many(3))).rejects.toThrow('No quota.');
    embeddingModel.fails = false;
    await index.indexTools('a', many(3));
    expect((await names(index, 'zebra1'))[0]).toBe('tool_1');
  });
});

describe('what tools say wrongly of themselves', () => {
  it('is left out', async () => {
    const index = new KeywordToolIndex();
    await index.indexTools('a', [{ toolName: 'mail', summary: 7, category: 5, dependsOn: 5 } as never, ...many(2)]);
    expect(await names(index, 'mail')).toEqual(['mail']);
    expect(await names(index, 'mail', { categoryFilter: '5' })).toEqual([]);
  });
});
