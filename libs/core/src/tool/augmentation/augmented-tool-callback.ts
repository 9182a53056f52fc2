import { isPromise } from '../../model/awaitable.js';
import type { ToolCallback } from '../../model/tool-callback.js';
import type { ToolContext } from '../../model/tool-context.js';
import { createToolDefinition, type ToolDefinition } from '../../model/tool-definition.js';
import {
  DtoInput,
  isJsonObject,
  parseToolInput,
  rejectInput,
  ToolDeclarationException,
  type Type,
} from '@nestor-ai/schema';
import { DerivedToolRecord } from '../derived-tool-record.js';
import { RecordToolCallback } from '../record-tool-callback.js';
import { recordOf } from '../record-of.js';
import type { ToolRecord } from '../tool-record.js';
import { ToolInputSchemaAugmenter } from './tool-input-schema-augmenter.js';

const AUGMENTED_TOOL = Symbol.for('nestor.AugmentedToolCallback');

/** The additional arguments of a tool call. */
export interface AugmentedArgumentEvent<Arguments extends object = object> {
  /** The definition that the model received, including the added arguments. */
  readonly toolDefinition: ToolDefinition;
  /** The complete arguments text that the model wrote. */
  readonly rawInput: string;
  /** The added arguments, validated: an instance of their class. */
  readonly arguments: Arguments;
}

/**
 * Receives the added arguments before the tool runs: after guards, validation and approval, and
 * only once, even if a failed tool is retried. An error fails the call.
 */
export type AugmentedArgumentConsumer<Arguments extends object> = (event: AugmentedArgumentEvent<Arguments>) => unknown;

/** The options of {@link AugmentedToolCallback}. */
export interface AugmentedToolCallbackOptions<Arguments extends object = object> {
  /** The augmented tool. */
  delegate: ToolCallback;
  /** The class whose decorated properties become additional arguments. */
  argumentType: Type<Arguments>;
  argumentConsumer?: AugmentedArgumentConsumer<Arguments>;
  /** Whether the added arguments are removed before the tool is called. Default: true. */
  removeExtraArgumentsAfterProcessing?: boolean;
}

/**
 * A tool that asks the model for additional arguments, such as the reason for the call.
 *
 * @example
 * class Thinking {
 *   \@ToolParam({ description: 'Why you call this tool' }) \@IsString() reason!: string;
 * }
 * new AugmentedToolCallback({
 *   delegate: tool,
 *   argumentType: Thinking,
 *   argumentConsumer: (event) => log(event.arguments.reason),
 * });
 */
export class AugmentedToolCallback<Arguments extends object = object> extends RecordToolCallback {
  readonly [AUGMENTED_TOOL] = true;
  readonly #options: AugmentedToolCallbackOptions<Arguments>;
  readonly #augmented: AugmentedToolRecord;
  #delegate: ToolCallback;

  /** @throws ToolDeclarationException when the class does not describe its properties */
  constructor(options: AugmentedToolCallbackOptions<Arguments>) {
    const augmented = new AugmentedToolRecord(
      recordOf(options.delegate),
      options as unknown as AugmentedToolCallbackOptions,
    );
    super(augmented);
    this.#augmented = augmented;
    this.#delegate = options.delegate;
    this.#options = options;
  }

  /** The augmented tool. */
  get delegate(): ToolCallback {
    return this.#delegate;
  }

  /**
   * Returns the same augmentation of another tool, such as one that a container has registered. An
   * instance of a subclass is changed in place, because only its author knows how to create
   * another.
   */
  withDelegate(delegate: ToolCallback): AugmentedToolCallback<Arguments> {
    if (delegate === this.#delegate) return this;
    if (Object.getPrototypeOf(this) === AugmentedToolCallback.prototype) {
      return new AugmentedToolCallback({ ...this.#options, delegate });
    }
    this.#delegate = delegate;
    this.#augmented.base = recordOf(delegate);
    return this;
  }
}

/** Whether a tool is an {@link AugmentedToolCallback}, from any copy of this package. */
export function isAugmentedTool(callback: ToolCallback): callback is AugmentedToolCallback {
  return AUGMENTED_TOOL in callback;
}

/** Separates the added arguments from the tool's own. */
class AugmentedToolRecord extends DerivedToolRecord {
  readonly #added: DtoInput;
  readonly #names: ReadonlySet<string>;

  constructor(
    override base: ToolRecord,
    private readonly options: AugmentedToolCallbackOptions,
  ) {
    super(base, { definition: augmentedDefinition(base.definition, options.argumentType) });
    this.#added = new DtoInput(options.argumentType);
    this.#names = new Set(Object.keys(this.#added.schema.properties as object));
  }

  override get origin(): string {
    return `${this.base.origin} with the arguments of ${this.options.argumentType.name}`;
  }

  override get parse(): ToolRecord['parse'] {
    return this.#ofRest('parse');
  }

  override get parseForeign(): ToolRecord['parse'] {
    return this.#ofRest('parseForeign');
  }

  override get begin(): ToolRecord['begin'] {
    const { argumentConsumer } = this.options;
    const inner = super.begin;
    if (!argumentConsumer) return inner;
    return async (call) => {
      const { text, definition } = call;
      const { added } = await this.#split(parseToolInput(text));
      await argumentConsumer({ toolDefinition: definition, rawInput: text, arguments: added });
      await inner?.(call);
    };
  }

  #ofRest(step: 'parse' | 'parseForeign'): ToolRecord['parse'] {
    return this.base[step] && (async (json, call) => this.base[step]!((await this.#split(json)).rest, call));
  }

  override run(input: unknown, context: ToolContext): unknown {
    return typeof input === 'string' && !this.base.parse ? this.#runForeign(input, context) : super.run(input, context);
  }

  override verify(): void {
    super.verify();
    const taken = Object.keys(this.base.definition.inputSchema.properties ?? {}).filter((name) =>
      this.#names.has(name),
    );
    if (taken.length === 0) return;
    throw new ToolDeclarationException(
      `${this.options.argumentType.name} adds the argument '${taken.join("', '")}', which the tool already has. Give it another name.`,
    );
  }

  /** A tool that parses its arguments itself receives them as text. */
  async #runForeign(text: string, context: ToolContext): Promise<unknown> {
    const { rest } = await this.#split(parseToolInput(text));
    const { removeExtraArgumentsAfterProcessing = true } = this.options;
    return super.run(removeExtraArgumentsAfterProcessing ? JSON.stringify(rest) : text, context);
  }

  /** Separates the added arguments and validates them. */
  async #split(json: unknown): Promise<{ added: object; rest: unknown }> {
    const { removeExtraArgumentsAfterProcessing = true } = this.options;
    if (!isJsonObject(json)) rejectInput('the arguments must be a JSON object');
    const entries = Object.entries(json);
    const parsed = this.#added.parse(Object.fromEntries(entries.filter(([name]) => this.#names.has(name))));
    const added = (isPromise(parsed) ? await parsed : parsed) as object;
    if (!removeExtraArgumentsAfterProcessing) return { added, rest: json };
    return { added, rest: Object.fromEntries(entries.filter(([name]) => !this.#names.has(name))) };
  }
}

function augmentedDefinition(definition: ToolDefinition, argumentType: Type): ToolDefinition {
  // The examples do not have the added arguments.
  const { inputExamples: _examples, inputSchema, ...rest } = definition;
  return createToolDefinition({
    ...rest,
    inputSchema: ToolInputSchemaAugmenter.augmentToolInputSchema(inputSchema, argumentType),
  });
}
