import type { Observable } from 'rxjs';
import type { ChatResponse, Prompt } from '@nestor-ai/core';
import { streamOf } from '@nestor-ai/core/internal';
import { toError, toResponse } from './answer-snapshot.js';
import {
  CassetteException,
  type CassetteInteraction,
  type CassetteRequest,
  HOW_TO_RECORD,
} from './cassette-content.js';
import { describeDifferences, type RequestDifference, requestDifferences } from './request-differences.js';
import type { ReadRequest } from './request-reader.js';

/** Answers requests from the interactions of a cassette. Each interaction answers one request. */
export class CassettePlayer {
  readonly #unused: Set<CassetteInteraction>;
  #mismatch: CassetteException | undefined;

  /** @param path of the cassette, for error messages */
  constructor(
    private readonly path: string,
    private readonly interactions: readonly CassetteInteraction[],
    private readonly read: ReadRequest,
  ) {
    this.#unused = new Set(interactions);
  }

  async call(prompt: Prompt): Promise<ChatResponse> {
    prompt.options?.signal?.throwIfAborted();
    const { response, error } = this.#take('call', prompt);
    if (error) throw toError(error);
    return toResponse(response!);
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return streamOf(async (output) => {
      const { signal } = prompt.options ?? {};
      signal?.throwIfAborted();
      const { chunks = [], error } = this.#take('stream', prompt);
      for (const chunk of chunks) {
        // A subscriber can leave or abort between two chunks, as with a real model.
        await Promise.resolve();
        signal?.throwIfAborted();
        output.emit(toResponse(chunk));
      }
      if (error) throw toError(error);
    });
  }

  /** @throws CassetteException if a request was not the recorded one, or if interactions are left */
  assertDone(): void {
    if (this.#mismatch) throw this.#mismatch;
    if (this.#unused.size === 0) return;
    const left = [...this.#unused].map((interaction) => `  ${this.#name(interaction)}`).join('\n');
    throw new CassetteException(
      `The cassette '${this.path}' has ${this.#unused.size} interactions that no request has used:\n${left}\n` +
        `If they are no longer needed, record again: ${HOW_TO_RECORD}.`,
    );
  }

  /** The first unused interaction with this request. Requests at the same time may come in any order. */
  #take(method: CassetteRequest['method'], prompt: Prompt): CassetteInteraction {
    const request = this.read(method, prompt);
    let closest: { interaction: CassetteInteraction; differences: readonly RequestDifference[] } | undefined;
    for (const interaction of this.#unused) {
      const differences = requestDifferences(interaction.request, request);
      if (differences.length === 0) {
        this.#unused.delete(interaction);
        return interaction;
      }
      if (!closest || differences.length < closest.differences.length) closest = { interaction, differences };
    }
    const error = new CassetteException(
      closest
        ? `The cassette '${this.path}' does not have this request. The closest one that is left is ` +
            `${this.#name(closest.interaction)}, and differs here:\n${describeDifferences(closest.differences)}\n` +
            `If the change is intended, record again: ${HOW_TO_RECORD}.`
        : `The cassette '${this.path}' has ${this.interactions.length} interactions, and all of them are used. ` +
            `The next request is ${describe(request)}. If it is intended, record again: ${HOW_TO_RECORD}.`,
    );
    this.#mismatch ??= error;
    throw error;
  }

  #name(interaction: CassetteInteraction): string {
    return `interaction ${this.interactions.indexOf(interaction) + 1}: ${describe(interaction.request)}`;
  }
}

/** A request in a few words: the method and its last message. */
function describe({ method, messages }: CassetteRequest): string {
  const last = JSON.stringify(messages.at(-1) ?? {});
  return `${method}() with ${messages.length} messages, the last ${last.length > 120 ? `${last.slice(0, 120)}…` : last}`;
}
