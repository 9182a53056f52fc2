import { describe, expect, it } from '@jest/globals';
import { LetterModel, many, names, TOOLS, WEATHER, WordModel } from '../../../../test/tool-search/indexes.js';
import { HybridToolIndex } from '../hybrid/hybrid-tool-index.js';
import { SimpleVectorStore } from './simple-vector-store.js';
import { type VectorDocument, VectorStore } from './vector-store.js';
import { VectorToolIndex } from './vector-tool-index.js';

describe('a vector index', () => {
  it('keeps each tool once in its store, as long as a session has it', async () => {
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

  it('reports failing embeddings, and works when they recover', async () => {
    const embeddingModel = new LetterModel();
    const { embed } = embeddingModel;
    embeddingModel.embed = async () => {
      throw new Error('No quota.');
    };
    const index = new VectorToolIndex({ embeddingModel });
    await expect(index.indexTools('a', TOOLS)).rejects.toThrow('No quota.');
    expect(await names(index, 'weather')).toEqual([]);
    embeddingModel.embed = embed;
    await index.indexTools('a', TOOLS);
    expect((await names(index, 'get weather'))[0]).toBe('getWeather');
  });

  it('refuses vectors that cannot be compared, and models that return too few', async () => {
    const embeddingModel = new LetterModel();
    const index = new VectorToolIndex({ embeddingModel });
    await index.indexTools('a', TOOLS);
    embeddingModel.embed = async (texts) => texts.map(() => [1, 2, 3]);
    await expect(index.search({ sessionId: 'a', query: 'x' })).rejects.toThrow(
      'Use the same embedding model for all of them',
    );
    embeddingModel.embed = async () => [];
    await expect(index.search({ sessionId: 'a', query: 'x' })).rejects.toThrow(
      'received 1 texts, but returned 0 vectors',
    );
    expect(() => new VectorToolIndex({} as never)).toThrow('needs a VectorStore or an EmbeddingModel');
    expect(() => new SimpleVectorStore({} as never)).toThrow('needs an EmbeddingModel');
  });
});

describe('a vector index that fails', () => {
  it('keeps the previous tools of a session, and leaves nothing in the store', async () => {
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

  it('clears a session even if documents cannot be deleted', async () => {
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

  it('reports the first error of a store, and adds its documents again', async () => {
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

describe('a shared vector store', () => {
  it('keeps a document until no index of the process needs it', async () => {
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

  it('deletes no document that another process may need', async () => {
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

  it('keeps nothing of two sessions that fail together', async () => {
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
