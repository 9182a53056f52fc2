import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { SimpleVectorStore } from '@nestor-ai/tool-search';
import { openTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.js';
import { PostgresToolSearchSessionRepository } from './postgres-tool-search-session.repository.js';
import { PostgresVectorStore } from './postgres-vector.store.js';

/** A vector that depends on the text alone. */
class Hashing extends EmbeddingModel {
  constructor(private readonly dimensions = 32) {
    super();
  }
  async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
    return texts.map((text) =>
      Array.from({ length: this.dimensions }, (_, at) =>
        Math.sin(Array.from(text).reduce((sum, sign) => sum * 31 + sign.codePointAt(0)! + at, 7)),
      ),
    );
  }
}

const documents = Array.from({ length: 200 }, (_, at) => ({
  id: `tool ${at}`,
  text: `does ${at * at}`,
  metadata: { at },
}));

describe.each([
  ['SQL alone', false],
  ['pgvector', true],
])('vectors in PostgreSQL, with %s', (_name, hasPgvector) => {
  let test: TestDatabase;
  let store: PostgresVectorStore;

  beforeAll(async () => {
    test = await openTestDatabase({ hasPgvector });
    store = new PostgresVectorStore(test.database, new Hashing());
    await store.add(documents);
  }, 60_000);

  afterAll(() => test.close());

  it('are found in the order of the store in memory', async () => {
    const inMemory = new SimpleVectorStore(new Hashing());
    await inMemory.add(documents);
    const ids = new Set(documents.slice(50, 150).map(({ id }) => id));
    for (const request of [
      { query: 'find it', topK: 10 },
      { query: 'find it', topK: 5, ids },
      { query: 'find it', topK: 5, ids: new Set<string>() },
      { query: ' ', topK: 5 },
    ]) {
      const [found, wanted] = [await store.similaritySearch(request), await inMemory.similaritySearch(request)];
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      found.forEach(({ score }, at) => expect(score).toBeCloseTo(wanted[at]!.score, 4));
    }
  });

  it('leave out vectors of another embedding model', async () => {
    const other = new PostgresVectorStore(test.database, new Hashing(8));
    await other.add([{ id: 'other', text: 'x' }]);
    expect(await other.similaritySearch({ query: 'x', topK: 5 })).toMatchObject([{ id: 'other' }]);
  });

  it('are replaced and deleted, under any id', async () => {
    const id = "'\0\ud800\\";
    await store.add([
      { id, text: 'first' },
      { id, text: 'query' },
    ]);
    expect((await store.similaritySearch({ query: 'query', topK: 1, ids: new Set([id]) }))[0]!.score).toBeCloseTo(1, 4);
    await store.delete([id, 'unknown']);
    expect(await store.similaritySearch({ query: 'query', topK: 1, ids: new Set([id]) })).toEqual([]);
  });

  it('have sessions beside them, under any id', async () => {
    const sessions = new PostgresToolSearchSessionRepository(test.database);
    const id = 'scope\0session';
    expect(await sessions.find(id)).toEqual([]);
    await sessions.save(id, ['b', 'a"\0']);
    await sessions.save(id, ['b', 'a"\0', 'c']);
    expect(await sessions.find(id)).toEqual(['b', 'a"\0', 'c']);
    await sessions.delete(id);
    expect(await sessions.find(id)).toEqual([]);
  });
});
