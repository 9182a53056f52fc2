import { freezeSchema, type JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Type } from '../type.js';
import { isDto } from './class-description.js';
import { DtoDefinitions, type SchemaOptions } from './dto-definitions.js';

interface WrittenSchema {
  readonly schema: JsonSchema;
  readonly hasForeign: boolean;
}

// The schemas of a class, one per combination of options.
const written = new WeakMap<Type, WrittenSchema[]>();

/**
 * Generates the JSON Schema of a class with class-validator decorators or `@ToolParam` properties.
 *
 * @throws ToolDeclarationException when the class or one of its properties is not described
 */
export function dtoSchema(type: Type, options: SchemaOptions = {}): JsonSchema {
  return readDto(type, options).schema;
}

/**
 * Whether the schema of a class contains parts that a user wrote as JSON Schema, which may be
 * invalid.
 */
export function hasForeignParts(type: Type): boolean {
  return readDto(type, {}).hasForeign;
}

function readDto(type: Type, { additionalProperties = false, isChecked = false }: SchemaOptions): WrittenSchema {
  const at = Number(additionalProperties) + 2 * Number(isChecked);
  const schemas = remembered(written, type, (): WrittenSchema[] => []);
  return (schemas[at] ??= writeSchema(type, { additionalProperties, isChecked }));
}

function writeSchema(type: Type, options: SchemaOptions): WrittenSchema {
  if (!isDto(type)) {
    throw new ToolDeclarationException(
      `${type.name} does not describe its properties. Decorate them with class-validator decorators or @ToolParam().`,
    );
  }
  const definitions = new DtoDefinitions(options);
  const root = definitions.write(type);
  const { $defs, hasForeign } = definitions;
  if (!$defs) return { schema: freezeSchema(root), hasForeign };
  // A recursive class is written in `$defs`, but models need an object at the root.
  const name = (root.$ref as string | undefined)?.slice('#/$defs/'.length);
  const { type: object, ...rest } = name === undefined ? root : $defs[name]!;
  return { schema: freezeSchema({ type: object, $defs, ...rest }), hasForeign };
}
