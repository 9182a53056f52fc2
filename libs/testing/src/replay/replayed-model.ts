import type { Observable } from 'rxjs';
import { ChatModel, type ChatResponse } from '@nestor-ai/core';
import { streamOf } from '@nestor-ai/core/internal';
import { toError, toResponse } from '../cassette/answer-snapshot.js';
import { CassetteException, type CassetteContent, type CassetteInteraction } from '../cassette/cassette-content.js';

/** Gives the answers of a cassette in their order, for any request. */
export class ReplayedModel extends ChatModel {
  declare readonly provider?: string;
  override readonly retries: number = 0;
  #asked = 0;

  constructor(
    private readonly path: string,
    private readonly content: CassetteContent,
  ) {
    super();
    const { provider } = content.model;
    if (provider !== undefined) this.provider = provider;
  }

  /** How many answers were not used. */
  get left(): number {
    return Math.max(0, this.content.interactions.length - this.#asked);
  }

  async call(): Promise<ChatResponse> {
    const { response, error } = this.#next();
    if (error) throw toError(error);
    return toResponse(response!);
  }

  stream(): Observable<ChatResponse> {
    return streamOf(async (output) => {
      const { chunks = [], error } = this.#next();
      for (const chunk of chunks) output.emit(toResponse(chunk));
      if (error) throw toError(error);
    });
  }

  #next(): CassetteInteraction {
    const { interactions } = this.content;
    const interaction = interactions[this.#asked++];
    if (interaction) return interaction;
    throw new CassetteException(
      `The turn of '${this.path}' has ${interactions.length} model calls, and now asks for another one.`,
    );
  }
}
