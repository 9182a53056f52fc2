import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import type { ToolCallback } from '../model/tool-callback.js';
import type { ToolContext } from '../model/tool-context.js';
import { createToolDefinition, type ToolDefinition, toolModelOptions } from '../model/tool-definition.js';
import type { ToolMetadata } from '../model/tool-metadata.js';
import { CallableToolRecord } from './callable-tool-record.js';
import { declaredInput, declaredOutput, InvalidInput, ObjectInput, type ToolInput } from '@nestor-ai/schema';
import { decoratedHandler, type ToolHandler } from './declaration/decorated-handler.js';
import { toolMetadataOf } from './declaration/tool.decorator.js';
import type { FunctionToolOptions, InputValue } from './declaration/tool-options.js';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { RecordToolCallback } from './record-tool-callback.js';
import type { ToolId } from './tool-record.js';

const FUNCTION_TOOL = Symbol.for('nestor.FunctionToolCallback');

/** The code of a tool. It may return a value, a Promise, an Observable or an async iterable. */
export type ToolFunction<Input> = (input: InputValue<Input>, context: ToolContext) => unknown;

/** The options of {@link FunctionToolCallback}: those of `@Tool()`, and the function. */
export interface FunctionToolCallbackOptions<Input = unknown> extends FunctionToolOptions<Input> {
  name: string;
  /** The code of the tool. It may return a value, a Promise, an Observable or an async iterable. */
  toolFunction: ToolFunction<Input>;
  /** Metadata to start from. The other options win over it. */
  toolMetadata?: ToolMetadata;
  toolCallResultConverter?: ToolCallResultConverter;
}

/** The parts that are read from the options once. */
interface FunctionDeclaration {
  readonly input: ToolInput;
  readonly output: Pick<ToolDefinition, 'outputSchema'>;
  readonly handler: ToolHandler | undefined;
  readonly metadata: ToolMetadata;
}

/**
 * A function as a tool.
 *
 * @example
 * const weather = new FunctionToolCallback({
 *   name: 'currentWeather',
 *   inputSchema: z.object({ city: z.string() }),
 *   toolFunction: ({ city }) => weatherService.of(city),
 * });
 */
export class FunctionToolCallback<Input = unknown> extends RecordToolCallback {
  readonly #options: FunctionToolCallbackOptions<Input>;
  readonly #declaration: FunctionDeclaration;

  /**
   * @param declaration the parts of the options that were already read
   * @throws TypeError when the name is empty or the function is missing
   * @throws ToolDeclarationException when a decorator cannot be applied to a function
   */
  constructor(options: FunctionToolCallbackOptions<Input>, declaration?: FunctionDeclaration) {
    if (typeof options.toolFunction !== 'function') {
      throw new TypeError(`The tool '${options.name}' needs a toolFunction.`);
    }
    const read = declaration ?? declarationOf(options);
    super(new FunctionToolRecord(options as FunctionToolCallbackOptions, read));
    this.#options = options;
    this.#declaration = read;
  }

  /** On the prototype, where {@link isFunctionTool} looks for it. */
  get [FUNCTION_TOOL](): boolean {
    return true;
  }

  /** The code of the tool. */
  get toolFunction(): ToolFunction<Input> {
    return this.#options.toolFunction;
  }

  /**
   * @param name can also be set with `name(…)`
   * @param toolFunction can also be set with `toolFunction(…)`
   */
  static builder<Input = unknown>(
    name?: string,
    toolFunction?: ToolFunction<Input>,
  ): FluentBuilder<FunctionToolCallbackOptions<Input>, FunctionToolCallback<Input>> {
    const create = (options: FunctionToolCallbackOptions<Input>): FunctionToolCallback<Input> =>
      new FunctionToolCallback(options);
    return fluentBuilder(create, { ...(name !== undefined && { name }), ...(toolFunction && { toolFunction }) });
  }

  /**
   * Returns the same tool with another function. Both share the parts read from the options.
   *
   * @param converter for the results, if the tool has none
   */
  withFunction(toolFunction: ToolFunction<Input>, converter?: ToolCallResultConverter): FunctionToolCallback<Input> {
    const toolCallResultConverter = this.#options.toolCallResultConverter ?? converter;
    const options = {
      ...this.#options,
      toolFunction,
      ...(toolCallResultConverter && { toolCallResultConverter }),
    };
    return new FunctionToolCallback<Input>(options, this.#declaration);
  }
}

/**
 * Whether a tool is a {@link FunctionToolCallback}, from any copy of this package, and not a
 * subclass, which could override `call()`.
 */
export function isFunctionTool(callback: ToolCallback): callback is FunctionToolCallback {
  return Object.hasOwn(Object.getPrototypeOf(callback) as object, FUNCTION_TOOL) && !Object.hasOwn(callback, 'call');
}

class FunctionToolRecord extends CallableToolRecord {
  override readonly id: ToolId;
  override readonly origin = 'FunctionToolCallback';
  override readonly definition: ToolDefinition;
  override readonly metadata: ToolMetadata;
  override readonly handler: ToolHandler | undefined;
  protected override readonly input: ToolInput;
  readonly #toolFunction: ToolFunction<unknown>;

  constructor(options: FunctionToolCallbackOptions, { input, output, handler, metadata }: FunctionDeclaration) {
    super(options.toolCallResultConverter);
    this.input = input;
    this.handler = handler;
    this.definition = createToolDefinition({
      name: options.name,
      ...(options.description && { description: options.description }),
      inputSchema: input.schema,
      ...output,
      ...toolModelOptions(options),
    });
    this.metadata = metadata;
    this.#toolFunction = options.toolFunction;
    this.id = { owner: this, name: this.definition.name };
  }

  override toArguments(input: unknown, context: ToolContext): readonly unknown[] {
    return [input, context];
  }

  override run(input: unknown, context: ToolContext): unknown {
    return this.#toolFunction(input, context);
  }
}

function declarationOf<Input>(options: FunctionToolCallbackOptions<Input>): FunctionDeclaration {
  const { name, decorators } = options;
  return {
    ...schemasOf(options),
    handler: decorators && decoratedHandler(name, decorators),
    metadata: metadataOf(options),
  };
}

function metadataOf<Input>(options: FunctionToolCallbackOptions<Input>): ToolMetadata {
  const { toolMetadata } = options;
  const own = toolMetadataOf(options);
  if (!toolMetadata) return own;
  return { ...toolMetadata, ...own, returnDirect: own.returnDirect || toolMetadata.returnDirect };
}

function schemasOf<Input>(options: FunctionToolCallbackOptions<Input>): Pick<FunctionDeclaration, 'input' | 'output'> {
  try {
    return { input: declaredInput(options) ?? new ObjectInput([]), output: declaredOutput(options) };
  } catch (error) {
    // Reported by name when the tool is about to be offered, so that other tools are not affected.
    return { input: new InvalidInput(error as Error), output: {} };
  }
}
