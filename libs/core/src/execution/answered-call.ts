import type { ToolCall } from '../model/messages.js';
import type { PendingInput } from '../model/pending-input.js';
import type { ToolResult } from '../model/tool-result.js';
import type { TerseEnd, ToolCallOutcome } from '../model/tool-call-outcome.js';
import { toToolResult } from '../tool/result/to-tool-result.js';

/** The end of a call. Without a response, the call waits for approval or input. */
export interface AnsweredCall extends TerseEnd {
  readonly returnDirect: boolean;
  /** What the call asks its user for, if it waits for that. */
  readonly input?: PendingInput;
}

/** The result of a call that waits for approval. */
export const PENDING: AnsweredCall = Object.freeze({ returnDirect: false });

/** The result of a call that a tool answered. */
export function toAnsweredCall(call: ToolCall, result: string | ToolResult, returnDirect: boolean): AnsweredCall {
  if (typeof result === 'string') {
    return { response: { id: call.id, name: call.name, responseData: result }, returnDirect };
  }
  const { text, content, isError, value, untrusted } = toToolResult(result);
  return {
    response: {
      id: call.id,
      name: call.name,
      responseData: text,
      ...(isError && { isError }),
      ...(content && { content }),
      ...(value !== undefined && { value }),
      ...(untrusted && { untrusted }),
    },
    returnDirect: returnDirect && !isError,
  };
}

/** The call with its response marked as untrusted. */
export function asUntrustedAnswer(answered: AnsweredCall): AnsweredCall {
  const { response } = answered;
  return response ? { ...answered, response: { ...response, untrusted: true } } : answered;
}

/** The result of a call that failed or did not run. */
export function failedCall(
  call: ToolCall,
  responseData: string,
  outcome: ToolCallOutcome,
  error?: unknown,
): AnsweredCall {
  const isDenied = outcome === 'denied' && ({ isDenied: true } as const);
  const response = { id: call.id, name: call.name, responseData, isError: true, ...isDenied };
  return { response, returnDirect: false, outcome, ...(error !== undefined && { error }) };
}
