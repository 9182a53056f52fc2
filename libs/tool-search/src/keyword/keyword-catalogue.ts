import MiniSearch from 'minisearch';
import type { CatalogueQuery, ScoredTool, ToolCatalogue } from '../tool-index/tool-catalogue.js';
import type { ToolReference } from '../tool-index/tool-index.js';
import { type Lexicon, loadLexicon } from '../words/lexicon.js';
import { type KeywordQuery, readQuery } from './keyword-query.js';
import { bonusOf, type Candidate, type Share, spread } from './keyword-ranking.js';
import { BM25, LOOK_UP, POOL } from './keyword-tuning.js';
import { type ToolDocument, toDocument } from './tool-document.js';
import { Vocabulary } from './vocabulary.js';

/** A search term. */
interface Term {
  readonly word: string;
  readonly weight: number;
  readonly isOwn: boolean;
  /** The weight multiplied by the rarity of the word. */
  readonly worth: number;
}

/** A document for the search engine: words that are already split and stemmed. */
interface Entry {
  readonly id: string;
  readonly words: readonly string[];
}

/**
 * Searches tools by words. An inverted index finds the tools with the rarest words of a request.
 * These tools are then scored completely.
 */
export class KeywordCatalogue implements ToolCatalogue {
  readonly #documents = new Map<string, ToolDocument>();
  readonly #vocabulary = new Vocabulary();
  readonly #lexicon: Lexicon = loadLexicon();
  readonly #engine = new MiniSearch<Entry>({
    fields: ['words'],
    stringifyField: (words) => words as string,
    tokenize: (words) => words as unknown as string[],
    processTerm: (word) => word,
    searchOptions: {
      tokenize: (words) => words.split(' '),
      processTerm: (word) => word,
      bm25: { k: BM25.k, b: 0.5, d: 0 },
    },
  });
  #length = 0;

  /** @param unread the tools. The first search reads them, since tools that come one by one need a catalogue each */
  constructor(private unread: readonly ToolReference[]) {}

  search(query: CatalogueQuery): readonly ScoredTool[] {
    const { candidates, size } = this.weigh(query);
    return spread(candidates, size).map(({ toolName, score }) => ({ toolName, score }));
  }

  /** The matching tools, best first, and the number of words in the request. */
  weigh({ query, limit, accepts }: CatalogueQuery): {
    readonly candidates: readonly Candidate[];
    readonly size: number;
  } {
    for (const tool of this.unread) this.#add(toDocument(tool, this.#documents.size));
    this.unread = [];
    const asked = readQuery(query, this.#vocabulary, this.#lexicon);
    const terms = this.#termsOf(asked);
    if (terms.length === 0) return { candidates: [], size: asked.size };
    const weighed = this.#findByRareWords(terms, Math.max(POOL, limit), accepts).map((document) =>
      this.#weigh(document, terms, asked),
    );
    const candidates = weighed.sort((a, b) => b.score - a.score || a.order - b.order);
    return { candidates, size: asked.size };
  }

  #add(document: ToolDocument): void {
    const { toolName } = document;
    this.#documents.set(toolName, document);
    this.#length += document.length;
    const words = [...document.frequencies.keys()];
    for (const word of words) this.#vocabulary.add(word);
    this.#engine.add({ id: toolName, words });
  }

  /** The search terms, most significant first. */
  #termsOf({ own, related }: KeywordQuery): Term[] {
    const toTerm =
      (isOwn: boolean) =>
      ([word, weight]: [string, number]) => ({
        word,
        weight,
        isOwn,
        worth: weight * this.#rarityOf(word),
      });
    return [...[...own].map(toTerm(true)), ...[...related].map(toTerm(false))].sort((a, b) => b.worth - a.worth);
  }

  #findByRareWords(terms: readonly Term[], count: number, accepts: CatalogueQuery['accepts']): ToolDocument[] {
    // Words that are rare among all tools may not occur in any accepted tool.
    const most = accepts ? Number.POSITIVE_INFINITY : LOOK_UP.tools;
    const boosts = new Map<string, number>();
    let met = 0;
    for (const { word, weight } of terms) {
      const count = this.#vocabulary.countOf(word);
      if (boosts.size >= LOOK_UP.words && met + count > most) continue;
      met += count;
      boosts.set(word, weight);
    }
    const found = this.#engine.search([...boosts.keys()].join(' '), {
      boostTerm: (word) => boosts.get(word)!,
      ...(accepts && { filter: ({ id }) => accepts(id as string) }),
    });
    return found
      .map(({ id, score, queryTerms }) => ({
        document: this.#documents.get(id as string)!,
        // The engine multiplies by the number of matching words, which would count them twice.
        score: score / (queryTerms.length || 1),
      }))
      .sort((a, b) => b.score - a.score || a.document.order - b.document.order)
      .slice(0, count)
      .map(({ document }) => document);
  }

  #weigh(document: ToolDocument, terms: readonly Term[], asked: KeywordQuery): Candidate {
    const average = this.#length / this.#documents.size || 1;
    const norm = BM25.k * (1 - BM25.b + (BM25.b * document.length) / average);
    const shares: Share[] = [];
    let score = 0;
    for (const { word, worth, isOwn } of terms) {
      const frequency = document.frequencies.get(word);
      if (frequency === undefined) continue;
      const part = (worth * frequency * (BM25.k + 1)) / (frequency + norm);
      score += part;
      if (isOwn) shares.push({ word, score: part });
    }
    const factor = bonusOf(document, asked, (word) => this.#rarityOf(word));
    return { toolName: document.toolName, order: document.order, score: score * factor, shares };
  }

  #rarityOf(word: string): number {
    const count = this.#vocabulary.countOf(word);
    return Math.log(1 + (this.#documents.size - count + 0.5) / (count + 0.5));
  }
}
