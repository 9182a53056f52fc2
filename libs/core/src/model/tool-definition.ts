import { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
import { freezeSchema, type JsonSchema } from '@nestor-ai/schema';
import type { ProviderOptions } from './provider-options.js';

/** What a model receives of a tool in addition to its name, description and schema. */
export interface ToolModelOptions {
  /**
   * Whether the provider makes sure that the arguments follow the schema. For models that support
   * it; OpenAI's need it for this. Default: the provider's default.
   */
  readonly strict?: boolean;
  /** Examples of arguments, for models that support them, such as Claude. */
  readonly inputExamples?: readonly Readonly<Record<string, unknown>>[];
  /** Options for one provider about this tool. */
  readonly providerOptions?: ProviderOptions;
}

/** The description of a tool that a model receives. */
export interface ToolDefinition extends ToolModelOptions {
  readonly name: string;
  /** What the tool does and when to use it. The model chooses tools by this text. */
  readonly description: string;
  /** The JSON Schema of the arguments: one frozen object per tool, sent unchanged. */
  readonly inputSchema: JsonSchema;
  /** The JSON Schema of the result, for code and MCP clients that read it. Not sent to models. */
  readonly outputSchema?: JsonSchema;
}

/**
 * Creates a {@link ToolDefinition}. Checks the name and freezes a copy of the schema.
 *
 * @throws TypeError when the name is empty or the schema is not an object
 */
export function createToolDefinition(
  init: {
    name: string;
    description?: string;
    inputSchema: JsonSchema;
    outputSchema?: JsonSchema;
  } & ToolModelOptions,
): ToolDefinition {
  if (typeof init.name !== 'string' || init.name.trim() === '') {
    throw new TypeError('A tool needs a name: name cannot be null or empty.');
  }
  if (typeof init.inputSchema !== 'object' || init.inputSchema === null) {
    throw new TypeError(`Tool '${init.name}' needs an inputSchema that is an object.`);
  }
  if (init.inputExamples && !isListOfObjects(init.inputExamples)) {
    throw new TypeError(
      `The inputExamples of tool '${init.name}' must be a list of objects, each with the arguments of a call.`,
    );
  }
  return Object.freeze({
    name: init.name,
    description: init.description ?? describeName(init.name),
    inputSchema: freezeSchema(init.inputSchema),
    ...(init.outputSchema && { outputSchema: freezeSchema(init.outputSchema) }),
    ...toolModelOptions(init),
  });
}

function isListOfObjects(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  );
}

/** The options for the model that a declaration or a definition contains. */
export function toolModelOptions({ strict, inputExamples, providerOptions }: ToolModelOptions): ToolModelOptions {
  return {
    ...(strict !== undefined && { strict }),
    ...(inputExamples && { inputExamples }),
    ...(providerOptions && { providerOptions }),
  };
}

/** Splits a camelCase or snake_case name into words, as the description of a tool that has none. */
export function describeName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-.]+/g, ' ')
    .trim()
    .toLowerCase();
}

// eslint-disable-next-line @typescript-eslint/no-redeclare -- the companion of the interface
export const ToolDefinition = {
  builder(): FluentBuilder<Parameters<typeof createToolDefinition>[0], ToolDefinition> {
    return fluentBuilder(createToolDefinition);
  },
};
