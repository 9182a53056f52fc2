import type { ConversationTurn, Message } from '@nestor-ai/core';
import { hasUntrusted } from '@nestor-ai/core/internal';
import MiniSearch from 'minisearch';

/** A part of what was said. */
export interface Passage {
  /** `user`, `assistant`, or `result of …` with the name of a tool. */
  readonly by: string;
  readonly text: string;
  readonly isUntrusted: boolean;
  /** 1 for the turn before this one. */
  readonly turnsAgo: number;
}

/** The tool that searches. What it has found is there already. */
export const SEARCH_CONVERSATION = 'search_conversation';

/** The most characters of a passage. */
const LONGEST = 1000;

/** The most characters that are searched. */
const MOST = 5_000_000;

/** The usual offset of reciprocal rank fusion: how much the first places of a list count. */
const RANK_OFFSET = 60;

/** How many characters are indexed before other work goes on. */
const AT_ONCE = 20_000;

/** What was said, newest turn first, without system messages, which stay in view. */
export function passagesOf(turns: readonly ConversationTurn[]): readonly Passage[] {
  let size = 0;
  const passages: Passage[] = [];
  for (const [at, { messages }] of turns.toReversed().entries())
    for (const { by, text, isUntrusted } of messages.flatMap(textsOf)) {
      if (size > MOST) return passages;
      size += text.length;
      for (const part of partsOf(text)) passages.push({ by, text: part, isUntrusted, turnsAgo: at + 1 });
    }
  return passages;
}

/** What people and the model have said in messages. */
export function saidIn(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => (message.role === 'tool' ? [] : partsOf(message.text))));
}

function textsOf(message: Message): readonly { by: string; text: string; isUntrusted: boolean }[] {
  const isUntrusted = hasUntrusted([message]);
  if (message.role === 'system') return [];
  if (message.role !== 'tool') return [{ by: message.role, text: message.text, isUntrusted }];
  return message.responses
    .filter(({ name }) => name !== SEARCH_CONVERSATION)
    .map(({ name, responseData: text }) => ({ by: `result of ${name}`, text, isUntrusted }));
}

/** Long texts are cut at the end of a line or a word, if there is one. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + LONGEST, text.length);
    if (end < text.length) {
      const space = text.slice(end - 200, end).search(/\s\S*$/);
      if (space > 0) end += space - 200;
      else if (/[\ud800-\udbff]/.test(text[end - 1]!)) end--;
    }
    const part = text.slice(start, end);
    if (/\S/.test(part)) parts.push(part);
    start = end;
  }
  return parts;
}

/** Finds passages by their words. */
export class PassageIndex {
  readonly #engine = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: wordsOf,
    processTerm: plain,
    searchOptions: {
      // Two letters of most scripts say more than two of Latin.
      prefix: (word) => word.length > 2 || /[^\0-\u024f]/.test(word),
      fuzzy: (word) => (word.length > 3 ? 0.2 : false),
    },
  });

  private constructor(readonly passages: readonly Passage[]) {}

  /** @param signal ends the work */
  static async of(passages: readonly Passage[], signal: AbortSignal): Promise<PassageIndex> {
    const index = new PassageIndex(passages);
    let size = 0;
    for (const [id, { text }] of passages.entries()) {
      index.#engine.add({ id, text });
      size += text.length;
      if (size < AT_ONCE) continue;
      size = 0;
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    return index;
  }

  /**
   * The passages that fit a query best, best first: what is high in one of two lists, and higher what
   * is in both. Of equal texts, it finds the newest.
   *
   * @param nearest passages that mean something like the query, the nearest first
   * @param known texts that it leaves out
   */
  find(query: string, nearest: readonly Passage[], limit: number, known: ReadonlySet<string>): readonly Passage[] {
    const byWords = this.#engine.search(query).map(({ id }) => this.passages[id as number]!);
    const found = new Map<string, { passage: Passage; score: number }>();
    for (const list of [byWords, nearest])
      for (const [rank, passage] of newestOfEach(list).entries()) {
        if (known.has(passage.text)) continue;
        const score = (found.get(passage.text)?.score ?? 0) + 1 / (RANK_OFFSET + rank);
        found.set(passage.text, { passage, score });
      }
    const best = [...found.values()].toSorted((a, b) => b.score - a.score);
    return best.slice(0, limit).map(({ passage }) => passage);
  }
}

/** Of equal texts the newest, in the place of the first. */
function newestOfEach(passages: readonly Passage[]): readonly Passage[] {
  const newest = new Map<string, Passage>();
  for (const passage of passages) {
    const same = newest.get(passage.text);
    if (!same || passage.turnsAgo < same.turnsAgo) newest.set(passage.text, passage);
  }
  return [...newest.values()];
}

/** Scripts that write no spaces between words. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
const splitAtSpaces = MiniSearch.getDefault('tokenize') as (text: string) => string[];
let segmenter: Intl.Segmenter | undefined;

function wordsOf(text: string): string[] {
  // Half width and full width, composed and decomposed characters are the same.
  return splitAtSpaces(text.normalize('NFKC')).flatMap((word) => {
    if (!UNSPACED.test(word)) return word;
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
    return [...segmenter.segment(word)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  });
}

/** Without case and accents. */
function plain(word: string): string {
  const letters = word.toLowerCase().replaceAll('ß', 'ss');
  return letters
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}
