import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import type { JsonSchema } from '../model/json-schema.js';
import { findToolMethod, toolDescriptionOf, toolNameOf, type ToolMethod } from './declaration/tool.decorator.js';
import { readMethodInput } from './declaration/method-input.js';
import { dtoSchema } from './schema/dto-schema.js';
import type { Type } from './type.js';

/** The place and options of a method, whether or not it carries `@Tool()`. */
function locate(type: Type, methodName: string): { target: object; method: ToolMethod } {
  const isStatic = typeof (type as unknown as Record<string, unknown>)[methodName] === 'function';
  const target = isStatic ? type : (type.prototype as object);
  if (typeof (target as Record<string, unknown>)[methodName] !== 'function') {
    throw new TypeError(`${type.name} has no method '${methodName}'.`);
  }
  return { target, method: findToolMethod(target, methodName) ?? { methodName, options: {} } };
}

/** JSON Schemas of methods and classes. */
export const JsonSchemaGenerator = {
  /** The schema of a method's input, as a tool of it would have. */
  generateForMethodInput(type: Type, methodName: string): JsonSchema {
    const { target, method } = locate(type, methodName);
    return readMethodInput({ target, methodName, options: method.options }).input.schema;
  },

  /** The schema of a class with class-validator decorators. */
  generateForType(type: Type): JsonSchema {
    return dtoSchema(type);
  },
};

/** Definitions of methods, with or without `@Tool()`. */
export const ToolDefinitions = {
  from(type: Type, methodName: string): ToolDefinition {
    return ToolDefinitions.builder(type, methodName).build();
  },

  /** As {@link ToolDefinitions.from}, with the chance to change name or description. */
  builder(type: Type, methodName: string): FluentBuilder<Parameters<typeof createToolDefinition>[0], ToolDefinition> {
    const { method } = locate(type, methodName);
    return fluentBuilder(createToolDefinition, {
      name: toolNameOf(methodName, method.options),
      description: toolDescriptionOf(methodName, method.options),
      inputSchema: JsonSchemaGenerator.generateForMethodInput(type, methodName),
    });
  },
};
