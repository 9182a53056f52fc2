import type { Message } from '@nestor-ai/core';
import { hasUntrusted } from '@nestor-ai/core/internal';
import MiniSearch from 'minisearch';

/** A part of what was said. */
export interface Passage {
  /** `user`, `assistant`, or `result of …` with the name of a tool. */
  readonly by: string;
  readonly text: string;
  readonly isUntrusted: boolean;
}

/** The tool that searches. What it has found is there already. */
export const SEARCH_CONVERSATION = 'search_conversation';

/** The most characters of a passage. */
const LONGEST = 1000;

/** How many passages are indexed before other requests go on. */
const AT_ONCE = 200;

/** Scripts that write no spaces between words. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
let segmenter: Intl.Segmenter | undefined;
const splitAtSpaces = MiniSearch.getDefault('tokenize') as (text: string) => string[];

/** What was said, in parts. System messages stay in view, so that nobody searches them. */
export function passagesOf(messages: readonly Message[]): readonly Passage[] {
  return messages.flatMap((message) => {
    const isUntrusted = hasUntrusted([message]);
    switch (message.role) {
      case 'system':
        return [];
      case 'tool':
        return message.responses
          .filter(({ name }) => name !== SEARCH_CONVERSATION)
          .flatMap(({ name, responseData }) => partsOf(`result of ${name}`, responseData, isUntrusted));
      default:
        return partsOf(message.role, message.text, isUntrusted);
    }
  });
}

/** The passages that fit a query best, best first. */
export async function findPassages(
  passages: readonly Passage[],
  query: string,
  limit: number,
): Promise<readonly Passage[]> {
  const engine = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: wordsOf,
    searchOptions: { prefix: (word) => word.length > 3, fuzzy: (word) => (word.length > 4 ? 0.2 : false) },
  });
  await engine.addAllAsync(
    passages.map(({ text }, id) => ({ id, text })),
    { chunkSize: AT_ONCE },
  );
  return engine
    .search(query)
    .slice(0, limit)
    .map(({ id }) => passages[id as number]!);
}

function wordsOf(text: string): string[] {
  if (!UNSPACED.test(text)) return splitAtSpaces(text);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Long texts are cut into parts, at the end of a line or a word if there is one. */
function partsOf(by: string, text: string, isUntrusted: boolean): readonly Passage[] {
  const parts: Passage[] = [];
  for (let rest = text; rest.trim() !== '';) {
    const part = rest.length <= LONGEST ? rest : rest.slice(0, LONGEST).replace(/\s\S{0,200}$/, '');
    parts.push({ by, text: part, isUntrusted });
    rest = rest.slice(part.length);
  }
  return parts;
}
