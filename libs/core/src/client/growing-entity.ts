import type { Observable, Subscriber, Subscription } from 'rxjs';
import type { ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { parsePartial } from '../advisor/structured-output/output-text.js';
import {
  type StructuredOutputConverter,
  StructuredOutputException,
} from '../advisor/structured-output/structured-output-converter.js';
import type { ChatResponse } from '../model/chat-response.js';

/** A value of which not everything is there yet. */
export type PartialEntity<T> = T extends readonly (infer Item)[]
  ? PartialEntity<Item>[]
  : T extends Date | ReadonlyMap<unknown, unknown>
    ? T
    : T extends object
      ? { [Key in keyof T]?: PartialEntity<T[Key]> }
      : T;

/** By how much the text has to grow until it is read again: of a long one reading takes longer. */
const GROWTH = 50;

/** Reads a value from a text that is still being written. */
export class GrowingEntity<T> {
  #text = '';
  #round: number | undefined;
  #read = 0;
  #shown = '';
  #last: ChatResponse | undefined;

  constructor(
    private readonly converter: StructuredOutputConverter<T>,
    private readonly subscriber: Subscriber<unknown>,
  ) {}

  follow(responses: Observable<ChatClientResponse>): Subscription {
    return responses.subscribe({
      next: ({ chatResponse }) => this.#next(chatResponse),
      error: (error: unknown) => this.subscriber.error(error),
      complete: () => void this.#complete(),
    });
  }

  #next(chunk: ChatResponse | undefined): void {
    if (!chunk) return;
    const { round } = chunk.metadata;
    // What the model says before it calls a tool is no part of its answer.
    if (round !== this.#round) {
      this.#text = '';
      this.#read = 0;
    }
    this.#round = round;
    if (chunk.results.length > 0) this.#last = chunk;
    if (!chunk.text) return;
    this.#text += chunk.text;
    if (this.#text.length - this.#read < Math.max(1, this.#text.length / GROWTH)) return;
    this.#read = this.#text.length;
    this.#show(parsePartial(this.#text));
  }

  #show(value: unknown): void {
    if (value === undefined) return;
    const shown = JSON.stringify(value);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.subscriber.next(value);
  }

  async #complete(): Promise<void> {
    try {
      const text = this.#text === '' ? requireAnswer(this.#last) : this.#text;
      this.subscriber.next(await this.converter.convert(text));
      this.subscriber.complete();
    } catch (error) {
      this.subscriber.error(error);
    }
  }
}

/** @throws StructuredOutputException when there is no text, with the reason as far as it is known */
export function requireAnswer(response: ChatResponse | undefined): string {
  const text = response?.text;
  if (text) return text;
  const reason = response?.result?.metadata?.finishReason;
  throw new StructuredOutputException(
    `The model gave no answer that a value could be made of${reason === undefined ? '' : ` (finish reason: ${reason})`}.`,
    text,
  );
}
