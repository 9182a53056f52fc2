import type { JsonSchema } from '../json/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isDto } from '../schema/class-description.js';
import { mapSchema } from '../schema/map-schema.js';
import type { Type } from '../type.js';
import { BUILD_AGAIN, classIndexOf, type LoadedTypes } from './loaded-types.js';

/** Generates the schema of a class. */
export type NestedSchema = (type: Type) => JsonSchema;

/** Writes the schemas of classes where a schema from types refers to them: `class:0`. */
export type ClassFilling = (schema: JsonSchema, nested: NestedSchema) => JsonSchema;

/** @returns a function that leaves schemas unchanged if the types refer to no classes */
export function classFilling(of: LoadedTypes): ClassFilling {
  if (!of.hasClasses) return unchanged;
  return (schema, nested) => {
    if (!refersToClass(schema)) return schema;
    return mapSchema(schema, (inner) => {
      const index = classIndexOf(inner);
      if (index === undefined) return inner;
      const { $ref: _class, ...own } = inner;
      return { ...nested(decorated(of.classAt(index))), ...own };
    });
  };
}

/** Most parameters of a class take no class, and are not copied. */
function refersToClass(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return classIndexOf(part as JsonSchema) !== undefined || Object.values(part).some(refersToClass);
}

const unchanged: ClassFilling = (schema) => schema;

/** @throws ToolDeclarationException for a class whose decorators do not describe its properties */
function decorated(type: Type): Type {
  if (isDto(type)) return type;
  throw new ToolDeclarationException(
    `${type.name} does not describe its properties: class-transformer alone cannot. Decorate them with class-validator decorators ` +
      'or @ToolParam(), or declare an interface. If they are decorated, another copy of class-validator is loaded, or the types ' +
      `are old. ${BUILD_AGAIN}`,
  );
}
