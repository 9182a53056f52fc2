import type { JsonSchema } from '../json/json-schema.js';
import { DtoBinding } from '../schema/dto-binding.js';
import { dtoSchema, hasForeignParts } from '../schema/dto-schema.js';
import { reviveInstance } from '../schema/revive.js';
import type { Type } from '../type.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkSchema } from './json-schema-check.js';
import { compileValidator, issuesIn, type JsonValidator } from './json-schema-validator.js';
import { isJsonObject } from '../json/is-json-object.js';
import { rejectInput, type ToolInput, type UnknownArguments } from './tool-input.js';

/**
 * Arguments described by a class. They are validated against the schema that the model received,
 * transformed with class-transformer, and validated with class-validator.
 */
export class DtoInput implements ToolInput {
  readonly schema: JsonSchema;
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;

  /** @throws ToolDeclarationException when the class does not describe its properties */
  constructor(
    private readonly type: Type,
    private readonly unknownArguments: UnknownArguments = 'refuse',
  ) {
    this.schema = dtoSchema(type, { additionalProperties: unknownArguments === 'allow' });
  }

  async parse(json: unknown): Promise<unknown> {
    this.#coerce ??= compileCoercion(this.schema, { stripUnknown: this.unknownArguments === 'strip' });
    const value = this.#coerce(json);
    if (!isJsonObject(value)) rejectInput('the arguments must be a JSON object');
    const issues = issuesIn(value, (this.#validate ??= compileValidator(this.#checkedSchema())));
    const binding = new DtoBinding();
    const instance = reviveInstance(this.type, false)(value, '', binding);
    await binding.validate(issues);
    return instance;
  }

  /** Generated schemas are valid. Only parts written by a user are checked. */
  verify(): void {
    if (hasForeignParts(this.type)) checkSchema(this.#checkedSchema());
  }

  /** Leaves formats and patterns to class-validator, which checks them more precisely. */
  #checkedSchema(): JsonSchema {
    return dtoSchema(this.type, { additionalProperties: this.unknownArguments === 'allow', isChecked: true });
  }
}
