import type { Observable } from 'rxjs';
import { type BuilderOf, builderOf } from '../../model/fluent-builder.js';
import { type JsonSchema, messageOf, UnenforceableSchemaException } from '@nestor-ai/schema';
import { ChatResponse, type ChatResponseMetadata } from '../../model/chat-response.js';
import { AssistantMessage, withAddedText } from '../../model/messages.js';
import { streamOf } from '../../model/stream-of.js';
import { Turn } from '../../model/turn.js';
import type { CallAdvisor, CallAdvisorChain, StreamAdvisor, StreamAdvisorChain } from '../advisor.js';
import { ADVISOR_ORDERS } from '../advisor-orders.js';
import { ChatClientContextKeys } from '../advisor-params.js';
import type { ChatClientRequest, ChatClientResponse } from '../chat-client-exchange.js';
import { ChatClientResponseAggregation } from '../chat-client-message-aggregator.js';
import { checkAdvisorOrder } from '../ordered.js';
import { UsageAccumulator } from '../usage-accumulator.js';
import { EntityOutputConverter, type EntityType, toOutputConverter } from './entity-output-converter.js';
import type { StructuredOutputConverter } from './structured-output-converter.js';
import { StructuredOutputException } from './structured-output.exception.js';
import { requireOptions } from '../required-options.js';

/**
 * The options of {@link StructuredOutputValidationAdvisor}. Give either `outputType` or
 * `outputJsonSchema`.
 */
export interface StructuredOutputValidationAdvisorOptions {
  /** The type of the answer: a class, a list of a class, a schema or a converter. */
  outputType?: EntityType;
  /** The JSON Schema of the answer, as an object or as JSON text. */
  outputJsonSchema?: JsonSchema | string;
  /** How many times to ask the model again after an answer that does not fit. Default: 3. */
  maxRepeatAttempts?: number;
  /**
   * Default: {@link StructuredOutputValidationAdvisor.DEFAULT_ORDER}, next to the model and inside
   * the tool loop.
   */
  order?: number;
  /** @deprecated Use `order`, which wins over it. */
  advisorOrder?: number;
  /**
   * Whether the request fails if no attempt fits. Default: false, and the last answer is returned.
   */
  strict?: boolean;
}

/** How many characters of a rejected answer to send back to the model. */
const MAX_SHOWN = 4000;

/**
 * Asks the model again if its answer does not have the right format, and tells it why. Answers
 * that ask for tools pass unchanged. The chunks of a stream are sent once the whole answer is
 * valid.
 *
 * If the caller reads the text, as with `content()`, the JSON must fit the schema exactly: the
 * model is asked again when a number is given as text. Code fences and chatter around the JSON are
 * removed. If `entity()` converts the answer, only the converted value must fit.
 */
export class StructuredOutputValidationAdvisor implements CallAdvisor, StreamAdvisor {
  static readonly DEFAULT_ORDER = ADVISOR_ORDERS.StructuredOutputValidationAdvisor;

  readonly name = 'Structured Output Validation Advisor';
  readonly order: number;
  readonly #converter: StructuredOutputConverter<unknown>;
  readonly #maxRepeatAttempts: number;
  readonly #strict: boolean;

  /**
   * @throws TypeError unless exactly one of `outputType` and `outputJsonSchema` is given, or if
   *   the schema is not valid
   * @throws RangeError if the order or the number of attempts is not allowed
   */
  constructor(options: StructuredOutputValidationAdvisorOptions) {
    const { maxRepeatAttempts = 3 } = requireOptions(
      StructuredOutputValidationAdvisor,
      options,
      '{ outputType: Answer }',
    );
    this.#converter = converterOf(options);
    if (!Number.isInteger(maxRepeatAttempts) || maxRepeatAttempts < 0) {
      throw new RangeError('maxRepeatAttempts must be greater than or equal to 0');
    }
    const { DEFAULT_ORDER } = StructuredOutputValidationAdvisor;
    this.order = checkAdvisorOrder(options.order ?? options.advisorOrder ?? DEFAULT_ORDER);
    this.#maxRepeatAttempts = maxRepeatAttempts;
    this.#strict = options.strict ?? false;
  }

