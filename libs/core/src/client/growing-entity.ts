import type { Observable } from 'rxjs';
import type { ChatClientResponse } from '../advisor/chat-client-exchange.js';
import { hasGrown, partialJson } from '../advisor/structured-output/partial-json.js';
import type { StructuredOutputConverter } from '../advisor/structured-output/structured-output-converter.js';
import { StructuredOutputException } from '../advisor/structured-output/structured-output.exception.js';
import { FinishReason } from '../model/finish-reason.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { StreamOutput } from '../model/stream-of.js';

/** A value that may be incomplete, as JSON: a date is still text. */
export type PartialEntity<T> = T extends readonly (infer Item)[]
  ? PartialEntity<Item>[]
  : T extends Date
    ? Date | string
    : T extends ReadonlyMap<string, infer Value>
      ? T | Record<string, Value>
      : T extends object
        ? { [Key in keyof T]?: PartialEntity<T[Key]> }
        : T;

/**
 * If parsing takes longer than this, in milliseconds, a pause follows, so that the server can
 * handle other requests.
 */
const MAX_READING = 20;

/** The length of the pause, as a multiple of the parsing time. */
const PAUSE = 20;

/** Parses a value from a text that is still being written. */
export class GrowingEntity<T> {
  #text = '';
  #round: number | undefined;
  #read = 0;
  #pausesUntil = 0;
  #shown = '';
  #last: ChatResponse | undefined;

  constructor(
    private readonly converter: StructuredOutputConverter<T>,
    private readonly output: StreamOutput<unknown>,
  ) {}

  async follow(responses: Observable<ChatClientResponse>): Promise<void> {
    await this.output.consume(responses, ({ chatResponse }) => this.#readChunk(chatResponse));
    this.output.emit(await this.converter.convert(requireAnswer(this.#last, this.#text)));
  }

  #readChunk(chunk: ChatResponse | undefined): void {
    if (!chunk) return;
    const { round } = chunk.metadata;
    // Text before a tool call is not part of the answer.
    const reason = chunk.result?.metadata?.finishReason;
    const isNext = round !== undefined && this.#round !== undefined && round !== this.#round;
    if (isNext || (reason !== undefined && OF_LOOP.has(reason))) {
      this.#text = '';
      this.#read = 0;
    }
    if (round !== undefined) this.#round = round;
    if (chunk.results.length > 0) this.#last = chunk;
    if (!chunk.text) return;
    this.#text += chunk.text;
    if (!hasGrown(this.#text, this.#read)) return;
    const begin = performance.now();
    if (begin < this.#pausesUntil) return;
    this.#read = this.#text.length;
    const json = partialJson(this.#text);
    this.#show(json === undefined ? undefined : (this.converter.partial?.(json) ?? undefined));
    const end = performance.now();
    if (end - begin > MAX_READING) this.#pausesUntil = end + PAUSE * (end - begin);
  }

  #show(value: unknown): void {
    if (value === undefined) return;
    const shown = JSON.stringify(value);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.output.emit(value);
  }
}

/** Finish reasons of the tool loop itself. The text of the model is not the answer then. */
const OF_LOOP: ReadonlySet<string> = new Set([
  FinishReason.RETURN_DIRECT,
  FinishReason.TOOL_CALL_LIMIT_EXCEEDED,
  FinishReason.BUDGET_EXCEEDED,
]);

/** Finish reasons of missing or incomplete answers. */
const UNFINISHED: ReadonlySet<string> = new Set([
  FinishReason.TOOL_APPROVAL_REQUIRED,
  FinishReason.BUDGET_EXCEEDED,
  FinishReason.TOOL_CALL_LIMIT_EXCEEDED,
  FinishReason.LENGTH,
  FinishReason.CONTENT_FILTER,
]);

/**
 * @throws StructuredOutputException with the response and the finish reason, if the answer is not
 *   complete
 */
export function requireAnswer(response: ChatResponse | undefined, text = response?.text): string {
  const reason = response?.result?.metadata?.finishReason;
  if (text && !(reason !== undefined && UNFINISHED.has(reason))) return text;
  throw new StructuredOutputException(
    `The model gave no complete answer to read a value from${reason === undefined ? '' : ` (finish reason: ${reason})`}.`,
    text,
    { ...(response && { response }) },
  );
}
