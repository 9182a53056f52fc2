import { freezeSchema, type JsonSchema } from '../json/json-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkRoot, checkSchema } from './json-schema-check.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import { linearPatternOf, type PatternEngine, patternOf } from './patterns.js';
import type { ToolInput } from './tool-input.js';

/**
 * Arguments described by a JSON Schema from a user. The schema is sent unchanged and enforced with
 * ajv.
 */
export class JsonSchemaInput implements ToolInput {
  readonly schema: JsonSchema;
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;
  #linear: JsonSchemaInput | undefined;

  /** @param engine compiles the patterns of the schema */
  constructor(
    schema: JsonSchema,
    private readonly engine: PatternEngine = patternOf,
  ) {
    this.schema = freezeSchema(schema);
  }

  parse(json: unknown): unknown {
    const value = (this.#coerce ??= compileCoercion(this.schema))(json);
    (this.#validate ??= compileValidator(this.schema, this.engine))(value);
    return value;
  }

  /** The same input for a schema from strangers: its patterns run in linear time. */
  get linear(): ToolInput {
    return (this.#linear ??= new JsonSchemaInput(this.schema, linearPatternOf));
  }

  verify(): void {
    checkRoot(this.schema);
    checkSchema(this.schema, this.engine);
  }
}
