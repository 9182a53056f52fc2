import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Type } from '../type.js';
import { isDto } from './class-description.js';
import { DtoDefinitions, type SchemaOptions } from './dto-definitions.js';

interface WrittenSchema {
  readonly schema: JsonSchema;
  readonly hasForeign: boolean;
}

// A class is written once for each way of writing it.
const written = new WeakMap<Type, WrittenSchema[]>();

/**
 * The JSON Schema of a class with class-validator decorators or `@ToolParam` properties.
 *
 * @throws ToolDeclarationException when the class, or a property of it, does not say enough
 */
export function dtoSchema(type: Type, options: SchemaOptions = {}): JsonSchema {
  return readDto(type, options).schema;
}

/** Whether the schema of a class has parts that its author wrote as JSON Schema, and that may be wrong. */
export function hasForeignParts(type: Type): boolean {
  return readDto(type, {}).hasForeign;
}

function readDto(type: Type, { additionalProperties = false, isChecked = false }: SchemaOptions): WrittenSchema {
  const at = Number(additionalProperties) + 2 * Number(isChecked);
  let schemas = written.get(type);
  if (!schemas) written.set(type, (schemas = []));
  return (schemas[at] ??= writeSchema(type, { additionalProperties, isChecked }));
}

function writeSchema(type: Type, options: SchemaOptions): WrittenSchema {
  if (!isDto(type)) {
    throw new ToolDeclarationException(
      `${type.name} does not say what its properties are. Decorate them with class-validator decorators or @ToolParam().`,
    );
  }
  const definitions = new DtoDefinitions(options);
  const root = definitions.write(type);
  const { $defs, hasForeign } = definitions;
  if (!$defs) return { schema: freezeSchema(root), hasForeign };
  // A class that contains itself is written in `$defs`; models want an object at the root.
  const name = (root.$ref as string | undefined)?.slice('#/$defs/'.length);
  const { type: object, ...rest } = name === undefined ? root : $defs[name]!;
  return { schema: freezeSchema({ type: object, $defs, ...rest }), hasForeign };
}
