import type { Ajv as AjvClass, ErrorObject, ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../model/json-schema.js';
import { lazyRequire } from '../lazy-require.js';
import { translateDraft04Limits } from './draft-04-limits.js';
import { markedAlternatives, meantAlternative } from './alternatives.js';
import { formatPath, isJsonObject, ToolInputException, type ToolInputIssue } from './tool-input.js';

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
    throw new ToolInputException(dedupe(toIssues(validate.errors ?? [], schema)));
  };
}

/** Of several schemas, a model is told what is wrong with the one that it meant, and not of all the others. */
function toIssues(errors: readonly ErrorObject[], root: JsonSchema): ToolInputIssue[] {
  const issues: ToolInputIssue[] = [];
  const explained: string[] = [];
  // The error of the whole comes behind those of its parts, and that of an outer one behind that of an inner one.
  for (const error of errors.toReversed()) {
    if (explained.some((path) => error.instancePath === path || error.instancePath.startsWith(`${path}/`))) continue;
    const inner = explainAlternatives(error, root);
    if (inner) explained.push(error.instancePath);
    issues.unshift(...(inner ?? [toIssue(error)]));
  }
  return issues;
}

function explainAlternatives(
  { keyword, schema, data, instancePath }: ErrorObject,
  root: JsonSchema,
): readonly ToolInputIssue[] | undefined {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
  const alternatives = markedAlternatives(schema as unknown[], root);
  if (!alternatives) return undefined;
  const at = pathOf(instancePath);
  const meant = meantAlternative(alternatives, data);
  if (!meant) {
    const [[name] = ['']] = alternatives[0]!.marks;
    const path = isJsonObject(data) ? join(at, name) : at;
    const values = alternatives.flatMap(({ marks }) =>
      marks.filter(([mark]) => mark === name).map(([, value]) => value),
    );
    const text = isJsonObject(data) ? `must be one of ${listed(values)}` : 'must be object';
    return [{ path, message: `${subject(path)} ${text}` }];
  }
  try {
    alternativeValidator(meant.schema, root)(data);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolInputException)) return undefined;
    return at ? error.inside(at).issues : error.issues;
  }
}

const alternativeValidators = new WeakMap<JsonSchema, JsonValidator>();

function alternativeValidator(schema: JsonSchema, { $schema, $defs, definitions }: JsonSchema): JsonValidator {
  let validate = alternativeValidators.get(schema);
  if (!validate) {
    validate = compileValidator({ ...schema, ...clean({ $schema, $defs, definitions }) });
    alternativeValidators.set(schema, validate);
  }
  return validate;
}

function clean(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
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

function toIssue(error: ErrorObject): ToolInputIssue {
  const at = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const child = (name: unknown): string => join(at, String(name));
  switch (error.keyword) {
    case 'required':
      return { path: child(params.missingProperty), message: `'${child(params.missingProperty)}' is required` };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = child(params.additionalProperty ?? params.unevaluatedProperty);
      return { path: name, message: `'${name}' is not an argument of this tool` };
    }
    case 'enum':
      return { path: at, message: `${subject(at)} must be one of ${listed(params.allowedValues)}` };
    case 'const':
      return { path: at, message: `${subject(at)} must be ${JSON.stringify(params.allowedValue)}` };
    default:
      return { path: at, message: `${subject(at)} ${error.message ?? 'is invalid'}` };
  }
}

function pathOf(instancePath: string): string {
  return formatPath(instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer));
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}

function subject(path: string): string {
  return path ? `'${path}'` : 'the input';
}

function listed(values: unknown): string {
  return (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value)).join(', ');
}

function unescapePointer(part: string): string {
  return part.replace(/~1/g, '/').replace(/~0/g, '~');
}

function dedupe(issues: readonly ToolInputIssue[]): ToolInputIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ message }) => !seen.has(message) && seen.add(message));
}
