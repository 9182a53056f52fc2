import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkRoot, compileValidator, type JsonValidator } from './json-schema-validator.js';
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
    this.#validator()(value);
    return value;
  }

  verify(): void {
    checkRoot(this.schema);
    this.#validator();
  }

  // Compiled late: the constructor of a tool never throws over its schema.
  #validator(): JsonValidator {
    return (this.#validate ??= compileValidator(this.schema));
  }
}
