import type { JsonSchema } from '../json/json-schema.js';
import type { Type } from '../type.js';
import { DtoInput } from './dto-input.js';
import { JsonSchemaInput } from './json-schema-input.js';
import { isPrimitiveType, PrimitiveInput } from './primitive-input.js';
import { isStandardSchema, type StandardSchema, StandardSchemaInput } from './standard-schema-input.js';
import type { ToolInput, UnknownArguments } from './tool-input.js';

/** The declared input of a tool as a whole. */
export interface InputDeclaration {
  readonly inputType?: Type;
  readonly inputSchema?: StandardSchema | JsonSchema;
  readonly unknownArguments?: UnknownArguments;
}

/**
 * The input that a tool declares with a schema or a class.
 *
 * @returns undefined if it declares neither
 * @throws Error when the class or schema is not sufficient
 */
export function declaredInput({ inputSchema, inputType, unknownArguments }: InputDeclaration): ToolInput | undefined {
  if (inputSchema !== undefined) {
    return isStandardSchema(inputSchema) ? new StandardSchemaInput(inputSchema) : new JsonSchemaInput(inputSchema);
  }
  if (!inputType) return undefined;
  return isPrimitiveType(inputType) ? new PrimitiveInput(inputType) : new DtoInput(inputType, unknownArguments);
}
