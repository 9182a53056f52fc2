import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Type } from '../type.js';
import { isDto } from './class-description.js';
import { DtoDefinitions, type SchemaOptions } from './dto-definitions.js';

// A class is written once for each way of writing it.
const written = new WeakMap<Type, Map<string, JsonSchema>>();

/**
 * The JSON Schema of a class with class-validator decorators or `@ToolParam` properties.
 *
 * @throws ToolDeclarationException when the class, or a property of it, does not say enough
 */
export function dtoSchema(type: Type, options: SchemaOptions = {}): JsonSchema {
  const key = `${options.additionalProperties === true} ${options.omitFormats === true}`;
  let schemas = written.get(type);
  if (!schemas) written.set(type, (schemas = new Map<string, JsonSchema>()));
  let schema = schemas.get(key);
  if (!schema) schemas.set(key, (schema = writeSchema(type, options)));
  return schema;
}

function writeSchema(type: Type, options: SchemaOptions): JsonSchema {
  if (!isDto(type)) {
    throw new ToolDeclarationException(
      `${type.name} does not say what its properties are. Decorate them with class-validator decorators or @ToolParam().`,
    );
  }
  const definitions = new DtoDefinitions(options);
  const root = definitions.write(type);
  const { $defs } = definitions;
  if (!$defs) return freezeSchema(root);
  // A class that contains itself is written in `$defs`; models want an object at the root.
  const name = (root.$ref as string | undefined)?.split('/').pop();
  const { type: object, ...rest } = name === undefined ? root : $defs[name]!;
  return freezeSchema({ type: object, $defs, ...rest });
}
