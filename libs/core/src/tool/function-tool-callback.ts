import type { JsonSchema } from '../model/json-schema.js';
import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { RUNS_WITH_RUNNER, type ToolContext } from '../model/tool-context.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { DEFAULT_TOOL_METADATA, type ToolMetadata } from '../model/tool-metadata.js';
import { CallableToolCallback, DEFAULT_RESULT_CONVERTER } from './callable-tool-callback.js';
import { declaredInput } from './input/declared-input.js';
import { ObjectInput } from './input/object-input.js';
import type { StandardSchema } from './input/standard-schema-input.js';
import { InvalidInput, type ToolInput, type UnknownArguments } from './input/tool-input.js';
import type { ToolCallResultConverter } from './result/tool-call-result-converter.js';
import { runCode } from './run-code.js';
import type { Type } from './type.js';

/** The code of a tool. May return a value, a Promise, an Observable or an async iterable. */
export type ToolFunction<Input> = (input: Input, context: ToolContext) => unknown;

/** The options of {@link FunctionToolCallback}. */
export interface FunctionToolCallbackOptions<Input = unknown> {
  name: string;
  /** What the tool does and when to use it. Default: the words of the name. */
  description?: string;
  /** The code of the tool. May return a value, a Promise, an Observable or an async iterable. */
  toolFunction: ToolFunction<Input>;
  /** The class of the input. Of `String`, `Number`, `Boolean` or `Date`, the function receives the value. */
  inputType?: InputType<Input>;
  /** The schema of the input. Without it and `inputType`, the tool takes no input. */
  inputSchema?: StandardSchema<unknown, Input> | JsonSchema;
  /** What becomes of arguments that the class does not have. Default: the call is refused. */
  unknownArguments?: UnknownArguments;
  toolMetadata?: ToolMetadata;
  toolCallResultConverter?: ToolCallResultConverter;
}

/** The class of an input; for a primitive, the one that wraps it. */
export type InputType<Input> =
  | Type<Input>
  | (Input extends string
      ? StringConstructor
      : Input extends number
        ? NumberConstructor
        : Input extends boolean
          ? BooleanConstructor
          : never);

const SHARED_INPUT = Symbol('nestor.SharedInput');
const RUNS_ITSELF = Symbol('nestor.RunsItself');

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
export class FunctionToolCallback<Input = unknown> extends CallableToolCallback {
  override readonly toolDefinition: ToolDefinition;
  override readonly toolMetadata: ToolMetadata;
  protected override readonly resultConverter: ToolCallResultConverter;
  protected override readonly input: ToolInput;
  readonly #options: FunctionToolCallbackOptions<Input>;

  /** @throws TypeError when the name is empty or there is no function */
  constructor(options: FunctionToolCallbackOptions<Input>) {
    super();
    if (typeof options.toolFunction !== 'function') {
      throw new TypeError(`The tool '${options.name}' needs a toolFunction.`);
    }
    this.input = (options as { [SHARED_INPUT]?: ToolInput })[SHARED_INPUT] ?? inputOf(options);
    this.toolDefinition = createToolDefinition({
      name: options.name,
      ...(options.description && { description: options.description }),
      inputSchema: this.input.schema,
    });
    this.toolMetadata = options.toolMetadata ?? DEFAULT_TOOL_METADATA;
    this.resultConverter = options.toolCallResultConverter ?? DEFAULT_RESULT_CONVERTER;
    this.#options = options;
  }

  /** The code of the tool. */
  get toolFunction(): ToolFunction<Input> {
    return this.#options.toolFunction;
  }

  static builder<Input = unknown>(): FluentBuilder<FunctionToolCallbackOptions<Input>, FunctionToolCallback<Input>> {
    return fluentBuilder((options: FunctionToolCallbackOptions<Input>) => new FunctionToolCallback(options));
  }

  /**
   * The same tool with other code behind it, which runs with `runCode()` itself; what was read of the schema is shared.
   *
   * @param converter for the results, where the tool has none of its own
   */
  withFunction(toolFunction: ToolFunction<Input>, converter?: ToolCallResultConverter): FunctionToolCallback<Input> {
    const toolCallResultConverter = this.#options.toolCallResultConverter ?? converter;
    const options = {
      ...this.#options,
      toolFunction,
      ...(toolCallResultConverter && { toolCallResultConverter }),
      [SHARED_INPUT]: this.input,
      [RUNS_ITSELF]: true,
    };
    return new FunctionToolCallback<Input>(options);
  }

  get [RUNS_WITH_RUNNER](): unknown {
    return this.invoke === FunctionToolCallback.prototype.invoke ? CallableToolCallback.prototype.call : undefined;
  }

  protected override invoke(input: unknown, context: ToolContext): unknown {
    const { toolFunction } = this.#options;
    if ((this.#options as { [RUNS_ITSELF]?: true })[RUNS_ITSELF]) return toolFunction(input as Input, context);
    return runCode(context, () => toolFunction(input as Input, context));
  }
}

function inputOf<Input>(options: FunctionToolCallbackOptions<Input>): ToolInput {
  try {
    return declaredInput(options) ?? new ObjectInput([]);
  } catch (error) {
    // Told when the tool is about to be offered, by its name, and without harm to any other.
    return new InvalidInput(error as Error);
  }
}
