import { Logger } from '@nestjs/common';
import { findTool } from '../model/find-tool.js';
import type { ToolCall } from '../model/messages.js';
import { idOrOther, nameOrOther } from '../model/error-type.js';
import { cutText } from '../tool/result/cut-text.js';
import { recordOf } from '../tool/record-of.js';
import { baseOf, type ToolRecord } from '../tool/tool-record.js';
import type { AnsweredCall } from './answered-call.js';
import { READ_TOOL_RESULT, ResultPages } from './result-pages.js';
import type { ToolCallBatch } from './tool-call-batch.js';
import type { ToolCallingManagerOptions } from './tool-calling-manager.options.js';

/** The most characters of a result or error to send to the model. */
export const DEFAULT_MAX_RESULT_LENGTH = 100_000;

/** What the log tells of a call. */
type CalledTool = Pick<ToolCall, 'id' | 'name'>;

/**
 * Shortens results and errors for the model. Their `value`, and results that are returned
 * directly, are never shortened.
 */
export class ResultLimit {
  readonly #logger = new Logger('ToolCalls');
  readonly #maxLength: number;
  /** Keeps the rest of long results, and adds the tool that reads it. Undefined if long results are cut. */
  readonly pages: ResultPages | undefined;

  /** @throws RangeError if the length is not a whole number greater than 0, or Infinity */
  constructor({ maxResultLength = DEFAULT_MAX_RESULT_LENGTH, resultPaging = false }: ToolCallingManagerOptions) {
    if (maxResultLength !== Number.POSITIVE_INFINITY && !(Number.isInteger(maxResultLength) && maxResultLength > 0)) {
      throw new RangeError(
        `maxResultLength must be a whole number of characters greater than 0, or Infinity, but is ${maxResultLength}.`,
      );
    }
    this.#maxLength = maxResultLength;
    this.pages = resultPaging ? new ResultPages(maxResultLength) : undefined;
  }

  /** Shortens the text that answers a call for the model. */
  cut(text: string, call: CalledTool, { prompt, turn }: ToolCallBatch, isUntrusted: boolean): string {
    if (text.length <= this.#maxLength) return text;
    const { pages } = this;
    const mayReadOn = pages && findTool(prompt.options?.toolCallbacks, READ_TOOL_RESULT) === pages.tool;
    if (mayReadOn) return pages.firstPage(text, turn, isUntrusted);
    this.#logCut(call, text.length);
    return cutText(text, this.#maxLength);
  }

  /** Shortens an answer for the model. Answers that are returned directly stay unchanged. */
  cutAnswer(answered: AnsweredCall, batch: ToolCallBatch, record: ToolRecord): AnsweredCall {
    return answered.returnDirect ? answered : this.cutForModel(answered, batch, record);
  }

  /** Shortens an answer for the model, also one that was meant for the caller. A page stays as it is. */
  cutForModel(answered: AnsweredCall, batch: ToolCallBatch, record?: ToolRecord): AnsweredCall {
    const { response } = answered;
    if (!response || response.responseData.length <= this.#maxLength) return answered;
    if (record && this.#isPage(record)) return answered;
    const responseData = this.cut(response.responseData, response, batch, response.untrusted === true);
    return { ...answered, response: { ...response, responseData } };
  }

  #logCut({ id, name }: CalledTool, length: number): void {
    const tool = nameOrOther(name);
    this.#logger.warn(
      `The result of the tool '${tool}' was cut: it has ${length} characters, and the model reads at most ` +
        `${this.#maxLength}. Return less, raise ai.tools.max-result-length, or set ai.tools.results.paging.enabled=true.`,
      { tool, callId: idOrOther(id) },
    );
  }

  /** Whether the tool reads pages. A page has its own instructions for reading on. */
  #isPage(record: ToolRecord): boolean {
    return this.pages !== undefined && baseOf(record) === recordOf(this.pages.tool);
  }
}
