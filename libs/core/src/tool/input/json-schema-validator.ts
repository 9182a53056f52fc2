import type { Ajv as AjvClass, ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../model/json-schema.js';
import { lazyRequire } from '../lazy-require.js';
import { DATE_FORMAT } from '../schema/date-format.js';
import { isIsoDate } from '../schema/to-date.js';
import { translateDraft04Limits } from './draft-04-limits.js';
import { issuesOf } from './schema-issues.js';
import { ToolInputException } from './tool-input.js';

/** Throws a {@link ToolInputException} when a value does not fit the schema. */
export type JsonValidator = (value: unknown) => void;

/**
 * Compiles a JSON Schema with ajv, in the draft that its `$schema` names (2020-12 by default).
 *
 * @throws Error when the schema itself is invalid
 */
export function compileValidator(schema: JsonSchema): JsonValidator {
  // Without an id of the root, ajv would not find what `#` refers to.
  const { $schema: dialect, ...plain }: JsonSchema = { $id: 'tool:input', ...translateDraft04Limits(schema) };
  if (plain.$async !== undefined) throw new Error('an asynchronous schema ($async) cannot be enforced');
  const ajv = compilerFor(dialect);
  const validate: ValidateFunction = ajv.compile(plain);
  // Ajv would keep every schema it ever compiled, also those of tools that live for one request.
  ajv.removeSchema(plain);
  return (value) => {
    if (validate(value)) return;
    throw new ToolInputException(issuesOf(validate.errors ?? [], schema, compileValidator));
  };
}

/**
 * Providers refuse a whole request when one tool's schema is not that of an object.
 *
 * @throws Error when a schema says that the arguments are something else
 */
export function checkRoot({ type }: JsonSchema): void {
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return;
  throw new Error(`the arguments of a tool are an object, but the schema is of type ${JSON.stringify(type)}`);
}

type AjvModule = { default: new (options: object) => AjvClass };

// One for each dialect: making one takes a hundred times as long as compiling a schema.
const compilers = new Map<string, AjvClass>();

function compilerFor(dialect: unknown): AjvClass {
  const name = compilerName(typeof dialect === 'string' ? dialect : '');
  let ajv = compilers.get(name);
  if (!ajv) {
    const { default: Ajv } = lazyRequire<AjvModule>(name);
    ajv = new Ajv({
      strict: false,
      strictNumbers: true,
      ownProperties: true,
      allErrors: true,
      verbose: true,
      logger: false,
      // Not adding used schemas lets two tools have schemas of the same `$id`.
      addUsedSchema: false,
      code: { regExp: tolerantRegExp },
    });
    lazyRequire<{ default: (ajv: AjvClass) => void }>('ajv-formats').default(ajv);
    ajv.addFormat(DATE_FORMAT, isIsoDate);
    compilers.set(name, ajv);
  }
  return ajv;
}

function compilerName(dialect: string): string {
  if (/draft-0[4-7]/.test(dialect)) return 'ajv';
  return dialect.includes('2019-09') ? 'ajv/dist/2019.js' : 'ajv/dist/2020.js';
}

/** Patterns such as `\d\-\d` are everyday, and invalid in Unicode mode. */
const tolerantRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern, flags.replace('u', ''));
    }
  },
  { code: 'new RegExp' },
);
