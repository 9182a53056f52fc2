import { type Attributes, SpanKind } from '@opentelemetry/api';
import { Observable, throwError } from 'rxjs';
import type { ChatModel } from '../model/chat-model.js';
import type { ChatResponse } from '../model/chat-response.js';
import { ChatResponseAggregation } from '../model/message-aggregator.js';
import { ModelTimeoutException } from '../model/model-timeout.exception.js';
import type { Prompt } from '../model/prompt.js';
import { toInputMessages, toOutputMessages, toSystemInstructions } from './content.js';
import { GEN_AI, NESTOR } from './gen-ai.js';
import { requestedModel, UNKNOWN_PROVIDER } from './observation-convention.js';
import { ModelSubscriber, type StreamRecovery } from './model-subscriber.js';
import { logOnce, safely } from './safely.js';
import { observeCall, type ObservedSpan, type SpanListener, subscribeInside } from './observed-span.js';
import { observationOf, type RequestObservation } from './request-observation.js';

/** Calls a model for an answer in one piece, and observes it if the request is observed. */
export function callModel(chatModel: ChatModel, prompt: Prompt): Promise<ChatResponse> {
  const observation = observationOf(prompt.options);
  if (observation) return observeCall(new AskedModel(observation, chatModel, prompt), () => chatModel.call(prompt));
  try {
    // A model written in JavaScript may return a plain value, or throw before it returns.
    return Promise.resolve(chatModel.call(prompt));
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Like {@link callModel}, for streams. They fail as `toModelFailure` says.
 *
 * @param pack converts each chunk to the value that is passed on
 * @param recover takes over if the stream fails before it has begun to answer
 */
export function streamModel<R>(
  chatModel: ChatModel,
  prompt: Prompt,
  pack: (chunk: ChatResponse) => R,
  recover?: StreamRecovery<R>,
): Observable<R> {
  let chunks: Observable<ChatResponse>;
  try {
    chunks = chatModel.stream(prompt);
  } catch (error) {
    // A model written in JavaScript may throw before it returns.
    chunks = throwError(() => error);
  }
  const observation = observationOf(prompt.options);
  if (!observation) {
    return new Observable(
      (subscriber) => void chunks.subscribe(new ModelSubscriber(subscriber, pack, prompt, recover)),
    );
  }
  return new Observable((subscriber) => {
    const asked = new AskedModel(observation, chatModel, prompt, true);
    const span = asked.begin();
    const seen = (chunk: ChatResponse): R => {
      asked.next(span, chunk);
      return pack(chunk);
    };
    subscribeInside(chunks, span, asked, new ModelSubscriber(subscriber, seen, prompt, recover));
  });
}

/** Observes a model that is asked, for an answer in one piece or in chunks. */
class AskedModel implements SpanListener<ChatResponse | void> {
  /** The collected chunks: only metadata, or everything if completions are shown. */
  readonly #answer = new ChatResponseAggregation();
  #hasBegun = false;
  #hasToolInput = false;

  constructor(
    private readonly observation: RequestObservation,
    private readonly chatModel: ChatModel,
    private readonly prompt: Prompt,
    private readonly isTimed?: true,
  ) {}

  begin(): ObservedSpan {
    const { observation, chatModel, prompt } = this;
    const conversationId = observation.request?.observed.conversationId;
    const span = observation.begin(
      SpanKind.CLIENT,
      (convention) => convention.modelSpan({ chatModel, prompt, conversationId }),
      this.isTimed,
    );
    if (observation.options.includePrompt && span.isRecording) {
      safely(() => {
        const instructions = toSystemInstructions(prompt.messages, observation.write);
        span.set({
          [GEN_AI.inputMessages]: toInputMessages(prompt.messages, observation.write),
          ...(instructions !== undefined && { [GEN_AI.systemInstructions]: instructions }),
        });
      }, chatModel);
    }
    return span;
  }

  next(span: ObservedSpan, chunk: ChatResponse): void {
    try {
      this.#see(span, chunk);
    } catch (error) {
      // A model may emit any value.
      logOnce(error, this.chatModel);
    }
  }

  ended(span: ObservedSpan, response: ChatResponse | void = this.#answer.response): void {
    this.#measure(span, response ?? undefined, {});
    if (response) this.#tell(span, response);
  }

  failed(span: ObservedSpan, error: unknown): void {
    this.#measure(span, this.#answer.response, this.observation.fail(span, error, this.prompt.options));
  }

  abandoned(span: ObservedSpan): void {
    const { signal } = this.prompt.options ?? {};
    // A time limit unsubscribes from the stream before the model fails.
    if (signal?.reason instanceof ModelTimeoutException) return this.failed(span, signal.reason);
    this.#measure(span, this.#answer.response, this.observation.abort(span));
  }

  #see(span: ObservedSpan, chunk: ChatResponse): void {
    if (!this.#hasBegun) this.#begin(span);
    const { metadata, results } = chunk;
    const first = results[0];
    if (!this.#hasToolInput && first?.toolInput) {
      this.#hasToolInput = true;
      span.setOne(NESTOR.timeToFirstToolInput, span.seconds);
    }
    const isKept = this.observation.options.includeCompletion || first?.metadata || first?.output.providerToolCalls;
    if (isKept || metadata.usage || metadata.id || metadata.model) this.#answer.add(chunk);
  }

  #begin(span: ObservedSpan): void {
    this.#hasBegun = true;
    const { seconds } = span;
    span.setOne(GEN_AI.timeToFirstChunk, seconds);
    this.observation.instruments?.timeToFirstChunk.record(seconds, this.#attributes());
  }

  #tell(span: ObservedSpan, response: ChatResponse): void {
    const attributes = this.observation.ask((convention) => convention.modelResponse(response));
    if (attributes) span.set(attributes);
    if (this.observation.options.includeCompletion && span.isRecording) {
      span.setOne(GEN_AI.outputMessages, toOutputMessages(response.results, this.observation.write));
    }
  }

  #measure(span: ObservedSpan, response: ChatResponse | undefined, failure: Attributes): void {
    const { instruments } = this.observation;
    if (!instruments) return;
    const { usage, model } = response?.metadata ?? {};
    const attributes = this.#attributes();
    if (model !== undefined) attributes[GEN_AI.responseModel] = model;
    instruments.operationDuration.record(span.seconds, { ...attributes, ...failure });
    if (!usage) return;
    const record = (type: string, tokens: number): void => {
      if (Number.isFinite(tokens)) instruments.tokenUsage.record(tokens, { ...attributes, [GEN_AI.tokenType]: type });
    };
    record('input', usage.promptTokens);
    record('output', usage.completionTokens);
  }

  #attributes(): Attributes {
    const { chatModel, prompt } = this;
    const model = requestedModel(chatModel, prompt);
    return {
      [GEN_AI.operationName]: 'chat',
      [GEN_AI.providerName]: chatModel.provider ?? UNKNOWN_PROVIDER,
      ...(model !== undefined && { [GEN_AI.requestModel]: model }),
    };
  }
}
