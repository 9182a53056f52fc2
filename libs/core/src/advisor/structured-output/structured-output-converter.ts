import type { Awaitable } from '../../model/awaitable.js';
import type { JsonSchema } from '../../model/json-schema.js';
import { requireForm } from './output-json.js';

/** Tells the model the form of its answer, and converts the answer to a value. Extend it for a form of your own. */
export abstract class StructuredOutputConverter<T> {
  /** The instructions that are added to the user's message; empty for none. */
  abstract getFormat(): string;

  /** The form as JSON Schema, for models that follow one; undefined for forms that are not JSON. */
  getJsonSchema(): JsonSchema | undefined {
    return undefined;
  }

  /** The value of JSON that is not complete yet; undefined while there is nothing to show. */
  partial(json: unknown): unknown {
    return json;
  }

  /**
   * Converts an answer.
   *
   * @throws Error saying what is wrong with the answer
   */
  abstract convert(text: string): Awaitable<T>;

  /**
   * Holds an answer to the form where its text is handed on, as by `content()`, so that nothing that {@link convert} would put right may be
   * wrong. Default: any text that can be converted; where there is a JSON Schema, the JSON in it, which has to fit as it is.
   *
   * @returns the text to hand on
   * @throws Error saying what is wrong with the answer
   */
  async check(text: string): Promise<string> {
    await this.convert(text);
    const schema = this.getJsonSchema();
    return schema ? requireForm(text, schema) : text;
  }
}

/** Whether a value is a converter, also one of another copy of this package. */
export function isStructuredOutputConverter(value: unknown): value is StructuredOutputConverter<unknown> {
  const { getFormat, convert } = (value ?? {}) as Partial<StructuredOutputConverter<unknown>>;
  return typeof getFormat === 'function' && typeof convert === 'function';
}
