import type { Ajv as AjvClass, ValidateFunction } from 'ajv';
import type { JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { ajv as compilers, ajvFormats } from '../lazy-modules.cjs';
import { DATE_FORMAT, isIsoDate } from '../schema/dates.js';
import { type Dialect, dialectOf } from '../schema/json-schema-keywords.js';
import { selfContained } from '../schema/self-contained.js';
import { translateDraft04Limits } from './draft-04-limits.js';
import { type PatternEngine, patternOf } from './patterns.js';
import { toInputException } from './schema-issues.js';
import { MAX_ISSUES, ToolInputException, type ToolInputIssue } from './tool-input.js';
import { UnenforceableSchemaException } from './unenforceable-schema.exception.js';

/** Throws a {@link ToolInputException} if a value does not match the schema. */
export type JsonValidator = (value: unknown) => void;

// Classes and parameters share their schemas. The validator of a schema is released together with
// it.
const validators = new WeakMap<PatternEngine, WeakMap<JsonSchema, JsonValidator>>();

/**
 * Compiles a JSON Schema with ajv in the dialect of its `$schema` (default: 2020-12). Each schema
 * gets its own compiler, so that the ids of different schemas cannot clash.
 *
 * @param engine compiles its patterns
 * @returns a validator; for a schema that ajv cannot compile, it throws an
 * {@link UnenforceableSchemaException}
 */
export function compileValidator(schema: JsonSchema, engine: PatternEngine = patternOf): JsonValidator {
  const known = remembered(validators, engine, () => new WeakMap<JsonSchema, JsonValidator>());
  return remembered(known, schema, () => newValidator(schema, engine));
}

/**
 * Returns the violations that a validator finds in a value.
 *
 * @throws ToolInputException if there are so many that further checks are pointless
 */
export function issuesIn(value: unknown, validate: JsonValidator): readonly ToolInputIssue[] {
  try {
    validate(value);
    return [];
  } catch (error) {
    if (error instanceof ToolInputException && error.issues.length < MAX_ISSUES) return error.issues;
    throw error;
  }
}

function newValidator(schema: JsonSchema, engine: PatternEngine): JsonValidator {
  let validate: ValidateFunction;
  try {
    validate = compile(schema, engine);
  } catch (cause) {
    const exception = new UnenforceableSchemaException(cause);
    return () => {
      throw exception;
    };
  }
  return (value) => {
    if (validate(value)) return;
    throw toInputException(validate.errors ?? [], schema, (inner) => compileValidator(inner, engine));
  };
}

function compile(schema: JsonSchema, engine: PatternEngine): ValidateFunction {
  const { schema: contained, unresolved } = selfContained(translateDraft04Limits(schema));
  const { $schema: _dialect, ...plain } = contained;
  // Without a root id, ajv cannot resolve `#`.
  return newCompiler(dialectOf(schema), engine, unresolved.length > 0).compile({ $id: 'tool:input', ...plain });
}

/**
 * @param withMetaschemas whether schemas may reference the metaschema; without it, creating a
 * compiler is ten times as fast
 */
function newCompiler(dialect: Dialect, engine: PatternEngine, withMetaschemas: boolean): AjvClass {
  const { default: Ajv } = compilers[dialect]();
  const ajv = new Ajv({
    strict: false,
    strictNumbers: true,
    ownProperties: true,
    allErrors: true,
    verbose: true,
    logger: false,
    meta: withMetaschemas,
    // Already checked when the tool was registered.
    validateSchema: false,
    addUsedSchema: false,
    code: { regExp: Object.assign((source: string) => engine(source), { code: 'new RegExp' }) },
  });
  ajvFormats().default(ajv);
  ajv.addFormat(DATE_FORMAT, isIsoDate);
  return ajv;
}
