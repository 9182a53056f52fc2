import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Type } from '../type.js';
import { DtoDefinitions } from './dto-definitions.js';
import { isDto } from './dto-metadata.js';

/**
 * The JSON Schema of a class with class-validator decorators or `@ToolParam` properties.
 *
 * @throws ToolDeclarationException when the class, or a property of it, does not say enough
 */
export function dtoSchema(type: Type): JsonSchema {
  if (!isDto(type)) {
    throw new ToolDeclarationException(
      `${type.name} does not say what its properties are. Decorate them with class-validator decorators or @ToolParam().`,
    );
  }
  const definitions = new DtoDefinitions();
  const root = definitions.write(type);
  const { $defs } = definitions;
  if (!$defs) return freezeSchema(root);
  // A class that contains itself is written in `$defs`; models want an object at the root.
  const name = (root.$ref as string | undefined)?.split('/').pop();
  return freezeSchema({ ...(name === undefined ? root : $defs[name]), $defs });
}
