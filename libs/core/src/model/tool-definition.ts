import { fluentBuilder, type FluentBuilder } from './fluent-builder.js';
import { freezeSchema, type JsonSchema } from './json-schema.js';

/** What a model is told about a tool. */
export interface ToolDefinition {
  readonly name: string;
  /** What the tool does and when to use it; the model chooses by it. */
  readonly description: string;
  /** JSON Schema of the arguments: one frozen object per tool, sent as it is. */
  readonly inputSchema: JsonSchema;
}

/**
 * Makes a {@link ToolDefinition}: checks that it has a name and freezes a copy of its schema.
 *
 * @throws TypeError when the name is empty or the schema is no object
 */
export function createToolDefinition(init: {
  name: string;
  description?: string;
  inputSchema: JsonSchema;
}): ToolDefinition {
  if (typeof init.name !== 'string' || init.name.trim() === '') {
    throw new TypeError('A tool needs a name: name cannot be null or empty.');
  }
  if (typeof init.inputSchema !== 'object' || init.inputSchema === null) {
    throw new TypeError(`Tool '${init.name}' needs an inputSchema that is an object.`);
  }
  return Object.freeze({
    name: init.name,
    description: init.description ?? describeName(init.name),
    inputSchema: freezeSchema(init.inputSchema),
  });
}

/** The words of a camelCase or snake_case name: the description of a tool that was given none. */
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
