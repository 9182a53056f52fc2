import type { ToolExecutionResult } from '../execution/tool-execution-result.js';
import { type Message, type ToolCall, type ToolResponse, ToolResponseMessage } from '../model/messages.js';

/** The number of equal calls in a row from which the model gets a remark. */
const TOLD_FROM = 3;

/** Adds a remark for the model when it repeats the same tool call. */
export class RepeatedCalls {
  /**
   * The only call of the last message and how many times in a row it was made. Used while each
   * message has one call.
   */
  #single: { readonly call: ToolCall; readonly count: number } | undefined;
  /** The same for several calls, once a message has had more than one. */
  #several: ReadonlyMap<string, number> | undefined;

  /** Adds a remark to each response whose call was made at least three times in a row. */
  remark(result: ToolExecutionResult): ToolExecutionResult {
    const asked = result.conversationHistory.at(-2);
    const last = result.conversationHistory.at(-1);
    if (asked?.role !== 'assistant' || last?.role !== 'tool') return result;
    const counts = this.#count(asked.toolCalls);
    if (!counts) return result;
    const remarks = counts.map((count, at) =>
      count < TOLD_FROM
        ? undefined
        : `Note: you have now called '${asked.toolCalls[at]!.name}' ${count} times in a row with the same arguments. ` +
          'Use the result you have, call it with other arguments, or do something else.',
    );
    const responses = last.responses.map((response, at) => withRemark(response, remarks[at]));
    const history: Message[] = [...result.conversationHistory.slice(0, -1), new ToolResponseMessage({ responses })];
    return { ...result, conversationHistory: history };
  }

  /** How many times in a row each call was made. Undefined if there is nothing to remark. */
  #count(calls: readonly ToolCall[]): number[] | undefined {
    // The most common case: one call per message.
    if (calls.length === 1 && !this.#several) {
      const call = calls[0]!;
      const count = this.#single && isSame(call, this.#single.call) ? this.#single.count + 1 : 1;
      this.#single = { call, count };
      return count < TOLD_FROM ? undefined : [count];
    }
    const before = this.#several ?? new Map(this.#single && [[keyOf(this.#single.call), this.#single.count]]);
    const after = new Map<string, number>();
    const counts = calls.map((call) => {
      const key = keyOf(call);
      const count = (after.get(key) ?? before.get(key) ?? 0) + 1;
      after.set(key, count);
      return count;
    });
    this.#several = after;
    return counts.some((count) => count >= TOLD_FROM) ? counts : undefined;
  }
}

function keyOf({ name, arguments: given }: ToolCall): string {
  return `${name} ${given}`;
}

function isSame(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && a.arguments === b.arguments;
}

function withRemark(response: ToolResponse, remark: string | undefined): ToolResponse {
  return remark === undefined ? response : { ...response, responseData: `${response.responseData}\n\n${remark}` };
}
