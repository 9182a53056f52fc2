import type { JsonSchema } from '../../model/json-schema.js';
import { compileValidator } from '../../tool/input/json-schema-validator.js';
import { jsonProblemOf } from '../../tool/input/parse-json.js';
import { ToolInputException } from '../../tool/input/tool-input.js';
import { cleanOutput } from './output-text.js';
import { StructuredOutputException } from './structured-output.exception.js';

/**
 * The JSON of an answer.
 *
 * @throws StructuredOutputException when there is none
 */
export function parseOutput(text: string): unknown {
  return parseCleaned(cleanOutput(text), text);
}

/**
 * Holds the JSON of an answer to a schema, without putting anything right.
 *
 * @param unwrap takes out of the JSON what the schema is about
 * @returns the JSON as text, without what is around it
 * @throws StructuredOutputException when there is none, or it does not fit
 */
export function requireForm(
  text: string,
  schema: JsonSchema,
  unwrap: (json: unknown) => unknown = (json) => json,
): string {
  const cleaned = cleanOutput(text);
  const json = parseCleaned(cleaned, text);
  const value = unwrap(json);
  try {
    compileValidator(schema)(value);
  } catch (error) {
    throw toOutputException(error, text);
  }
  return value === json ? cleaned : JSON.stringify(value);
}

/** What is thrown of an answer that does not fit. Of anything else, it is the error itself. */
export function toOutputException(error: unknown, text: string): unknown {
  if (!(error instanceof ToolInputException)) return error;
  return new StructuredOutputException(error.issues.map(({ message }) => message).join('; '), text, { cause: error });
}

function parseCleaned(cleaned: string, text: string): unknown {
  if (cleaned === '') throw new StructuredOutputException('Empty JSON output for validation.', text);
  try {
    return JSON.parse(cleaned);
  } catch (error) {
    // The error itself is no cause: it quotes the answer.
    throw new StructuredOutputException(`Invalid JSON: ${jsonProblemOf(error)}`, text);
  }
}
