import { freezeInPlace, freezeSchema, type JsonSchema } from '../json/json-schema.js';
import { DtoBinding } from '../schema/dto-binding.js';
import { DtoDefinitions } from '../schema/dto-definitions.js';
import { hoistDefinitions } from '../schema/references.js';
import type { Revive } from '../schema/revive.js';
import { selfContained } from '../schema/self-contained.js';
import { withNull } from '../schema/with-null.js';
import { hasPattern } from '../typed/typed-property.js';
import type { ClassFilling, NestedSchema } from '../typed/typed-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkSchema } from './json-schema-check.js';
import { compileValidator, issuesIn, type JsonValidator } from './json-schema-validator.js';
import { SharedDefinitions } from './shared-definitions.js';
import type { StandardSchemaInput } from './standard-schema-input.js';
import { isJsonObject } from '../json/is-json-object.js';
import {
  rejectInput,
  type ToolInput,
  ToolInputException,
  type ToolInputIssue,
  type UnknownArguments,
} from './tool-input.js';

/** A named argument and its conversion from JSON to the value that the method receives. */
export interface ObjectProperty {
  readonly name: string;
  /**
   * Generates the schema.
   *
   * @param nested generates the schema of a class
   * @param isChecked whether the schema is for validation, not for the model
   */
  readonly schema: (nested: NestedSchema, isChecked: boolean) => JsonSchema;
  readonly required: boolean;
  /**
   * Whether a user wrote the schema. It may be invalid, and its references treat it as the root.
   */
  readonly isUserSchema?: boolean;
  /** Writes the classes into the schema and its definitions, if they come from types. */
  readonly withClasses?: ClassFilling | undefined;
  /** Whether null is allowed. */
  readonly isNullable?: boolean;
  /** Converts the JSON value. Undefined if it needs no conversion. */
  readonly revive?: Revive | undefined;
  /** Parses values that match the schema. */
  readonly standard?: StandardSchemaInput | undefined;
  /** Whether `standard` also receives missing values, because it has a default. */
  readonly acceptsNothing?: boolean;
}

/** Named arguments: the parameters of a method. */
export class ObjectInput implements ToolInput {
  readonly schema: JsonSchema;
  /** The classes in the schema, if any. */
  readonly #classes: DtoDefinitions | undefined;
  readonly #isPlain: boolean;
  /** Whether types describe an argument. */
  readonly #isTyped: boolean;
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;

  constructor(
    private readonly properties: readonly ObjectProperty[],
    private readonly unknownArguments: UnknownArguments = 'refuse',
  ) {
    ({ schema: this.schema, classes: this.#classes } = this.#write(false));
    this.#isTyped = properties.some(({ withClasses }) => withClasses);
    this.#isPlain = properties.every(({ revive, standard }) => !revive && !standard);
  }

  parse(json: unknown): Record<string, unknown> | Promise<Record<string, unknown>> {
    this.#coerce ??= compileCoercion(this.schema, { stripUnknown: this.unknownArguments === 'strip' });
    const value = this.#coerce(json);
    if (!isJsonObject(value)) rejectInput('the arguments must be a JSON object');
    this.#validate ??= compileValidator(this.#checkedSchema());
    if (!this.#isPlain) return this.#revive({ ...value }, issuesIn(value, this.#validate));
    this.#validate(value);
    return value;
  }

  /** Generated schemas are valid. Only parts written by a user are checked. */
  verify(): void {
    const isForeign = this.#classes?.hasForeign || this.properties.some(({ isUserSchema }) => isUserSchema);
    // Patterns of types come from comments.
    if (isForeign || (this.#isTyped && hasPattern(this.schema))) checkSchema(this.#checkedSchema());
  }

  async #revive(
    value: Record<string, unknown>,
    shapeIssues: readonly ToolInputIssue[],
  ): Promise<Record<string, unknown>> {
    const binding = new DtoBinding();
    for (const { name, revive } of this.properties) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (revive && given !== undefined && given !== null) value[name] = revive(given, name, binding);
    }
    if (shapeIssues.length === 0) await this.#parseStandard(value, binding.issues);
    await binding.validate(shapeIssues);
    return value;
  }

  async #parseStandard(value: Record<string, unknown>, issues: ToolInputIssue[]): Promise<void> {
    for (const { name, standard, isNullable, acceptsNothing } of this.properties) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (!standard || (given === null && isNullable) || (given === undefined && !acceptsNothing)) continue;
      try {
        value[name] = await standard.parse(given);
      } catch (error) {
        if (!(error instanceof ToolInputException)) throw error;
        issues.push(...error.inside(name).issues);
      }
    }
  }

  /** Validates classes in the same way as when they are the only parameter. */
  #checkedSchema(): JsonSchema {
    return this.#classes || (this.#isTyped && !this.#isPlain) ? this.#write(true).schema : this.schema;
  }

  #write(isChecked: boolean): { schema: JsonSchema; classes: DtoDefinitions | undefined } {
    const additionalProperties = this.unknownArguments === 'allow';
    let classes: DtoDefinitions | undefined;
    let shared: SharedDefinitions | undefined;
    const isTaken = (name: string): boolean => shared?.has(name) === true;
    const nested: NestedSchema = (type) =>
      (classes ??= new DtoDefinitions({ additionalProperties, isChecked, isTaken })).write(type);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    let hoisted: Readonly<Record<string, JsonSchema>> | undefined;
    for (const property of this.properties) {
      const { name, isUserSchema, withClasses } = property;
      let schema = property.schema(nested, isChecked);
      if (isUserSchema) {
        const { $defs, schema: own } = hoistDefinitions(selfContained(schema).schema, name);
        hoisted = { ...hoisted, ...$defs };
        schema = own;
      } else if (withClasses) {
        if (schema.$defs !== undefined) {
          shared ??= new SharedDefinitions((key) => classes?.has(key) === true);
          schema = shared.adopt(schema, name, (one) => withClasses(one, nested));
        }
        schema = withClasses(schema, nested);
      }
      properties[name] = nullable(schema, property);
      if (property.required) required.push(name);
    }
    const $defs = classes?.$defs || hoisted || shared ? { ...classes?.$defs, ...hoisted, ...shared?.$defs } : undefined;
    // The schemas of types belong to Nestor. Others may be objects of a user.
    const freeze = !classes && this.properties.every(({ withClasses }) => withClasses) ? freezeInPlace : freezeSchema;
    const schema = freeze({
      type: 'object',
      ...($defs && Object.keys($defs).length > 0 && { $defs }),
      properties,
      required,
      ...(!additionalProperties && { additionalProperties: false }),
    });
    return { schema, classes };
  }
}

/** Description and default value apply to the value and to null, so they stay outside. */
function nullable(schema: JsonSchema, { isNullable }: ObjectProperty): JsonSchema {
  if (!isNullable) return schema;
  const { description, default: fallback, ...rest } = schema;
  return {
    ...withNull(rest),
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
}
