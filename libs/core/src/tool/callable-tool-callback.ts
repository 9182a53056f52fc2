import { isPromise } from '../model/awaitable.js';
import { ToolCallback } from '../model/tool-callback.js';
import { TOOL_RUNNER, ToolContext } from '../model/tool-context.js';
import { ToolResult } from '../model/tool-result.js';
import { checkPolicies } from './policies.js';
import { parseToolInput } from './input/parse-json.js';
import { rejectInput, type ToolInput } from './input/tool-input.js';
import { isStream, settle } from './result/settle-result.js';
import { DefaultToolCallResultConverter, type ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { toJsonText } from './result/to-json-text.js';
import { toToolExecutionException } from './tool-execution.exception.js';

export const DEFAULT_RESULT_CONVERTER: ToolCallResultConverter = new DefaultToolCallResultConverter();

/** What methods and functions have in common as tools: read the input, call, wait, convert. */
export abstract class CallableToolCallback extends ToolCallback {
  protected abstract readonly resultConverter: ToolCallResultConverter;
  protected abstract readonly input: ToolInput;
  /** The class that the code behind the tool returns, where it is known. */
  protected get returnType(): unknown {
    return undefined;
  }

  /** Calls the code behind the tool with the parsed input, with `runCode()` or `runMethod()`. */
  protected abstract invoke(input: unknown, context: ToolContext): unknown;

  override verify(): void {
    checkPolicies(this.toolMetadata);
    this.input.verify?.();
  }

  async call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    try {
      const parsed = this.#parse(toolInput);
      const input = isPromise(parsed) ? await parsed.catch(refuseTooDeep) : parsed;
      const runner = context[TOOL_RUNNER];
      if (runner) runner.input = input;
      const returned = this.invoke(input, context);
      const value = isPromise(returned) ? await returned : returned;
      const result = isStream(value) ? await settle(value, context) : value;
      const converting = this.resultConverter.convert(result, this.returnType);
      const converted = toResult(isPromise(converting) ? await converting : converting);
      // Whoever gets the result instead of the model's answer may want more than its text.
      return this.toolMetadata.returnDirect ? withValue(converted, result) : converted;
    } catch (error) {
      throw toToolExecutionException(this.toolDefinition, error);
    }
  }

  #parse(toolInput: string): unknown {
    try {
      return this.input.parse(parseToolInput(toolInput));
    } catch (error) {
      return refuseTooDeep(error);
    }
  }
}

function refuseTooDeep(error: unknown): never {
  if (error instanceof RangeError) rejectInput('the arguments are nested too deeply');
  throw error;
}

/** A converter of somebody's own may give anything. */
function toResult(converted: unknown): string | ToolResult {
  if (typeof converted === 'string' || ToolResult.isToolResult(converted)) return converted;
  return converted === undefined ? '' : toJsonText(converted);
}

function withValue(converted: string | ToolResult, value: unknown): string | ToolResult {
  if (value === undefined || value === converted || ToolResult.isToolResult(value)) return converted;
  const result = typeof converted === 'string' ? new ToolResult({ text: converted }) : new ToolResult(converted);
  return result.value === undefined ? result.with({ value }) : result;
}
