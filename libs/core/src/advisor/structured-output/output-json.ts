import {
  compileCoercion,
  compileValidator,
  jsonProblemOf,
  type JsonSchema,
  ToolInputException,
} from '@nestor-ai/schema';
import { cleanOutput } from './output-text.js';
import { StructuredOutputException } from './structured-output.exception.js';

/**
 * The JSON of an answer.
 *
 * @throws StructuredOutputException if the answer has no JSON
 */
export function parseOutput(text: string): unknown {
  return parseCleaned(cleanOutput(text), text);
}

/**
 * Checks the JSON of an answer against a schema. It only removes null where an optional property
 * does not allow it: models in strict mode write null for what they leave out.
 *
 * @param unwrap gets the value that the schema describes out of the JSON
 * @returns the JSON as text, without anything around it
 * @throws StructuredOutputException if the answer has no JSON or the JSON does not fit
 */
export function requireForm(
  text: string,
  schema: JsonSchema,
  unwrap: (json: unknown) => unknown = (json) => json,
): string {
  const cleaned = cleanOutput(text);
  const json = parseCleaned(cleaned, text);
  const value = compileCoercion(schema, { onlyNulls: true })(unwrap(json));
  try {
    compileValidator(schema)(value);
  } catch (error) {
    throw toOutputException(error, text);
  }
  return value === json ? cleaned : JSON.stringify(value);
}

/** The exception for an answer that does not fit. Other errors are returned unchanged. */
export function toOutputException(error: unknown, text: string): unknown {
  if (!(error instanceof ToolInputException)) return error;
  // No `cause`: the message of the original speaks of arguments.
  return new StructuredOutputException(error.issues.map(({ message }) => message).join('; '), text);
}

function parseCleaned(cleaned: string, text: string): unknown {
  if (cleaned === '') throw new StructuredOutputException('Empty JSON output for validation.', text);
  try {
    return JSON.parse(cleaned);
  } catch (error) {
    // No `cause`: the original error quotes the answer.
    throw new StructuredOutputException(`Invalid JSON: ${jsonProblemOf(error)}`, text);
  }
}
