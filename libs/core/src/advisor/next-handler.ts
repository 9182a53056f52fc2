import { forManyListeners, unlessAborted } from '../model/aborts.js';
import type { ChatResponse } from '../model/chat-response.js';
import type { Abortable, StreamOutput } from '../model/stream-of.js';
import type { Advisor, CallAdvisorChain, StreamAdvisorChain } from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './chat-client-exchange.js';
import { ChatClientResponseAggregation } from './chat-client-message-aggregator.js';
import { hasContent } from '../model/has-content.js';

/** Options for running the rest of the chain. */
export interface HandleOptions {
  /** The chain to run instead of the rest of the chain. */
  readonly chain?: CallAdvisorChain & StreamAdvisorChain;
  /** Ends the answer when aborted. */
  readonly until?: Abortable | undefined;
}

/** The rest of the chain for an `AroundAdvisor`, the same for calls and streams. */
export interface NextHandler {
  /**
   * Runs the rest of the chain. You can call it any number of times. The chunks of a stream are
   * sent as they arrive.
   *
   * @returns the whole response
   */
  handle(request: ChatClientRequest, options?: HandleOptions): Promise<ChatClientResponse>;

  /** All advisors of the chain in order, including those that have already run. */
  readonly advisors: readonly Advisor[];

  /** Whether the advisor is inside the tool loop, where it sees each round of a turn. */
  readonly isInsideLoop: boolean;

  /**
   * Whether content was already sent in chunks, so that another answer would be appended to it.
   * Always false for a call.
   */
  readonly hasBegun: boolean;

  /**
   * The last answer as far as it was received. For a failed stream: the part before the failure.
   */
  readonly received: ChatResponse | undefined;

  /** Aborted by the caller, or when the subscriber leaves the stream. */
  readonly signal: AbortSignal | undefined;
}

/** Runs the rest of a chain in one piece. */
export class CallHandler implements NextHandler {
  readonly hasBegun = false;
  received: ChatResponse | undefined;

  constructor(
    private readonly chain: CallAdvisorChain,
    private readonly request: ChatClientRequest,
  ) {}

  get advisors(): readonly Advisor[] {
    return this.chain.advisors;
  }

  get isInsideLoop(): boolean {
    return this.chain.isInsideLoop;
  }

  get signal(): AbortSignal | undefined {
    return this.request.prompt.options?.signal;
  }

  async handle(request: ChatClientRequest, { chain, until }: HandleOptions = {}): Promise<ChatClientResponse> {
    this.received = undefined;
    const answer = (chain ?? this.chain).nextCall(request);
    const response = await (until ? unlessAborted(answer, (abort) => until.onAbort(abort)) : answer);
    this.received = response.chatResponse;
    return response;
  }
}

/** Runs the rest of a chain in chunks and passes them on. */
export class StreamHandler implements NextHandler {
  hasBegun = false;
  /** The answers that were sent completely. */
  readonly #answers = new Set<ChatClientResponse>();
  #isAnswered = false;
  #answer: ChatClientResponseAggregation | undefined;

  constructor(
    private readonly chain: StreamAdvisorChain,
    private readonly request: ChatClientRequest,
    private readonly output: StreamOutput<ChatClientResponse>,
  ) {}

  async handle(request: ChatClientRequest, { chain, until }: HandleOptions = {}): Promise<ChatClientResponse> {
    this.#isAnswered = false;
    const answer = (this.#answer = new ChatClientResponseAggregation());
    const pass = (chunk: ChatClientResponse): void => {
      answer.add(chunk);
      this.hasBegun ||= hasContent(chunk.chatResponse);
      this.output.emit(chunk);
    };
    await this.output.consume((chain ?? this.chain).nextStream(request), pass, until);
    const { response } = answer;
    this.#answers.add(response);
    this.#isAnswered = true;
    return response;
  }

  /**
   * Whether a response was already sent, either itself or as the last answer before it was
   * changed.
   */
  hasSent(response: ChatClientResponse): boolean {
    return this.#isAnswered || this.#answers.has(response);
  }

  get advisors(): readonly Advisor[] {
    return this.chain.advisors;
  }

  get isInsideLoop(): boolean {
    return this.chain.isInsideLoop;
  }

  get received(): ChatResponse | undefined {
    return this.#answer?.response.chatResponse;
  }

  get signal(): AbortSignal {
    const { signal } = this.output;
    const callerSignal = this.request.prompt.options?.signal;
    return callerSignal ? forManyListeners(AbortSignal.any([callerSignal, signal])) : signal;
  }
}
