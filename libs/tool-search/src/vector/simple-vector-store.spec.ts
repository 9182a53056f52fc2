import { describe, expect, it } from '@jest/globals';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { SimpleVectorStore } from './simple-vector-store.js';

describe('a store in memory', () => {
  it('finds the nearest documents, even if several are equally near', async () => {
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
