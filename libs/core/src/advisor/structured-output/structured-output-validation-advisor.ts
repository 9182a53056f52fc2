import { Observable, type Subscription } from 'rxjs';
import { fluentBuilder, type FluentBuilder } from '../../model/fluent-builder.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { ChatResponse, type ChatResponseMetadata } from '../../model/chat-response.js';
import { withAddedText } from '../../model/messages.js';
import { refuseNullOptions } from '../../model/null-checks.js';
import { TURN_CONTEXT } from '../../model/turn-context.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from '../advisor.js';
import { ChatClientContextKeys } from '../advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from '../chat-client-exchange.js';
import { ChatClientMessageAggregator } from '../chat-client-message-aggregator.js';
import { checkAdvisorOrder, Ordered } from '../ordered.js';
import { UsageAccumulator } from '../usage-accumulator.js';
import { EntityOutputConverter, type EntityType, toOutputConverter } from './entity-output-converter.js';
import { type StructuredOutputConverter, StructuredOutputException } from './structured-output-converter.js';

/** The options of {@link StructuredOutputValidationAdvisor}. Exactly one of `outputType` and `outputJsonSchema` is given. */
export interface StructuredOutputValidationAdvisorOptions {
  /** What the answer has to be: a class, a list of one, a schema, or a converter. */
  outputType?: EntityType;
  /** The JSON Schema that the answer has to fit, as an object or as JSON text. */
  outputJsonSchema?: JsonSchema | string;
  /** How often the model is asked again after an answer that does not fit. Default: 3. */
  maxRepeatAttempts?: number;
  /** Default: {@link StructuredOutputValidationAdvisor.DEFAULT_ORDER}, next to the model and inside the tool loop. */
  advisorOrder?: number;
  /** Whether an answer that does not fit after all attempts is an error. Default: false, it is given as it is. */
  strict?: boolean;
}

/** How much of a rejected answer the model is shown. */
const MAX_SHOWN = 4000;

/**
 * Asks the model again when its answer does not have the right form, and tells it why. Requests for tool calls pass. Streamed
 * answers are held back until they are known to be right.
 */
