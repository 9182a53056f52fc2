import type { ValidationError } from 'class-validator';
import type { JsonSchema } from '../../model/json-schema.js';
import { classValidator } from '../schema/dto-metadata.js';
import { dtoSchema } from '../schema/dto-schema.js';
import { DtoShape } from '../schema/dto-shape.js';
import type { Type } from '../type.js';
import { compileCoercion } from './coerce.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import {
  formatPath,
  isJsonObject,
  rejectInput,
  ToolInputException,
  type ToolInput,
  type ToolInputIssue,
} from './tool-input.js';

/**
 * Arguments described by a class: held to the schema that the model was shown, transformed with class-transformer,
 * and validated with class-validator.
 */
export class DtoInput implements ToolInput {
  readonly schema: JsonSchema;
  readonly #coerce: (value: unknown) => unknown;
  readonly #shape: DtoShape;
  #validate: JsonValidator | undefined;

  /** @throws ToolDeclarationException when the class does not say enough */
  constructor(type: Type) {
    this.schema = dtoSchema(type);
    this.#coerce = compileCoercion(this.schema) ?? ((value) => value);
    this.#shape = DtoShape.of(type);
  }

  async parse(json: unknown): Promise<unknown> {
    if (!isJsonObject(json)) rejectInput('the arguments have to be a JSON object');
    const value = this.#coerce(json);
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
  #shapeIssues(value: unknown): readonly ToolInputIssue[] {
    try {
      (this.#validate ??= compileValidator(structureOf(this.schema)))(value);
      return [];
    } catch (error) {
      if (error instanceof ToolInputException) return error.issues;
      throw error;
    }
  }

  /** Of input that is known to be wrong, an instance may be too much to ask. */
  #instantiate(value: unknown, issues: ToolInputIssue[], isWrong: boolean): object | undefined {
    try {
      return this.#shape.instantiate(value, issues);
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
  const segments = [...parents, error.property];
  const path = formatPath(segments);
  const own = Object.entries(error.constraints ?? {}).map(([name, message]) => {
    const text = message?.trim() ? message : `${error.property} is invalid (${name})`;
    return { path, message: parents.length === 0 ? text : `${path}: ${text}` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, segments))];
}

function structureOf(schema: JsonSchema): JsonSchema {
  const structure: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'format' || keyword === 'pattern') continue;
    const holdsSchemas = keyword === 'properties' || keyword === '$defs';
    structure[keyword] = holdsSchemas
      ? Object.fromEntries(
          Object.entries(value as Record<string, JsonSchema>).map(([name, child]) => [name, structureOf(child)]),
        )
      : isJsonObject(value)
        ? structureOf(value)
        : value;
  }
  return structure;
}
