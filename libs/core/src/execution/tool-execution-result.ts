import { FinishReason } from '../model/finish-reason.js';
import type { Generation } from '../model/chat-response.js';
import type { PendingInputs } from '../model/pending-input.js';
import { AssistantMessage, type Message, type ToolCall, type ToolResponse } from '../model/messages.js';

/** The result of the tool calls of one message. */
export interface ToolExecutionResult {
  /** The conversation so far, including the model's message and the responses of the tools. */
  readonly conversationHistory: Message[];
  /**
   * Whether the responses are the answer to the user: every tool that ran is `returnDirect`, and
   * none failed.
   */
  readonly returnDirect: boolean;
  /**
   * Calls of the message that need approval and did not run, or that ask their user for input. The responses to the others are in
   * the history. To continue, execute the same message again with this history and `toolApprovals`
   * in the options.
   */
  readonly pendingApprovals?: readonly ToolCall[];
  /**
   * What is kept of pending calls that ask their user for input, by call id. Pass it back as
   * `pendingInputs` of the options, together with `toolApprovals`. Keep it on the server: it
   * contains the state of the tools.
   */
  readonly pendingInputs?: PendingInputs;
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the interface
export const ToolExecutionResult = {
  /** The responses of the last message as generations, with the finish reason `returnDirect`. */
  buildGenerations(result: ToolExecutionResult): Generation[] {
    const last = result.conversationHistory.at(-1);
    return last?.role === 'tool' ? last.responses.map(toGeneration) : [];
  },
};

function toGeneration(response: ToolResponse): Generation {
  const media = (response.content ?? []).filter((part) => part.type !== 'text');
  return {
    output: new AssistantMessage({
      text: response.responseData,
      ...(media.length > 0 && { media }),
      ...(response.untrusted && { metadata: { untrusted: true } }),
    }),
    metadata: {
      finishReason: FinishReason.RETURN_DIRECT,
      toolId: response.id,
      toolName: response.name,
      ...(response.value !== undefined && { value: response.value }),
    },
  };
}
