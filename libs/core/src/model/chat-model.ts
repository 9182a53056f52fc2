import type { Observable } from 'rxjs';
// Every entry point loads this file, so every copy of the package is counted.
import './loaded-copies.js';
import type { ChatOptions } from './chat-options.js';
import type { ChatResponse } from './chat-response.js';
import type { JsonSchema } from '@nestor-ai/schema';
import type { Prompt } from './prompt.js';

/**
 * A language model. Extend this class to connect one. It is also the injection token.
 *
 * A model never runs tools. It receives the tool definitions in `prompt.options` (see
 * `offeredToolDefinitions`) and answers with the calls that it asks for.
 */
export abstract class ChatModel {
  /** Default options. The options of a request override them. */
  readonly defaultOptions: ChatOptions = {};

  /** The provider's name for telemetry: a value of `gen_ai.provider.name`, such as `openai`. */
  readonly provider?: string;

  /**
   * The provider's name of the model, for telemetry. The `model` option of a request overrides it.
   */
  readonly modelName?: string;

  /**
   * How many times the clients of `AiModule` ask this model again after a temporary error, unless
   * the property `ai.model.retry` is set. A model that repeats its calls itself returns 0.
   * Default: 2.
   */
  readonly retries?: number;

  /**
   * Whether the model supports `outputSchema`. If not, the prompt describes the format in words.
   * Default: false.
   */
  readonly supportsStructuredOutput: boolean = false;

  /**
   * Whether the model can follow this `outputSchema` in a request with these options. If not, the
   * prompt describes the format in words. Default: {@link supportsStructuredOutput}.
   */
  supportsOutputSchema(_schema: JsonSchema, _options: ChatOptions | undefined): boolean {
    return this.supportsStructuredOutput;
  }

  /** Answers in one piece. Rejects when `prompt.options.signal` is aborted. */
  abstract call(prompt: Prompt): Promise<ChatResponse>;

  /**
   * Checks that the model can be called. Runs at bootstrap. Does nothing by default.
   *
   * @throws Error that names the remedy
   */
  verify(): void {}

  /**
   * Answers in chunks. The stream is cold: each subscription sends a new request, and
   * unsubscribing aborts it. A tool call arrives complete, or in fragments that share the same
   * `index`.
   */
  abstract stream(prompt: Prompt): Observable<ChatResponse>;
}
