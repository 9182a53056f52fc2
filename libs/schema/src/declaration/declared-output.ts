import { freezeInPlace, type JsonSchema } from '../json/json-schema.js';
import { isStandardSchema, outputJsonSchema, type StandardSchema } from '../input/standard-schema-input.js';
import { schemaForType } from '../schema/schema-for-type.js';
import type { ToolParamType } from './tool-param.decorator.js';

/** The declared result of a tool. */
export interface OutputDeclaration {
  readonly outputType?: ToolParamType;
  readonly outputSchema?: StandardSchema | JsonSchema;
}

/**
 * The schema of the result that a tool declares, else that its types describe.
 *
 * @throws Error when the class or schema is not sufficient, or the tool declares both
 */
export function declaredOutput(
  { outputType, outputSchema }: OutputDeclaration,
  typed?: JsonSchema,
): { readonly outputSchema?: JsonSchema } {
  if (outputType !== undefined && outputSchema !== undefined) {
    throw new TypeError('Write either outputType or outputSchema, not both.');
  }
  if (outputType !== undefined) return { outputSchema: schemaForType(outputType, { additionalProperties: true }) };
  if (outputSchema === undefined) return typed ? { outputSchema: freezeInPlace(typed) } : {};
  if (isStandardSchema(outputSchema)) return { outputSchema: outputJsonSchema(outputSchema) };
  if (typeof outputSchema !== 'object' || outputSchema === null || Array.isArray(outputSchema)) {
    throw new TypeError('outputSchema must be a Standard Schema or a JSON Schema object.');
  }
  return { outputSchema };
}
