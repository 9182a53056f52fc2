import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Message, type ToolResponse, ToolResponseMessage } from '../model/messages.js';

/** How often the same call may follow itself before the model is told. */
const TOLD_FROM = 3;

/** Notices when a model calls the same tool with the same arguments again and again, and tells it. */
export class RepeatedCalls {
  /** How often each call of the last message follows itself: within a message, or in each of the last messages. */
  #times: ReadonlyMap<string, number> = new Map();

  /** The result of a round, with a remark in each response to a call that follows itself for at least the third time. */
  remark(result: ToolExecutionResult): ToolExecutionResult {
    const asked = result.conversationHistory.at(-2);
    const last = result.conversationHistory.at(-1);
    if (asked?.role !== 'assistant' || last?.role !== 'tool') return result;
    let remarks: (string | undefined)[] | undefined;
    const times = new Map<string, number>();
    for (const [at, call] of asked.toolCalls.entries()) {
      const key = `${call.name} ${call.arguments}`;
      const count = (times.get(key) ?? this.#times.get(key) ?? 0) + 1;
      times.set(key, count);
      if (count < TOLD_FROM) continue;
      (remarks ??= [])[at] =
        `Note: you have now called '${call.name}' ${count} times in a row with the same arguments. ` +
        'Use the result you have, call it with other arguments, or do something else.';
    }
    this.#times = times;
    if (!remarks) return result;
    const responses = last.responses.map((response, at) => withRemark(response, remarks[at]));
    const history: Message[] = [...result.conversationHistory.slice(0, -1), new ToolResponseMessage({ responses })];
    return { ...result, conversationHistory: history };
  }
}

function withRemark(response: ToolResponse, remark: string | undefined): ToolResponse {
  return remark === undefined ? response : { ...response, responseData: `${response.responseData}\n\n${remark}` };
}
