import { isPromise } from '../model/awaitable.js';
import { checkSchema, hasPattern, type JsonSchema, messageOf, rejectInput, type ToolInput } from '@nestor-ai/schema';
import type { ToolContext } from '../model/tool-context.js';
import type { ToolDefinition } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { ToolResult } from '../model/tool-result.js';
import type { ToolHandler } from './declaration/decorated-handler.js';
import { checkPolicies } from './policies.js';
import { DefaultToolCallResultConverter, type ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { toJsonText } from './result/to-json-text.js';
import type { ToolAround, ToolId, ToolMethodPlace, ToolRecord } from './tool-record.js';

const DEFAULT_RESULT_CONVERTER: ToolCallResultConverter = new DefaultToolCallResultConverter();

/** The common part of method tools and function tools. */
export abstract class CallableToolRecord implements ToolRecord {
  abstract readonly id: ToolId;
  abstract readonly origin: string;
  abstract readonly definition: ToolDefinition;
  abstract readonly metadata: ToolMetadata;
  readonly method: ToolMethodPlace | undefined = undefined;
  readonly handler: ToolHandler | undefined = undefined;
  readonly base = undefined;
  readonly around: ToolAround | undefined = undefined;

  protected constructor(private readonly converter: ToolCallResultConverter = DEFAULT_RESULT_CONVERTER) {}

  /** Describes and parses the arguments. */
  protected abstract get input(): ToolInput;

  /** The class that the code returns, if known. */
  protected get returnType(): unknown {
    return undefined;
  }

  /** Whether types describe the result. */
  protected get isOutputTyped(): boolean {
    return false;
  }

  abstract toArguments(input: unknown, context: ToolContext): readonly unknown[];

  abstract run(input: unknown, context: ToolContext): unknown;

  parse(json: unknown): unknown {
    return parseWith(this.input, json);
  }

  get parseForeign(): ToolRecord['parse'] {
    const { linear } = this.input;
    return linear && ((json) => parseWith(linear, json));
  }

  convert(result: unknown): string | ToolResult | Promise<string | ToolResult> {
    const converted = this.converter.convert(result, this.returnType);
    return isPromise(converted) ? converted.then(toResult) : toResult(converted);
  }

  verify(): void {
    checkPolicies(this.metadata);
    this.input.verify?.();
    const { outputSchema } = this.definition;
    // Schemas of types are valid, besides patterns, which come from comments.
    if (outputSchema && !(this.isOutputTyped && !hasPattern(outputSchema))) checkOutputSchema(outputSchema);
  }
}

/** @throws Error when the schema of the result is invalid */
function checkOutputSchema(outputSchema: JsonSchema): void {
  try {
    checkSchema(outputSchema);
  } catch (cause) {
    throw new Error(`Its outputSchema cannot be used: ${messageOf(cause)}`, { cause });
  }
}

function parseWith(input: ToolInput, json: unknown): unknown {
  try {
    const parsed = input.parse(json);
    return isPromise(parsed) ? parsed.catch(refuseTooDeep) : parsed;
  } catch (error) {
    return refuseTooDeep(error);
  }
}

function refuseTooDeep(error: unknown): never {
  if (error instanceof RangeError) rejectInput('the arguments are nested too deeply');
  throw error;
}

/** A custom converter may return any value. */
function toResult(converted: unknown): string | ToolResult {
  if (typeof converted === 'string' || ToolResult.isToolResult(converted)) return converted;
  return converted === undefined ? '' : toJsonText(converted);
}