  static builder(): BuilderOf<typeof StructuredOutputValidationAdvisor> {
    return builderOf(StructuredOutputValidationAdvisor);
  }

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return this.#untilValid(request, (asked) => chain.nextCall(asked));
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): Observable<ChatClientResponse> {
    return streamOf(async (output) => {
      let chunks: ChatClientResponse[] = [];
      let said: string | undefined;
      const response = await this.#untilValid(request, async (asked) => {
        chunks = [];
        const answer = new ChatClientResponseAggregation();
        await output.consume(chain.nextStream(asked), (chunk) => {
          answer.add(chunk);
          chunks.push(chunk);
        });
        said = answer.response.chatResponse?.text;
        return answer.response;
      });
      const { chatResponse } = response;
      // The text has changed, so the chunks no longer add up to it.
      if (chatResponse?.text !== said) return output.emit(response);
      for (const chunk of withUsageOf(chunks, chatResponse?.metadata)) output.emit(chunk);
    });
  }

  async #untilValid(
    request: ChatClientRequest,
    ask: (request: ChatClientRequest) => Promise<ChatClientResponse>,
  ): Promise<ChatClientResponse> {
    const usage = new UsageAccumulator();
    let asked = request;
    const turn = Turn.of(request);
    for (let attempt = 0; ; attempt++) {
      if (turn) turn.throwIfAborted();
      else request.prompt.options?.signal?.throwIfAborted();
      const response = await ask(asked);
      const { chatResponse } = response;
      usage.add(chatResponse);
      const stamped = chatResponse ? { ...response, chatResponse: usage.stamp(chatResponse) } : response;
      if (chatResponse?.hasToolCalls()) return stamped;
      const text = chatResponse?.text;
      const judged = await this.#judge(text, request);
      if (judged.problem === undefined) return withText(stamped, judged.text);
      const { problem } = judged;
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

  async #judge(text: string | undefined, { context }: ChatClientRequest): Promise<Judgement> {
    if (text === undefined) return { problem: 'Missing required json output for validation.' };
    const converter = this.#converter;
    try {
      const isConverted = context[ChatClientContextKeys.OUTPUT_FORMAT] !== undefined;
      // A converter written in JavaScript may have no check().
      if (!isConverted && converter.check) return { text: await converter.check(text) };
      await converter.convert(text);
      return { text };
    } catch (error) {
      // No other answer could fit this schema either.
      if (error instanceof UnenforceableSchemaException) throw error;
      return { problem: messageOf(error) };
    }
  }
}

/** The text for the caller, or the reason why it does not fit. */
type Judgement = { readonly text: string; readonly problem?: never } | { readonly problem: string };

/** The response with another text. */
function withText(response: ChatClientResponse, text: string): ChatClientResponse {
  const { chatResponse } = response;
  if (!chatResponse || chatResponse.text === text) return response;
  const [first, ...others] = chatResponse.results;
  const { text: _text, ...rest } = first!.output;
  const output = new AssistantMessage({ ...rest, text });
  return { ...response, chatResponse: chatResponse.with({ results: [{ ...first!, output }, ...others] }) };
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

/** The original request, with the problem of the last answer added to its last user message. */
function withProblem(request: ChatClientRequest, problem: string, output: string | undefined): ChatClientRequest {
  const { prompt } = request;
  const shown = output && output.length > MAX_SHOWN ? `${output.slice(0, MAX_SHOWN)}…` : output;
  const told =
    `Output JSON validation failed because of: ${problem}` + (shown ? `\nThe output that was rejected:\n${shown}` : '');
  return { ...request, prompt: prompt.augmentUserMessage((message) => withAddedText(message, told)) };
}

/** The chunks. The last one that reports usage gets the usage of all attempts. */
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
