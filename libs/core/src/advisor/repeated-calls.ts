import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Message, type ToolCall, type ToolResponse, ToolResponseMessage } from '../model/messages.js';

/** How often the same call may follow itself before the model is told. */
const TOLD_FROM = 3;

/** Notices when a model calls the same tool with the same arguments again and again, and tells it. */
export class RepeatedCalls {
  #last: Pick<ToolCall, 'name' | 'arguments'> | undefined;
  #times = 0;

  /** The result of a round, with a remark in each response to a call that follows itself for at least the third time. */
  remark(result: ToolExecutionResult): ToolExecutionResult {
    const asked = result.conversationHistory.at(-2);
    const last = result.conversationHistory.at(-1);
    if (asked?.role !== 'assistant' || last?.role !== 'tool') return result;
    let remarks: (string | undefined)[] | undefined;
    for (const [at, call] of asked.toolCalls.entries()) {
      if (this.#follows(call) < TOLD_FROM) continue;
      (remarks ??= [])[at] =
        `Note: you have now called '${call.name}' ${this.#times} times in a row with the same arguments. ` +
        'Use the result you have, call it with other arguments, or do something else.';
    }
    if (!remarks) return result;
    const responses = last.responses.map((response, at) => withRemark(response, remarks[at]));
    const history: Message[] = [...result.conversationHistory.slice(0, -1), new ToolResponseMessage({ responses })];
    return { ...result, conversationHistory: history };
  }

  #follows(call: ToolCall): number {
    const last = this.#last;
    const isSame = last !== undefined && last.name === call.name && last.arguments === call.arguments;
    this.#times = isSame ? this.#times + 1 : 1;
    this.#last = call;
    return this.#times;
  }
}

function withRemark(response: ToolResponse, remark: string | undefined): ToolResponse {
  return remark === undefined ? response : { ...response, responseData: `${response.responseData}\n\n${remark}` };
}
