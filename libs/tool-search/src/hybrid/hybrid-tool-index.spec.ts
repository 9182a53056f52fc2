import { describe, expect, it } from '@jest/globals';
import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import { LetterModel, many, names, TOOLS, WordModel } from '../../../../test/tool-search/indexes.js';
import { HybridToolIndex } from './hybrid-tool-index.js';

describe('a hybrid index', () => {
  it('searches by words only while the embeddings hang or fail, and does not retry immediately', async () => {
    let calls = 0;
    class Slow extends EmbeddingModel {
      embed(): Promise<never> {
        calls++;
        return new Promise(() => undefined);
      }
    }
    const slow = new HybridToolIndex({ embeddingModel: new Slow(), embeddingTimeout: 10 });
    await slow.indexTools('a', TOOLS);
    expect(await names(slow, 'weather')).toEqual(['getWeather']);
    class Failing extends EmbeddingModel {
      async embed(): Promise<never> {
        calls++;
        throw new Error('No quota.');
      }
    }
    calls = 0;
    const failing = new HybridToolIndex({ embeddingModel: new Failing() });
    await failing.indexTools('a', TOOLS);
    expect(await names(failing, 'weather')).toEqual(['getWeather']);
    expect(await names(failing, 'weather')).toEqual(['getWeather']);
    expect(calls).toBe(1);
    await failing.clearIndex('a');
  });

  it('does not embed the same text twice', async () => {
    const embeddingModel = new LetterModel();
    const index = new HybridToolIndex({ embeddingModel });
    await index.indexTools('a', TOOLS);
    await index.indexTools('b', [...TOOLS, { toolName: 'extra', summary: 'One more' }]);
    await index.replaceTools('a', TOOLS.slice(1));
    await names(index, 'x');
    expect(embeddingModel.embedded.filter((text) => text !== 'x')).toHaveLength(4);
  });
});

describe('a hybrid search of few tools', () => {
  /** Returns nearly the same vector for all texts. */
  class Dull extends EmbeddingModel {
    async embed(texts: readonly string[]): Promise<readonly Embedding[]> {
      return texts.map((text) => [1, text.length % 7 < 3 ? 0.3 : 0.301]);
    }
  }

  it.each([2, 3, 8, 30])('finds the same tools as a keyword search, among %i', async (count) => {
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

  it('finds the only tool', async () => {
    const index = new HybridToolIndex({ embeddingModel: new WordModel() });
    await index.indexTools('a', [{ toolName: 'x', summary: 'Waters plants', category: 'garden' }, ...many(3)]);
    expect(await names(index, 'something else', { categoryFilter: 'garden' })).toEqual(['x']);
  });

  it('finds by words if the embeddings are not numbers', async () => {
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

describe('embeddings that hang', () => {
  class Hanging extends WordModel {
    hangs = false;
    calls = 0;

    override embed(texts: readonly string[]): Promise<readonly Embedding[]> {
      this.calls++;
      return this.hangs ? new Promise(() => undefined) : super.embed(texts);
    }
  }

  it('block neither a change of the tools nor the end of a session', async () => {
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

  it('are aborted with the search, and requested again by the next one', async () => {
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

  it('accept any timeout that a timer supports', async () => {
    const index = new HybridToolIndex({ embeddingModel: new WordModel(), embeddingTimeout: 1500.5 });
    await index.indexTools('a', many(3));
    expect((await names(index, 'zebra1'))[0]).toBe('tool_1');
  });
});
