import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkRoot, checkSchema } from './json-schema-check.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import type { ToolInput } from './tool-input.js';

/** Arguments described by a JSON Schema that the user wrote: sent unchanged, enforced with ajv. */
export class JsonSchemaInput implements ToolInput {
  readonly schema: JsonSchema;
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;

  constructor(schema: JsonSchema) {
    this.schema = freezeSchema(schema);
  }

  parse(json: unknown): unknown {
    const value = (this.#coerce ??= compileCoercion(this.schema))(json);
    (this.#validate ??= compileValidator(this.schema))(value);
    return value;
  }

  verify(): void {
    checkRoot(this.schema);
    checkSchema(this.schema);
  }
}
