import { defer, type Observable, tap } from 'rxjs';
import type { ChatModel, ChatResponse, Prompt } from '@nestor-ai/core';
import { answerSnapshot, errorSnapshot } from './answer-snapshot.js';
import type { CassetteInteraction, CassetteRequest } from './cassette-content.js';
import { redactChunks, redactJson } from './redaction.js';
import type { ReadRequest } from './request-reader.js';

/** A request on its way, and its interaction once it has ended. */
interface Slot {
  readonly request: CassetteRequest;
  interaction?: CassetteInteraction;
}

/** Passes requests to a model and records what came back, in the order of the requests. */
export class CassetteRecorder {
  readonly #slots = new Set<Slot>();

  /**
   * @param redact removes secrets from a text
   * @param save writes the interactions that have ended
   */
  constructor(
    private readonly model: ChatModel,
    private readonly read: ReadRequest,
    private readonly redact: (text: string) => string,
    private readonly save: (interactions: readonly CassetteInteraction[]) => void,
  ) {}

  async call(prompt: Prompt): Promise<ChatResponse> {
    const slot = this.#begin('call', prompt);
    let response: ChatResponse;
    try {
      response = await this.model.call(prompt);
    } catch (error) {
      this.#fail(slot, prompt, error);
      throw error;
    }
    this.#end(slot, { response: redactJson(answerSnapshot(response), this.redact) });
    return response;
  }

  stream(prompt: Prompt): Observable<ChatResponse> {
    return defer(() => {
      const slot = this.#begin('stream', prompt);
      const chunks: ChatResponse[] = [];
      const recorded = (): Partial<CassetteInteraction> => ({
        chunks: redactChunks(chunks.map(answerSnapshot), this.redact),
      });
      return this.model.stream(prompt).pipe(
        tap({
          next: (chunk) => chunks.push(chunk),
          error: (error: unknown) => this.#fail(slot, prompt, error, recorded),
          complete: () => this.#end(slot, recorded()),
          // A stream that its subscriber left has no end to record.
          unsubscribe: () => this.#slots.delete(slot),
        }),
      );
    });
  }

  #begin(method: CassetteRequest['method'], prompt: Prompt): Slot {
    const slot = { request: this.read(method, prompt) };
    this.#slots.add(slot);
    return slot;
  }

  /** Records an error of the model. An abort is an act of the caller and not recorded. */
  #fail(slot: Slot, prompt: Prompt, error: unknown, recorded: () => Partial<CassetteInteraction> = () => ({})): void {
    if (prompt.options?.signal?.aborted) this.#slots.delete(slot);
    else this.#end(slot, { ...recorded(), error: redactJson(errorSnapshot(error), this.redact) });
  }

  #end(slot: Slot, result: Partial<CassetteInteraction>): void {
    slot.interaction = { request: slot.request, ...result };
    this.save([...this.#slots].flatMap(({ interaction }) => interaction ?? []));
  }
}
