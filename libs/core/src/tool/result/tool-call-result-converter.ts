import { Inject, Optional } from '@nestjs/common';
import { Observable } from 'rxjs';
import { ToolResult } from '../../model/tool-result.js';
import { cutText } from './cut-text.js';
import { readBinary } from './binary-result.js';
import { toJsonText } from './to-json-text.js';

/** Turns what a tool returned into what the model reads. */
export abstract class ToolCallResultConverter {
  /**
   * @param result what the tool returned, after promises and streams have ended
   * @param returnType the class that the method declares to return, as far as TypeScript emits it
   * @throws whatever went wrong; it becomes an error result for the model
   */
  abstract convert(result: unknown, returnType?: unknown): string | ToolResult | Promise<string | ToolResult>;
}

/** The options of {@link DefaultToolCallResultConverter}. */
export interface ToolCallResultConverterOptions {
  /**
   * How many characters of a result are converted; what is longer is cut with a mark. Default: no limit but that of the
   * `ToolCallingManager`, which holds for the results and errors of all tools.
   */
  maxLength?: number;
}

/** Where the container keeps the options of a {@link DefaultToolCallResultConverter} and its subclasses. */
export const TOOL_CALL_RESULT_CONVERTER_OPTIONS: unique symbol = Symbol.for('nestor.ToolCallResultConverterOptions');

/**
 * The default: strings verbatim, nothing as `Done` or, from a method that declares a value, as words for that; a {@link ToolResult} as it is, the bytes of a picture and a Blob as
 * content with a text that describes it, all else as JSON, where what JSON lacks is written in the nearest form (see
 * {@link toJsonText}).
 */
export class DefaultToolCallResultConverter extends ToolCallResultConverter {
  readonly #maxLength: number;

  /** @throws RangeError when the length is not a whole number greater than 0 */
  constructor(@Optional() @Inject(TOOL_CALL_RESULT_CONVERTER_OPTIONS) options: ToolCallResultConverterOptions = {}) {
    super();
    const { maxLength } = options;
    if (maxLength !== undefined && !(Number.isInteger(maxLength) && maxLength > 0)) {
      throw new RangeError(`maxLength must be a whole number of characters greater than 0, but is ${maxLength}.`);
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

/** What a model reads of a tool that has returned nothing. */
function wordsForNothing(returnType: unknown): string {
  // Declared as `void`, or not at all.
  if (returnType === undefined) return 'Done';
  // What is in a promise or an Observable is not known: a tool that does something has nothing to return, one that looks for it, too.
  const isOpen = returnType === Promise || returnType === Observable;
  return isOpen ? 'Done. Nothing was returned.' : 'Nothing was found: the tool returned no value.';
}

/** A function has no text that a model could read, and most often was meant to be called. */
export function unreadable(result: unknown): TypeError {
  const what = typeof result === 'symbol' ? 'a symbol' : `a function${nameOf(result)}`;
  return new TypeError(`The tool returned ${what}, which is nothing that a model can read. Return text or data.`);
}

function nameOf(result: unknown): string {
  const { name } = result as { name?: unknown };
  return typeof name === 'string' && name !== '' ? ` (${name})` : '';
}
