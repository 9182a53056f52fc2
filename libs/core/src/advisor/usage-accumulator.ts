import { ChatResponse, type ChatResponseMetadata } from '../model/chat-response.js';
import { addUsage, hasUsage, type Usage } from '../model/usage.js';

/** Adds up the usage of the rounds of one turn. */
export class UsageAccumulator {
  #total: Usage | undefined;
  #rounds = 0;
  /** The usage of each round that reported one. */
  readonly byRound: Usage[] = [];
  #lastRoundReported = true;

  /** @param earlier the usage of the rounds before the turn was suspended */
  constructor(earlier: readonly Usage[] = []) {
    for (const usage of earlier) this.add(new ChatResponse({ results: [], metadata: { usage } }));
  }

  /** Adds the usage of a round. */
  add(response: ChatResponse | undefined): void {
    this.#rounds++;
    this.#lastRoundReported = hasUsage(response?.metadata.usage);
    this.#total = addUsage(this.#total, response?.metadata.usage);
    if (this.#lastRoundReported) this.byRound.push(response!.metadata.usage!);
  }

  /** The response with the usage of all rounds. Unchanged if there was only one round. */
  stamp(response: ChatResponse): ChatResponse {
    if (!hasUsage(this.#total) || (this.#rounds <= 1 && response.metadata.usage)) return response;
    return response.with({ metadata: withUsage(response.metadata, this.#total, this.byRound.slice()) });
  }

  /**
   * A chunk with the usage of the earlier rounds added to its own. Unchanged if it reports none.
   */
  stampChunk(chunk: ChatResponse): ChatResponse {
    const { usage } = chunk.metadata;
    if (!hasUsage(this.#total) || !hasUsage(usage)) return chunk;
    return chunk.with({
      metadata: withUsage(chunk.metadata, addUsage(this.#total, usage)!, [...this.byRound, usage]),
    });
  }

  /**
   * Whether earlier rounds reported usage but the last one did not, so that no chunk contained the
   * total.
   */
  get isMissingFromLastRound(): boolean {
    return hasUsage(this.#total) && !this.#lastRoundReported;
  }

  /** The total as a separate response, without an answer. */
  asResponse(): ChatResponse {
    return new ChatResponse({ results: [], metadata: { usage: this.#total!, usageByRound: [...this.byRound] } });
  }
}

/**
 * The metadata with another usage. Copied key by key: spreading the object and then overwriting a
 * value of another shape creates a new V8 hidden class each time, which is twenty times slower.
 */
function withUsage(metadata: ChatResponseMetadata, usage: Usage, usageByRound: readonly Usage[]): ChatResponseMetadata {
  const made: Record<string, unknown> = { usage, usageByRound };
  for (const key of Object.keys(metadata)) {
    if (key !== 'usage' && key !== 'usageByRound') made[key] = metadata[key];
  }
  return made;
}
