import { type Observable, type Subscriber, Subscription, takeWhile } from 'rxjs';
import { FinishReason } from '../model/finish-reason.js';
import { ChatResponse, type ChatResponseMetadata, type Generation } from '../model/chat-response.js';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import { AssistantMessage, withoutToolCalls } from '../model/messages.js';
import type { TurnControl } from '../model/turn-control.js';
import type { ChatClientResponse } from './chat-client-exchange.js';
import type { Round } from './loop-contract.js';

/**
 * One round of a streamed turn: passes text on as it comes, and holds tool calls back until it is known whether they
 * will be run.
 */
export class StreamRound {
  readonly #numbered: ChatResponseMetadata;
  /** What follows the first tool call, without the text, which has gone out. */
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

  /** Subscribes the chunks of the round and gives the whole response when it is complete. */
  run(chunks: Observable<ChatClientResponse>, { request }: Round, turn: TurnControl): Promise<ChatClientResponse> {
    return new Promise((resolve, reject) => {
      const aggregation = new ChatResponseAggregation();
      const running = new Subscription();
      let { context } = request;
      let isSettled = false;
      const end = (): void => {
        isSettled = true;
        this.subscriber.remove(running);
        try {
          running.unsubscribe();
        } catch (error) {
          // A source that cannot be torn down has failed: thrown on, it would come up wherever the source was called from.
          reject(error);
        }
      };
      const fail = (error: unknown): void => {
        if (isSettled) return;
        reject(error);
        end();
      };
      // Whoever leaves the stream ends the round, and with it the turn.
      this.subscriber.add(running);
      running.add(() => {
        if (!isSettled) fail(new StreamAbandoned());
      });
      if (turn.isAbortable) running.add(turn.onAbort(fail));
      if (isSettled) return;
      running.add(
        // A source that sends everything at once is stopped by what it sends next.
        chunks.pipe(takeWhile(() => !isSettled)).subscribe({
          next: (response) => {
            try {
              if (response.chatResponse) aggregation.add(response.chatResponse);
              if (response.context !== context) context = { ...context, ...response.context };
              this.#pass(response);
            } catch (error) {
              fail(error);
            }
          },
          error: fail,
          complete: () => {
            if (isSettled) return;
            end();
            const chatResponse = aggregation.response;
            this.#whole = chatResponse;
            resolve({ context, ...(chatResponse && { chatResponse }) });
          },
        }),
      );
    });
  }

  /** Lets out what was held back: the tool calls of this round are not run. A hook may have changed them since. */
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

  /** A response of the loop's own making, as a chunk of this round. */
  emit(response: ChatClientResponse): void {
    const { chatResponse } = response;
    this.subscriber.next({
      ...response,
      ...(chatResponse && { chatResponse: chatResponse.with({ metadata: this.#number(chatResponse.metadata) }) }),
    });
  }

  /** Whether some chunk had text other than blanks. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** Whether some chunk has said why the answer ended. */
  get hasFinishReason(): boolean {
    return this.#hasFinishReason;
  }

  /** What has not gone out of a generation: text can only be added to. */
  #unsaid(generation: Generation, at: number): Generation {
    const { text } = generation.output;
    const said = this.#whole?.results[at]?.output.text ?? '';
    return unspoken(generation, text.startsWith(said) ? text.slice(said.length) : '');
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
      // The place of a generation says which of several answers it belongs to.
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

  /** The text of a generation. That its round ended says nothing of the answer, unless there is no other round. */
  #spoken({ output, metadata }: Generation): Generation | undefined {
    const { finishReason, ...rest } = metadata ?? {};
    const reason = this.round.isLast && finishReason !== undefined ? FinishReason.MAX_ROUNDS_EXCEEDED : undefined;
    if (!output.text && !output.reasoning && !reason) return undefined;
    if (reason) this.#hasFinishReason = true;
    return { output: withoutToolCalls(output), metadata: { ...rest, ...(reason && { finishReason: reason }) } };
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

/** Nobody listens any more. Ends the loop; nobody sees it. */
class StreamAbandoned extends Error {
  override readonly name = 'StreamAbandoned';
}

const SILENT: Generation = { output: new AssistantMessage('') };

/** A generation without what has gone out before: text, but for what is new of it, and reasoning. */
function unspoken({ output, metadata }: Generation, text = ''): Generation {
  const { toolCalls, media, metadata: kept } = output;
  return {
    output: new AssistantMessage({ text, toolCalls, ...(media && { media }), ...(kept && { metadata: kept }) }),
    ...(metadata && { metadata }),
  };
}
