import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import {
  type JsonSchema,
  type JsonSchemaGeneratorOptions,
  readMethodInput,
  schemaForType,
  type ToolParamType,
  type Type,
} from '@nestor-ai/schema';
import { findToolMethod, toolDescriptionOf, toolNameOf, type ToolMethod } from './declaration/tool.decorator.js';

/** Finds a method and its options, with or without `@Tool()`. */
function locate(type: Type, methodName: string): { target: object; method: ToolMethod } {
  const isStatic = typeof (type as unknown as Record<string, unknown>)[methodName] === 'function';
  const target = isStatic ? type : (type.prototype as object);
  if (typeof (target as Record<string, unknown>)[methodName] !== 'function') {
    throw new TypeError(`${type.name} has no method '${methodName}'.`);
  }
  return { target, method: findToolMethod(target, methodName) ?? { methodName, options: {} } };
}

/** Generates JSON Schemas of methods and classes. */
export const JsonSchemaGenerator = {
  /**
   * Generates the input schema that the method has as a tool.
   *
   * @throws ToolDeclarationException that names class, method and parameter if something is
   * unknown
   */
  generateForMethodInput(type: Type, methodName: string, options: JsonSchemaGeneratorOptions = {}): JsonSchema {
    const { target, method } = locate(type, methodName);
    const unknownArguments = options.additionalProperties ? { unknownArguments: 'allow' as const } : {};
    return readMethodInput({ target, methodName, options: { ...method.options, ...unknownArguments } }).input.schema;
  },

  /**
   * Generates the schema of a class with class-validator decorators, or of any other type that
   * `@ToolParam({ type })` accepts.
   *
   * @throws ToolDeclarationException when the type cannot be described
   */
  generateForType(type: ToolParamType, options: JsonSchemaGeneratorOptions = {}): JsonSchema {
    return schemaForType(type, options);
  },
};

/** Creates definitions of methods, with or without `@Tool()`. */
export const ToolDefinitions = {
  from(type: Type, methodName: string): ToolDefinition {
    return ToolDefinitions.builder(type, methodName).build();
  },

  /** Like {@link ToolDefinitions.from}, but lets you change the name or description. */
  builder(type: Type, methodName: string): FluentBuilder<Parameters<typeof createToolDefinition>[0], ToolDefinition> {
    const { target, method } = locate(type, methodName);
    const { input, types } = readMethodInput({ target, methodName, options: method.options });
    return fluentBuilder(createToolDefinition, {
      name: toolNameOf(methodName, method.options),
      description: toolDescriptionOf(methodName, method.options, types),
      inputSchema: input.schema,
    });
  },
};
