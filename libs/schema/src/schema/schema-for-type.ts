import { freezeSchema, type JsonSchema } from '../json/json-schema.js';
import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import { isType } from '../type.js';
import { isDto } from './class-description.js';
import { DtoDefinitions } from './dto-definitions.js';
import { dtoSchema } from './dto-schema.js';
import { schemaOfType } from './type-schema.js';

/** The options of {@link schemaForType}. */
export interface JsonSchemaGeneratorOptions {
  /** Whether undeclared properties are allowed, at every level. Default: false. */
  readonly additionalProperties?: boolean;
}

/**
 * The schema of a class with class-validator decorators, or of any other type that
 * `@ToolParam({ type })` accepts.
 *
 * @throws ToolDeclarationException when the type cannot be described
 */
export function schemaForType(type: ToolParamType, options: JsonSchemaGeneratorOptions = {}): JsonSchema {
  if (isType(type) && isDto(type)) return dtoSchema(type, options);
  const definitions = new DtoDefinitions(options);
  const schema = schemaOfType({
    declared: { type },
    where: () => 'The type',
    nested: (dto) => definitions.write(dto),
  });
  const { $defs } = definitions;
  return freezeSchema({ ...schema, ...($defs && { $defs }) });
}
