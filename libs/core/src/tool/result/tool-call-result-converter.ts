import { ToolResult } from '../../model/tool-result.js';
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

/**
 * The default: strings verbatim, nothing as `Done`, a {@link ToolResult} as it is, all else as JSON,
 * where what JSON lacks is written in the nearest form (see {@link toJsonText}).
 */
export class DefaultToolCallResultConverter extends ToolCallResultConverter {
  convert(result: unknown, _returnType?: unknown): string | ToolResult {
    if (typeof result === 'string') return result;
    if (result === undefined) return 'Done';
    if (ToolResult.isToolResult(result)) return result;
    return toJsonText(result);
  }
}
