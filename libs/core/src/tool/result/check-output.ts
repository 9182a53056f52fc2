import { Logger } from '@nestjs/common';
import { compileValidator, messageOf, ToolInputException, violationsText } from '@nestor-ai/schema';
import { ToolResult } from '../../model/tool-result.js';
import type { ToolRecord } from '../tool-record.js';
import { toJsonText } from './to-json-text.js';

const logger = new Logger('Tool');

/** The definitions whose results were reported. */
const reported = new WeakSet();

/**
 * Outside production, logs the first result that does not match the output schema of its tool. The
 * result itself is not logged.
 */
export function checkOutput({ definition, origin }: ToolRecord, result: unknown): void {
  if (process.env['NODE_ENV'] === 'production' || reported.has(definition)) return;
  const value = ToolResult.isToolResult(result) ? result.value : result;
  if (ToolResult.isToolResult(result) && (result.isError || value === undefined)) return;
  const json = jsonOrUndefined(value);
  if (json === undefined) return;
  try {
    compileValidator(definition.outputSchema!)(json);
  } catch (error) {
    reported.add(definition);
    const problem = error instanceof ToolInputException ? `${violationsText(error)}.` : messageOf(error);
    logger.warn(
      `The result of the tool '${definition.name}' (${origin}) does not match its output schema: ${problem} ` +
        'Correct the result, the return type of the method, or outputType / outputSchema of @Tool().',
    );
  }
}

/**
 * Converts a result to JSON values, like results for the model. Undefined stays undefined.
 *
 * @throws the error of a `toJSON` method
 */
export function toJsonValue(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(toJsonText(value));
}

/** The error of a `toJSON` method belongs to the answer of the call. Its message may have data. */
function jsonOrUndefined(value: unknown): unknown {
  try {
    return toJsonValue(value);
  } catch {
    return undefined;
  }
}
