import type { Observable, Subscriber } from 'rxjs';
import { FinishReason } from '../model/finish-reason.js';
import { ChatResponse, type ChatResponseMetadata, type Generation } from '../model/chat-response.js';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import { AssistantMessage, type AssistantMessageInit, withoutToolCalls } from '../model/messages.js';
import { StreamOutput } from '../model/stream-of.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import { isVisible } from '../model/has-content.js';
import type { Round } from './loop-contract.js';

/**
 * One round of a streamed turn. Passes text and other parts of the answer on as they arrive, and
 * holds tool calls back until it is known whether they run.
 */
export class StreamRound {
  readonly #numbered: ChatResponseMetadata;
  /** The chunks from the first tool call on, without what was already sent. */
  readonly #held: ChatClientResponse[] = [];
  #whole: ChatResponse | undefined;
  #hasFinishReason = false;
  #hasSpoken = false;

  constructor(
    private readonly round: Omit<Round, 'request'>,
    private readonly subscriber: Subscriber<ChatClientResponse>,
    private readonly passesToolCalls = false,
  ) {
    this.#numbered = Object.freeze({ round: round.index });
  }

  /**
   * Subscribes to the chunks of the round and returns the complete response. Unsubscribing ends the
   * round, and with it the turn.
   */
  run(chunks: Observable<ChatClientResponse>, { request }: Round, turn: TurnControl): Promise<ChatClientResponse> {
    const aggregation = new ChatResponseAggregation();
    let { context } = request;
    const pass = (response: ChatClientResponse): void => {
      if (response.chatResponse) aggregation.add(response.chatResponse);
      if (response.context !== context) context = { ...context, ...response.context };
      this.#pass(response);
    };
    return new StreamOutput(this.subscriber).consume(chunks, pass, turn, () => {
      const chatResponse = aggregation.response;
      this.#whole = chatResponse;
      return { context, ...(chatResponse && { chatResponse }) };
    });
  }

  /**
   * Sends the chunks that were held back, because the tool calls of this round do not run. A hook
   * may have changed them since.
   */
  release(answer: ChatClientResponse): void {
    const { chatResponse } = answer;
    if (!chatResponse || chatResponse.results === this.#whole?.results) {
      for (const response of this.#held) this.subscriber.next(response);
    } else {
      const results = chatResponse.results.map((generation, at) => this.#unsaid(generation, at));
      const { usage, ...metadata } = chatResponse.metadata;
      const isUsageHeld = this.#held.some((held) => held.chatResponse?.metadata.usage);
      const known = isUsageHeld && usage ? { ...metadata, usage } : metadata;
      this.emit({ ...answer, chatResponse: chatResponse.with({ results, metadata: known }) });
    }
  }

  /** Sends a response of the loop as a chunk of this round. */
  emit(response: ChatClientResponse): void {
    const { chatResponse } = response;
    this.subscriber.next({
      ...response,
      ...(chatResponse && { chatResponse: chatResponse.with({ metadata: this.#number(chatResponse.metadata) }) }),
    });
  }

  /** Whether any chunk contained text other than white space. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** Whether any chunk contained the finish reason. */
  get hasFinishReason(): boolean {
    return this.#hasFinishReason;
  }

  /** The part of a generation that was not sent yet. Text that was sent can only be extended. */
  #unsaid(generation: Generation, at: number): Generation {
    const { output } = generation;
    const said = this.#whole?.results[at]?.output ?? SILENT.output;
    const media = unsent(output.media, said.media);
    const providerToolCalls = unsent(output.providerToolCalls, said.providerToolCalls);
    const sources = unsent(output.sources, said.sources);
    return unspoken(generation, {
      text: output.text.startsWith(said.text) ? output.text.slice(said.text.length) : '',
      ...(media && { media }),
      ...(providerToolCalls && { providerToolCalls }),
      ...(sources && { sources }),
    });
  }

  #pass(response: ChatClientResponse): void {
    const chunk = response.chatResponse;
    if (!chunk) return this.subscriber.next(response);
    if (!this.#hasSpoken && chunk.text?.trim()) this.#hasSpoken = true;
    if (this.passesToolCalls && !this.round.isLast) {
      return this.subscriber.next(this.#withResults(response, chunk, chunk.results));
    }
    const holds = this.#held.length > 0 || chunk.hasToolCalls();
    if ((!holds && !this.round.isLast) || chunk.results.length === 0)
      return this.subscriber.next(this.#withResults(response, chunk, chunk.results));
    const spoken = chunk.results.map((generation) => this.#spoken(generation));
    if (spoken.some((generation) => generation !== undefined)) {
      // The position of a generation tells which answer it belongs to, so keep it.
      const results = spoken.map((generation) => generation ?? SILENT);
      this.subscriber.next(this.#withResults(response, chunk, results));
    }
    if (!this.round.isLast)
      this.#held.push(
        this.#withResults(
          response,
          chunk,
          chunk.results.map((generation) => unspoken(generation)),
        ),
      );
  }

  /**
   * A generation without its tool calls. The finish reason of a round is dropped, except in the
   * last round.
   */
  #spoken(generation: Generation): Generation | undefined {
    const { output, metadata, toolInput } = generation;
    const { finishReason, ...rest } = metadata ?? {};
    const reason = this.round.isLast && finishReason !== undefined ? FinishReason.MAX_ROUNDS_EXCEEDED : undefined;
    if (!isVisible(generation) && !reason) return undefined;
    if (reason) this.#hasFinishReason = true;
    return {
      output: withoutToolCalls(output),
      metadata: { ...rest, ...(reason && { finishReason: reason }) },
      ...(toolInput && { toolInput }),
    };
  }

  #withResults(response: ChatClientResponse, chunk: ChatResponse, results: readonly Generation[]): ChatClientResponse {
    const { metadata } = this.round.usage.stampChunk(chunk);
    return { ...response, chatResponse: new ChatResponse({ results, metadata: this.#number(metadata) }) };
  }

  #number(metadata: ChatResponseMetadata): ChatResponseMetadata {
    for (const _key in metadata) return { ...metadata, round: this.round.index };
    return this.#numbered;
  }
}

const SILENT: Generation = { output: new AssistantMessage('') };

/** A generation without what was already sent: its tool calls, and what a hook has added. */
function unspoken(
  { output, metadata }: Generation,
  addition: Omit<AssistantMessageInit, 'toolCalls'> = {},
): Generation {
  const { toolCalls, metadata: kept } = output;
  return {
    output: new AssistantMessage({ ...addition, toolCalls, ...(kept && { metadata: kept }) }),
    ...(metadata && { metadata }),
  };
}

/** The items that were not sent yet. Undefined if there are none. */
function unsent<T>(items: readonly T[] | undefined, sent: readonly T[] | undefined): readonly T[] | undefined {
  const left = items?.filter((item) => !sent?.includes(item));
  return left && left.length > 0 ? left : undefined;
}
