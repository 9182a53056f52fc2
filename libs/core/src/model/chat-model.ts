import type { Observable } from 'rxjs';
import type { ChatOptions } from './chat-options.js';
import type { ChatResponse } from './chat-response.js';
import type { Prompt } from './prompt.js';

/**
 * A language model. Extend it to connect one; it is also the injection token.
 *
 * A model never executes tools: it is sent the definitions of the tools in `prompt.options` (see
 * `offeredToolDefinitions`) and answers with the calls it asks for.
 */
export abstract class ChatModel {
  /** Used where a request sets nothing else. */
  readonly defaultOptions: ChatOptions = {};

  /** Who runs the model, as telemetry is to name it: one of the values of `gen_ai.provider.name`, such as `openai`. */
  readonly provider?: string;

  /** The model, as its provider names it, for telemetry; where the options of a request name another one, it is that. */
  readonly modelName?: string;

  /** Whether the model follows `outputSchema` of the options. Default: false, it is told the form of the answer in words. */
  readonly supportsStructuredOutput: boolean = false;

  /** Answers in one piece. Rejects when `prompt.options.signal` is aborted. */
  abstract call(prompt: Prompt): Promise<ChatResponse>;

  /**
   * Makes sure that the model can be asked. Called at bootstrap. Does nothing by default.
   *
   * @throws Error with the remedy
   */
  verify(): void {}

  /**
   * Answers in chunks. Cold: each subscription makes a new request, and unsubscribing aborts it.
   * A tool call arrives whole, or in fragments that carry the same `index`.
   */
  abstract stream(prompt: Prompt): Observable<ChatResponse>;
}
