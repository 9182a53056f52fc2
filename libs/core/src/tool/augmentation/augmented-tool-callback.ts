import { runsWithRunner, STANDS_FOR, ToolCallback } from '../../model/tool-callback.js';
import { RUNS_WITH_RUNNER, ToolContext } from '../../model/tool-context.js';
import { createToolDefinition, type ToolDefinition } from '../../model/tool-definition.js';
import type { ToolMetadata } from '../../model/tool-metadata.js';
import type { ToolResult } from '../../model/tool-result.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { DtoInput } from '../input/dto-input.js';
import { parseToolInput } from '../input/parse-json.js';
import { isJsonObject, rejectInput } from '../input/tool-input.js';
import { toToolExecutionException } from '../tool-execution.exception.js';
import type { Type } from '../type.js';
import { ToolInputSchemaAugmenter } from './tool-input-schema-augmenter.js';

/** What the model gave beside the arguments of a tool. */
export interface AugmentedArgumentEvent<Arguments extends object = object> {
  /** What the model was told, the added arguments included. */
  readonly toolDefinition: ToolDefinition;
  /** All that the model wrote. */
  readonly rawInput: string;
  /** The added arguments, checked: an instance of the class that describes them. */
  readonly arguments: Arguments;
}

/** Receives the added arguments, before the tool runs. What it throws fails the call. */
export type AugmentedArgumentConsumer<Arguments extends object> = (event: AugmentedArgumentEvent<Arguments>) => unknown;

/** The options of {@link AugmentedToolCallback}. */
export interface AugmentedToolCallbackOptions<Arguments extends object = object> {
  /** The tool that does the work. */
  delegate: ToolCallback;
  /** The class whose decorated properties become further arguments. */
  argumentType: Type<Arguments>;
  argumentConsumer?: AugmentedArgumentConsumer<Arguments>;
  /** Whether the tool is called without the added arguments. Default: true. */
  removeExtraArgumentsAfterProcessing?: boolean;
}

/**
 * A tool that asks the model for more than the tool needs, such as why it is called.
 *
 * @example
 * class Thinking {
 *   \@ToolParam({ description: 'Why you call this tool' }) \@IsString() reason!: string;
 * }
 * new AugmentedToolCallback({ delegate: tool, argumentType: Thinking, argumentConsumer: (event) => log(event.arguments.reason) });
 */
export class AugmentedToolCallback<Arguments extends object = object> extends ToolCallback {
  override readonly toolDefinition: ToolDefinition;
  override readonly toolMetadata: ToolMetadata;
  override readonly origin: string;
  readonly #options: AugmentedToolCallbackOptions<Arguments>;
  #delegate: ToolCallback;
  readonly #names: ReadonlySet<string>;
  readonly #input: DtoInput;

  /**
   * @throws TypeError when the tool or the class is missing
   * @throws ToolDeclarationException when the class does not say enough
   */
  constructor(options: AugmentedToolCallbackOptions<Arguments>) {
    super();
    const { delegate, argumentType } = options;
    if (!delegate) throw new TypeError('delegate cannot be null');
    if (!argumentType) throw new TypeError('argumentType is required');
    const { name, description, inputSchema } = delegate.toolDefinition;
    this.toolDefinition = createToolDefinition({
      name,
      description,
      inputSchema: ToolInputSchemaAugmenter.augmentToolInputSchema(inputSchema, argumentType),
    });
    this.toolMetadata = delegate.toolMetadata;
    this.origin = `${delegate.origin} with the arguments of ${argumentType.name}`;
    this.#options = options;
    this.#delegate = delegate;
    this.#input = new DtoInput(argumentType);
    this.#names = new Set(Object.keys(this.#input.schema.properties as object));
  }

  /** It runs with a `ToolRunner` when its delegate does. */
  get [RUNS_WITH_RUNNER](): unknown {
    return runsWithRunner(this.#delegate) ? AugmentedToolCallback.prototype.call : undefined;
  }

  get [STANDS_FOR](): ToolCallback {
    return this.#delegate;
  }

  /** The tool that does the work. */
  get delegate(): ToolCallback {
    return this.#delegate;
  }

  /**
   * This tool with another one that does the work: what stands for its delegate in a container. An instance of a class that extends
   * this one stays itself, since nobody knows how to make another.
   */
  onBehalfOf(delegate: ToolCallback): AugmentedToolCallback<Arguments> {
    if (delegate === this.#delegate) return this;
    if (Object.getPrototypeOf(this) === AugmentedToolCallback.prototype) {
      return new AugmentedToolCallback({ ...this.#options, delegate });
    }
    this.#delegate = delegate;
    return this;
  }

  override verify(): void {
    const { argumentType } = this.#options;
    const delegate = this.#delegate;
    delegate.verify?.();
    const own = Object.keys(delegate.toolDefinition.inputSchema.properties ?? {});
    const taken = own.filter((name) => this.#names.has(name));
    if (taken.length === 0) return;
    throw new ToolDeclarationException(
      `${argumentType.name} adds the argument '${taken.join("', '")}', which the tool has already. Give it another name.`,
    );
  }

  override async call(toolInput: string, context: ToolContext = new ToolContext()): Promise<string | ToolResult> {
    try {
      return await this.delegate.call(await this.#process(toolInput), context);
    } catch (error) {
      throw toToolExecutionException(this.toolDefinition, error);
    }
  }

  /** Hands the added arguments over, and gives the input of the tool. */
  async #process(rawInput: string): Promise<string> {
    const { argumentConsumer, removeExtraArgumentsAfterProcessing = true } = this.#options;
    const json = parseToolInput(rawInput);
    if (!isJsonObject(json)) rejectInput('the arguments have to be a JSON object');
    const entries = Object.entries(json);
    const added = await this.#input.parse(Object.fromEntries(entries.filter(([name]) => this.#names.has(name))));
    await argumentConsumer?.({ toolDefinition: this.toolDefinition, rawInput, arguments: added as Arguments });
    if (!removeExtraArgumentsAfterProcessing) return rawInput;
    return JSON.stringify(Object.fromEntries(entries.filter(([name]) => !this.#names.has(name))));
  }
}