export class StructuredOutputValidationAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 2000;

  readonly name = 'Structured Output Validation Advisor';
  readonly order: number;
  readonly #converter: StructuredOutputConverter<unknown>;
  readonly #maxRepeatAttempts: number;
  readonly #strict: boolean;

  /**
   * @throws TypeError unless exactly one of `outputType` and `outputJsonSchema` is given
   * @throws RangeError when the order or the number of attempts is not allowed
   */
  constructor(options: StructuredOutputValidationAdvisorOptions) {
    refuseNullOptions(options);
    const { maxRepeatAttempts = 3, advisorOrder = StructuredOutputValidationAdvisor.DEFAULT_ORDER } = options;
    this.#converter = converterOf(options);
    if (!Number.isInteger(maxRepeatAttempts) || maxRepeatAttempts < 0) {
      throw new RangeError('repeatAttempts must be greater than or equal to 0');
    }
    this.order = checkAdvisorOrder(advisorOrder);
    this.#maxRepeatAttempts = maxRepeatAttempts;
    this.#strict = options.strict ?? false;
  }

  static builder(): FluentBuilder<StructuredOutputValidationAdvisorOptions, StructuredOutputValidationAdvisor> {
    return fluentBuilder(
      (options: StructuredOutputValidationAdvisorOptions) => new StructuredOutputValidationAdvisor(options),
    );
  }

  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    requireGiven(request, chain);
    const rest = chain.copy(this);
    return this.#untilValid(request, async (asked) => rest.nextCall(asked));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    requireGiven(request, chain);
    const rest = chain.copy(this);
    return new Observable((subscriber) => {
      let chunks: ChatClientResponse[] = [];
      let running: Subscription | undefined;
      const ask = (asked: ChatClientRequest): Promise<ChatClientResponse> =>
        new Promise((resolve, reject) => {
          chunks = [];
          const aggregated = new ChatClientMessageAggregator().aggregateChatClientResponse(
            rest.nextStream(asked),
            resolve,
          );
          // Whoever has left needs no other attempt.
          if (subscriber.closed) return;
          running = aggregated.subscribe({ next: (chunk) => chunks.push(chunk), error: reject });
        });
      this.#untilValid(request, ask).then(
        (response) => {
          for (const chunk of withUsageOf(chunks, response.chatResponse?.metadata)) subscriber.next(chunk);
          subscriber.complete();
        },
        (error: unknown) => subscriber.error(error),
      );
      return () => running?.unsubscribe();
    });
  }

  async #untilValid(
    request: ChatClientRequest,
    ask: (request: ChatClientRequest) => Promise<ChatClientResponse>,
  ): Promise<ChatClientResponse> {
    const usage = new UsageAccumulator();
    let asked = request;
    const { signal, [TURN_CONTEXT]: turn } = request.prompt.options ?? {};
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted();
      turn?.throwIfAborted();
      const response = await ask(asked);
      const { chatResponse } = response;
      usage.add(chatResponse);
      const stamped = chatResponse ? { ...response, chatResponse: usage.stamp(chatResponse) } : response;
      if (chatResponse?.hasToolCalls()) return stamped;
      const text = chatResponse?.text;
      const problem = await this.#problemOf(text);
      if (problem === undefined) return stamped;
      if (attempt < this.#maxRepeatAttempts) {
        const repeated = withProblem(request, problem, text);
        asked = {
          ...repeated,
          context: { ...repeated.context, [ChatClientContextKeys.VALIDATION_ATTEMPT]: attempt + 1 },
        };
        continue;
      }
      if (!this.#strict) return stamped;
      throw new StructuredOutputException(
        `The model's answer does not fit after ${attempt + 1} ${attempt === 0 ? 'attempt' : 'attempts'}: ${problem}`,
        text,
      );
    }
  }

  async #problemOf(text: string | undefined): Promise<string | undefined> {
    if (text === undefined) return 'Missing required json output for validation.';
    try {
      await this.#converter.convert(text);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function converterOf({
  outputType,
  outputJsonSchema,
}: StructuredOutputValidationAdvisorOptions): StructuredOutputConverter<unknown> {
  if (outputType && outputJsonSchema) {
    throw new TypeError('Only outputType or outputJsonSchema can be set, not both.');
  }
  if (outputType) return toOutputConverter(outputType);
  if (!outputJsonSchema) throw new TypeError('Either outputType or outputJsonSchema must be set.');
  return new EntityOutputConverter(
    typeof outputJsonSchema === 'string' ? parseSchema(outputJsonSchema) : outputJsonSchema,
  );
}

function parseSchema(text: string): JsonSchema {
  try {
    return JSON.parse(text) as JsonSchema;
  } catch (cause) {
    throw new TypeError(`Failed to parse JSON schema: ${(cause as Error).message}`, { cause });
  }
}

/** The original request, whose last user message tells what was wrong with the last answer. */
function withProblem(request: ChatClientRequest, problem: string, output: string | undefined): ChatClientRequest {
  const { prompt } = request;
  const shown = output && output.length > MAX_SHOWN ? `${output.slice(0, MAX_SHOWN)}…` : output;
  const told =
    `Output JSON validation failed because of: ${problem}` + (shown ? `\nThe output that was rejected:\n${shown}` : '');
  return { ...request, prompt: prompt.augmentUserMessage((message) => withAddedText(message, told)) };
}

/** The chunks; the last one that tells of usage tells that of all attempts. */
function withUsageOf(
  chunks: readonly ChatClientResponse[],
  { usage, usageByRound }: ChatResponseMetadata = {},
): readonly ChatClientResponse[] {
  const at = chunks.findLastIndex(({ chatResponse }) => chatResponse?.metadata.usage);
  if (at < 0 && usage) {
    const chatResponse = new ChatResponse({ results: [], metadata: { usage, ...(usageByRound && { usageByRound }) } });
    return [...chunks, { chatResponse, context: chunks.at(-1)?.context ?? {} }];
  }
  return chunks.map((chunk, index) => {
    if (index !== at || !usage) return chunk;
    const { chatResponse } = chunk;
    const metadata = { ...chatResponse!.metadata, usage, ...(usageByRound && { usageByRound }) };
    return { ...chunk, chatResponse: chatResponse!.with({ metadata }) };
  });
}

function requireGiven(request: unknown, chain: unknown): void {
  if (!request) throw new TypeError('chatClientRequest must not be null');
  if (!chain) throw new TypeError('callAdvisorChain must not be null');
}
