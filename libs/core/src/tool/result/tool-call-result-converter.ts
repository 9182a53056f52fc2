import { Inject, Optional } from '@nestjs/common';
import { Observable } from 'rxjs';
import { ToolResult } from '../../model/tool-result.js';
import { cutText } from './cut-text.js';
import { readBinary } from './binary-result.js';
import { toJsonText } from './to-json-text.js';

/** Converts the return value of a tool to the text that the model reads. */
export abstract class ToolCallResultConverter {
  /**
   * @param result the return value, after promises and streams have settled
   * @param returnType the declared return class of the method, if TypeScript emits it
   * @throws any error; it becomes an error result for the model
   */
  abstract convert(result: unknown, returnType?: unknown): string | ToolResult | Promise<string | ToolResult>;
}

/** The options of {@link DefaultToolCallResultConverter}. */
export interface ToolCallResultConverterOptions {
  /**
   * The maximum number of characters of a result. Longer text is cut with a note. Default: only
   * the limit of the `ToolCallingManager` applies, which covers results and errors of all tools.
   */
  maxLength?: number;
}

/**
 * The injection token for the options of {@link DefaultToolCallResultConverter} and its
 * subclasses.
 */
export const TOOL_CALL_RESULT_CONVERTER_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallResultConverterOptions');

/**
 * The default converter.
 *
 * - A string is returned unchanged.
 * - `undefined` becomes `Done`. If the method declares a return type, the text says that no value
 *   was returned.
 * - A {@link ToolResult} is returned unchanged.
 * - The bytes of an image or a Blob become content, with a text that describes it.
 * - Everything else becomes JSON (see {@link toJsonText}).
 */
export class DefaultToolCallResultConverter extends ToolCallResultConverter {
  readonly #maxLength: number;

  /** @throws RangeError when the length is not a whole number greater than 0 */
  constructor(@Optional() @Inject(TOOL_CALL_RESULT_CONVERTER_OPTIONS) options: ToolCallResultConverterOptions = {}) {
    super();
    const { maxLength } = options;
    if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0)) {
      throw new RangeError(`maxLength must be a whole number greater than 0, but is ${maxLength}.`);
    }
    this.#maxLength = maxLength ?? Number.POSITIVE_INFINITY;
  }

  convert(result: unknown, returnType?: unknown): string | ToolResult | Promise<ToolResult> {
    if (typeof result === 'string') return cutText(result, this.#maxLength);
    if (result === undefined) return wordsForNothing(returnType);
    if (typeof result === 'function' || typeof result === 'symbol') throw unreadable(result);
    if (ToolResult.isToolResult(result)) return this.#cut(result);
    return readBinary(result) ?? cutText(toJsonText(result), this.#maxLength);
  }

  #cut(result: ToolResult): ToolResult {
    const text = cutText(result.text, this.#maxLength);
    return text === result.text ? result : new ToolResult(result).with({ text });
  }
}

/** The text for a tool that returned no value. */
function wordsForNothing(returnType: unknown): string {
  // Declared as `void`, or without a type.
  if (returnType === undefined) return 'Done';
  // The type inside a Promise or Observable is unknown. The tool may perform an action, or may
  // have searched and found nothing.
  const isOpen = returnType === Promise || returnType === Observable;
  return isOpen ? 'Done. Nothing was returned.' : 'Nothing was found: the tool returned no value.';
}

/** A model cannot read a function. Most likely the tool forgot to call it. */
export function unreadable(result: unknown): TypeError {
  const what = typeof result === 'symbol' ? 'a symbol' : `a function${nameOf(result)}`;
  return new TypeError(`The tool returned ${what}, which a model cannot read. Return text or data.`);
}

function nameOf(result: unknown): string {
  const { name } = result as { name?: unknown };
  return typeof name === 'string' && name !== '' ? ` (${name})` : '';
}
