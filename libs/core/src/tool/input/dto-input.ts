import type { ValidationError } from 'class-validator';
import type { JsonSchema } from '../../model/json-schema.js';
import { describeClass } from '../schema/class-description.js';
import { dtoSchema, hasForeignParts } from '../schema/dto-schema.js';
import { DtoBinding } from '../schema/dto-binding.js';
import { classValidator } from '../schema/peer-libraries.js';
import { plansOf } from '../schema/property-plan.js';
import { messageOf } from '../../model/message-of.js';
import type { Type } from '../type.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkSchema } from './json-schema-check.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import {
  formatPath,
  isJsonObject,
  rejectInput,
  ToolInputException,
  type ToolInput,
  type ToolInputIssue,
  type UnknownArguments,
} from './tool-input.js';

/**
 * Arguments described by a class: held to the schema that the model was shown, transformed with class-transformer,
 * and validated with class-validator.
 */
export class DtoInput implements ToolInput {
  readonly schema: JsonSchema;
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;

  /** @throws ToolDeclarationException when the class does not say enough */
  constructor(
    private readonly type: Type,
    private readonly unknownArguments: UnknownArguments = 'refuse',
  ) {
    this.schema = dtoSchema(type, { additionalProperties: unknownArguments === 'allow' });
  }

  async parse(json: unknown): Promise<unknown> {
    this.#coerce ??= compileCoercion(this.schema, { stripUnknown: this.unknownArguments === 'strip' });
    const value = this.#coerce(json);
    if (!isJsonObject(value)) rejectInput('the arguments have to be a JSON object');
    const shapeIssues = this.#shapeIssues(value);
    const binding = new DtoBinding();
    const instance = this.#instantiate(value, binding, shapeIssues.length > 0);
    // Each of them knows of violations that the others do not; what class-validator says is meant to be read.
    const issues = instance ? await this.#validateAll(instance, binding, shapeIssues.length > 0) : [];
    const told = new Set(issues.map(({ path }) => path));
    const others = shapeIssues.length > 0 ? shapeIssues : binding.issues;
    // What is said of each item is said of the whole by class-validator.
    const all = [...issues, ...others.filter(({ path }) => !told.has(path) && !told.has(path.replace(/\[\d+\]$/, '')))];
    if (all.length > 0) throw new ToolInputException(all);
    return instance;
  }

  /** Schemas made of decorators are right: only what somebody wrote is checked. */
  verify(): void {
    if (hasForeignParts(this.type)) checkSchema(this.#structure());
  }

  /** Formats and patterns are left to class-validator, which knows them better. */
  #structure(): JsonSchema {
    return dtoSchema(this.type, { additionalProperties: this.unknownArguments === 'allow', isChecked: true });
  }

  #shapeIssues(value: unknown): readonly ToolInputIssue[] {
    try {
      (this.#validate ??= compileValidator(this.#structure()))(value);
      return [];
    } catch (error) {
      if (error instanceof ToolInputException) return error.issues;
      throw error;
    }
  }

  /** Of input that is known to be wrong, an instance may be too much to ask. */
  #instantiate(value: unknown, binding: DtoBinding, isWrong: boolean): object | undefined {
    try {
      return binding.instantiate(this.type, value);
    } catch (error) {
      if (isWrong) return undefined;
      return rejectInput(`the arguments cannot be turned into ${this.type.name} (${messageOf(error)})`);
    }
  }

  async #validateAll(instance: object, { unvalidated }: DtoBinding, isWrong: boolean): Promise<ToolInputIssue[]> {
    try {
      const found = await Promise.all([
        validateInstance(instance, []),
        ...unvalidated.map((nested) => validateInstance(nested.instance, [nested.path])),
      ]);
      return found.flat();
    } catch (error) {
      // A validator of somebody's own may not expect what the schema does not allow.
      if (isWrong) return [];
      return rejectInput(`the arguments cannot be validated as ${this.type.name} (${messageOf(error)})`);
    }
  }
}

/** Unknown properties are not its business: the schema refuses them, for nested classes without decorators too. */
async function validateInstance(instance: object, parents: readonly string[]): Promise<ToolInputIssue[]> {
  const errors = await classValidator().validate(instance, { forbidUnknownValues: false });
  return errors.flatMap((error) => toIssues(error, parents));
}

function toIssues(error: ValidationError, parents: readonly string[]): ToolInputIssue[] {
  const type = (error.target as object).constructor as Type;
  const plan = plansOf(type).find(({ name }) => name === error.property);
  if (describeClass(type).excluded.has(error.property) || plan?.admits(error.value)) return [];
  const segments = [...parents, plan?.jsonName ?? error.property];
  const path = formatPath(segments);
  const constraints = Object.entries(error.constraints ?? {}).filter(
    ([validator]) => !isForArrays(validator, error.value),
  );
  const own = constraints.map(([validator, message]) => {
    const text = message?.trim() ? message : `${error.property} is invalid (${validator})`;
    // class-validator knows the name on the instance only.
    return { path, message: path === error.property ? text : `${path}: ${text}` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, segments))];
}

/** class-validator takes a Set for no array; the schema has held it to the same. */
function isForArrays(validator: string, value: unknown): boolean {
  return value instanceof Set && /^(isArray|array[A-Z])/.test(validator);
}
