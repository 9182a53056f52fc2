import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Message, type ToolResponse, ToolResponseMessage } from '../model/messages.js';

/** The number of equal calls in a row from which the model gets a remark. */
const TOLD_FROM = 3;

/** Adds a remark for the model when it repeats the same tool call. */
export class RepeatedCalls {
  /** How many times in a row each call of the last message was made. */
  #counts: ReadonlyMap<string, number> | undefined;

  /** Adds a remark to each response whose call was made at least three times in a row. */
  remark(result: ToolExecutionResult): ToolExecutionResult {
    const asked = result.conversationHistory.at(-2);
    const last = result.conversationHistory.at(-1);
    if (asked?.role !== 'assistant' || last?.role !== 'tool') return result;
    const counts = new Map<string, number>();
    const remarks = asked.toolCalls.map(({ name, arguments: given }) => {
      const key = `${name} ${given}`;
      const count = (counts.get(key) ?? this.#counts?.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count < TOLD_FROM
        ? undefined
        : `Note: you have now called '${name}' ${count} times in a row with the same arguments. ` +
            'Use the result you have, call it with other arguments, or do something else.';
    });
    this.#counts = counts;
    if (remarks.every((remark) => remark === undefined)) return result;
    const responses = last.responses.map((response, at) => withRemark(response, remarks[at]));
    const history: Message[] = [...result.conversationHistory.slice(0, -1), new ToolResponseMessage({ responses })];
    return { ...result, conversationHistory: history };
  }
}

function withRemark(response: ToolResponse, remark: string | undefined): ToolResponse {
  return remark === undefined ? response : { ...response, responseData: `${response.responseData}\n\n${remark}` };
}
