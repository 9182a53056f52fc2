import type { ValidationError } from 'class-validator';
import type { JsonSchema } from '../../model/json-schema.js';
import { type ClassDescription, describeClass, type PropertyDescription } from '../schema/class-description.js';
import { dtoSchema } from '../schema/dto-schema.js';
import { DtoShape } from '../schema/dto-shape.js';
import { classValidator } from '../schema/peer-libraries.js';
import type { Type } from '../type.js';
import { type Coercion, compileCoercion } from './coerce.js';
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
    const dateIssues: ToolInputIssue[] = [];
    const instance = this.#instantiate(value, dateIssues, shapeIssues.length > 0);
    // Each of them knows of violations that the others do not; what class-validator says is meant to be read.
    const issues = instance ? await validateInstance(instance) : [];
    const told = new Set(issues.map(({ path }) => path));
    const all = [...issues, ...[...dateIssues, ...shapeIssues].filter(({ path }) => !told.has(path))];
    if (all.length > 0) throw new ToolInputException(all);
    return instance;
  }

  /** Formats and patterns are left to class-validator, which knows them better. */
  #structure(): JsonSchema {
    return dtoSchema(this.type, { additionalProperties: this.unknownArguments === 'allow', omitFormats: true });
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
  #instantiate(value: unknown, issues: ToolInputIssue[], isWrong: boolean): object | undefined {
    try {
      return DtoShape.of(this.type).instantiate(value, issues);
    } catch (error) {
      if (isWrong) return undefined;
      throw error;
    }
  }
}

/** Unknown properties are not its business: the schema refuses them, for nested classes without decorators too. */
async function validateInstance(instance: object): Promise<ToolInputIssue[]> {
  const errors = await classValidator().validate(instance, { forbidUnknownValues: false });
  return errors.flatMap((error) => toIssues(error, []));
}

function toIssues(error: ValidationError, parents: readonly string[]): ToolInputIssue[] {
  const { properties, excluded } = describe(error);
  const property = properties.get(error.property);
  if (excluded.has(error.property) || (property && isAdmitted(error.value, property))) return [];
  const name = property?.jsonName ?? error.property;
  const segments = [...parents, name];
  const path = formatPath(segments);
  const own = Object.entries(error.constraints ?? {}).map(([validator, message]) => {
    const text = message?.trim() ? message : `${error.property} is invalid (${validator})`;
    // class-validator knows the name on the instance only.
    return { path, message: path === error.property ? text : `${path}: ${text}` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, segments))];
}

function describe({ target }: ValidationError): ClassDescription {
  return describeClass((target as object).constructor as Type);
}

/**
 * What the model was told that it may leave out or set to null, although class-validator was not told so. Where a
 * condition decides, it has decided.
 */
function isAdmitted(value: unknown, { isOptional, isNullable, validators }: PropertyDescription): boolean {
  if (value === null) return isNullable;
  return value === undefined && isOptional && validators.every(({ type }) => type !== 'conditionalValidation');
}
