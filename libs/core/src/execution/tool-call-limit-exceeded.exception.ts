import { FinishReason } from '../model/finish-reason.js';
import type { Generation } from '../model/chat-response.js';
import { AssistantMessage, type ToolResponse } from '../model/messages.js';
import type { LimitBreach } from './tool-call-limits.js';
import type { ToolExecutionResult } from './tool-execution-result.js';

/**
 * The model asked for more tool calls than a turn may make. `partialResult` has the calls that
 * ran. It is a private field, so that loggers do not print the conversation.
 */
export class ToolCallLimitExceededException extends Error {
  override readonly name = 'ToolCallLimitExceededException';
  /** The tool with the limit. Undefined if the total limit was exceeded. */
  readonly toolName: string | undefined;
  readonly limit: number;
  readonly #breach: LimitBreach;
  readonly #partialResult: ToolExecutionResult;

  constructor(breach: LimitBreach, partialResult: ToolExecutionResult) {
    super(
      breach.toolName === undefined
        ? `Total tool call limit (${breach.limit}) exceeded for this turn`
        : `Tool call limit (${breach.limit}) exceeded for tool '${breach.toolName}'`,
    );
    this.toolName = breach.toolName;
    this.limit = breach.limit;
    this.#breach = breach;
    this.#partialResult = partialResult;
  }

  /**
   * The conversation with the responses to all calls: those within the limit and those beyond it.
   */
  get partialResult(): ToolExecutionResult {
    return this.#partialResult;
  }

  /**
   * The answer that ends the turn, with the finish reason `toolCallLimitExceeded` and the
   * responses of the calls that ran.
   */
  buildGeneration(): Generation {
    const last = this.partialResult.conversationHistory.at(-1);
    const responses: readonly ToolResponse[] = last?.role === 'tool' ? last.responses : [];
    return {
      output: new AssistantMessage({ text: this.#breach.text }),
      metadata: {
        finishReason: FinishReason.TOOL_CALL_LIMIT_EXCEEDED,
        partialToolResponses: responses.filter(({ isError }) => !isError),
      },
    };
  }
}
