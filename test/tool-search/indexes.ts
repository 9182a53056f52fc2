import { type Embedding, EmbeddingModel } from '@nestor-ai/core';
import type { ToolIndex, ToolReference } from '@nestor-ai/tool-search';

/** Meaning by letters: texts with the same two letters in a row are near each other. */
export class LetterModel extends EmbeddingModel {
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

/** Texts are near that share words; may be told to fail. */
export class WordModel extends EmbeddingModel {
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

export const WEATHER: ToolReference = {
  toolName: 'getWeather',
  summary: 'Tells the weather of a city',
  category: 'Outside',
};
export const MAIL: ToolReference = {
  toolName: 'send_email',
  summary: 'Sends a letter to somebody',
  category: 'Office',
};
const CLOCK: ToolReference = { toolName: 'clock', summary: 'Tells the current time', category: 'office' };
export const TOOLS = Object.freeze([WEATHER, MAIL, CLOCK]);

/** Tools that differ in a word each. */
export const many = (count: number): ToolReference[] =>
  Array.from({ length: count }, (_, number) => ({ toolName: `tool_${number}`, summary: `Does the zebra${number}` }));

/** The names of what an index finds, the best first. */
export async function names(index: ToolIndex, query: string, more: object = {}, sessionId = 'a'): Promise<string[]> {
  const { toolReferences } = await index.search({ sessionId, query, ...more });
  return toolReferences.map(({ toolName }) => toolName);
}
