import { fluentBuilder, type FluentBuilder } from '../model/fluent-builder.js';
import { createToolDefinition, type ToolDefinition } from '../model/tool-definition.js';
import { freezeSchema, type JsonSchema } from '../model/json-schema.js';
import type { ToolParamType } from './declaration/tool-param.decorator.js';
import { findToolMethod, toolDescriptionOf, toolNameOf, type ToolMethod } from './declaration/tool.decorator.js';
import { readMethodInput } from './declaration/method-input.js';
import { isDto } from './schema/class-description.js';
import { DtoDefinitions } from './schema/dto-definitions.js';
import { dtoSchema } from './schema/dto-schema.js';
import { schemaOfType } from './schema/type-schema.js';
import { isType, type Type } from './type.js';

/** The place and options of a method, whether or not it carries `@Tool()`. */
function locate(type: Type, methodName: string): { target: object; method: ToolMethod } {
  const isStatic = typeof (type as unknown as Record<string, unknown>)[methodName] === 'function';
  const target = isStatic ? type : (type.prototype as object);
  if (typeof (target as Record<string, unknown>)[methodName] !== 'function') {
    throw new TypeError(`${type.name} has no method '${methodName}'.`);
  }
  return { target, method: findToolMethod(target, methodName) ?? { methodName, options: {} } };
}

/** How a schema is generated. */
export interface JsonSchemaGeneratorOptions {
  /** Whether properties that are not described are allowed, at every level. Default: false. */
  readonly additionalProperties?: boolean;
}

/** JSON Schemas of methods and classes. */
export const JsonSchemaGenerator = {
  /**
   * The schema of a method's input, as a tool of it would have.
   *
   * @throws ToolDeclarationException naming class, method and parameter when something cannot be known
   */
  generateForMethodInput(type: Type, methodName: string, options: JsonSchemaGeneratorOptions = {}): JsonSchema {
    const { target, method } = locate(type, methodName);
    const unknownArguments = options.additionalProperties ? { unknownArguments: 'allow' as const } : {};
    return readMethodInput({ target, methodName, options: { ...method.options, ...unknownArguments } }).input.schema;
  },

  /**
   * The schema of a class with class-validator decorators, or of whatever else `@ToolParam({ type })` takes.
   *
   * @throws ToolDeclarationException when it does not say enough
   */
  generateForType(type: ToolParamType, options: JsonSchemaGeneratorOptions = {}): JsonSchema {
    if (isType(type) && isDto(type)) return dtoSchema(type, options);
    const definitions = new DtoDefinitions(options);
    const schema = schemaOfType({
      declared: { type },
      where: () => 'The type',
      nested: (dto) => definitions.write(dto),
    });
    const { $defs } = definitions;
    return freezeSchema({ ...schema, ...($defs && { $defs }) });
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
