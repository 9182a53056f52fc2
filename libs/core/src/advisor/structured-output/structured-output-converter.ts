import type { Awaitable } from '../../model/awaitable.js';
import type { JsonSchema } from '@nestor-ai/schema';
import { requireForm } from './output-json.js';

/**
 * Tells the model which format to answer in, and converts the answer to a value. Extend it for
 * your own format.
 */
export abstract class StructuredOutputConverter<T> {
  /** The instructions that are appended to the user's message; empty for none. */
  abstract getFormat(): string;

  /**
   * The format as JSON Schema, for models that support one. Undefined if the format is not JSON.
   */
  getJsonSchema(): JsonSchema | undefined {
    return undefined;
  }

  /**
   * The value of incomplete JSON, while the answer streams. Undefined if there is nothing to show
   * yet.
   */
  partial(json: unknown): unknown {
    return json;
  }

  /**
   * Converts an answer.
   *
   * @throws Error that explains what is wrong with the answer
   */
  abstract convert(text: string): Awaitable<T>;

  /**
   * Checks an answer whose text the caller reads, such as with `content()`. Nothing corrects such
   * a text later, so it is checked more strictly than by {@link convert}. Default: without a JSON
   * Schema, any text that can be converted is accepted; with one, the JSON in the text must fit
   * exactly.
   *
   * @returns the text for the caller
   * @throws Error that explains what is wrong with the answer
   */
  async check(text: string): Promise<string> {
    await this.convert(text);
    const schema = this.getJsonSchema();
    return schema ? requireForm(text, schema) : text;
  }
}

/** Whether a value is a converter. Accepts those of another copy of this package. */
export function isStructuredOutputConverter(value: unknown): value is StructuredOutputConverter<unknown> {
  const { getFormat, convert } = (value ?? {}) as Partial<StructuredOutputConverter<unknown>>;
  return typeof getFormat === 'function' && typeof convert === 'function';
}
