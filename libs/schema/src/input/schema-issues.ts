import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { DATE_FORMAT } from '../schema/dates.js';
import { unescapePointer } from '../schema/json-pointer.js';
import { markedAlternatives, closestAlternative } from './alternatives.js';
import { isJsonObject } from '../json/is-json-object.js';
import { formatPath, MAX_ISSUES, pathInside, ToolInputException, type ToolInputIssue } from './tool-input.js';

type Compile = (schema: JsonSchema) => (value: unknown) => void;

/** The number of ajv errors that are translated. For alternatives, several errors are one issue. */
const MAX_ERRORS = 4 * MAX_ISSUES;

/**
 * Translates ajv errors for a model. For alternatives it describes the errors of the one that the
 * model meant, not of all.
 *
 * @param root the schema of the whole input
 * @param compile creates a validator, which throws a ToolInputException
 */
export function toInputException(
  errors: readonly ErrorObject[],
  root: JsonSchema,
  compile: Compile,
): ToolInputException {
  const issues: (readonly ToolInputIssue[])[] = [];
  const explained: string[] = [];
  // ajv reports the error of a whole after those of its parts, so start with the outermost.
  for (let index = Math.min(errors.length, MAX_ERRORS) - 1; index >= 0; index--) {
    const error = errors[index]!;
    // What is wrong with a name would be told as if it were wrong with the object.
    if (error.propertyName !== undefined) continue;
    if (explained.some((path) => error.instancePath === path || error.instancePath.startsWith(`${path}/`))) continue;
    const inner = explainAlternatives(error, root, compile) ?? ofItsType(error, errors.slice(0, index));
    if (inner) explained.push(error.instancePath);
    issues.push(inner ?? [toIssue(error)]);
  }
  const told = dedupe(issues.reverse().flat());
  return new ToolInputException(told, false, told.length + Math.max(0, errors.length - MAX_ERRORS));
}

function explainAlternatives(
  { keyword, schema, data, instancePath }: ErrorObject,
  root: JsonSchema,
  compile: Compile,
): readonly ToolInputIssue[] | undefined {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
  const alternatives = markedAlternatives(schema as unknown[], root);
  if (!alternatives) return undefined;
  const at = pathOf(instancePath);
  const meant = closestAlternative(alternatives, data);
  // An alternative that references the root cannot be validated by itself.
  if (meant && JSON.stringify(meant.schema).includes('"$ref":"#"')) return undefined;
  if (!meant) {
    const [[name] = ['']] = alternatives[0]!.marks;
    const path = isJsonObject(data) ? pathInside(at, name) : at;
    const values = alternatives.flatMap(({ marks }) =>
      marks.filter(([mark]) => mark === name).map(([, value]) => value),
    );
    const text = isJsonObject(data) ? `must be one of ${listed(values)}` : 'must be object';
    return [{ path, message: `${subject(path)} ${text}` }];
  }
  try {
    alternativeValidator(meant.schema, root, compile)(data);
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolInputException)) return undefined;
    return at ? error.inside(at).issues : error.issues;
  }
}

/**
 * What is wrong with a value whose alternatives no constant tells apart: that of its JSON type was
 * meant.
 *
 * @param before the errors before this one, which end with those of the alternatives
 */
function ofItsType(
  { keyword, schema, instancePath }: ErrorObject,
  before: readonly ErrorObject[],
): ToolInputIssue[] | undefined {
  if (keyword !== 'anyOf') return undefined;
  const isWithin = (error: ErrorObject): boolean =>
    error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
  const within = before.slice(before.findLastIndex((error) => !isWithin(error)) + 1);
  const path = pathOf(instancePath);
  const start = `${subject(path)} must be `;
  const issues = within.map(toIssue);
  if (issues.every(({ message }) => message.startsWith(start)))
    return [{ path, message: start + issues.map(({ message }) => message.slice(start.length)).join(' or ') }];
  const meant = within.filter((one) => one.keyword !== 'type' || one.instancePath !== instancePath);
  return within.length - meant.length === (schema as unknown[]).length - 1 ? meant.map(toIssue) : undefined;
}

const alternativeValidators = new WeakMap<JsonSchema, ReturnType<Compile>>();
/** What the references of an alternative need of the whole schema. */
const SHARED: readonly string[] = ['$schema', '$defs', 'definitions'];

function alternativeValidator(schema: JsonSchema, root: JsonSchema, compile: Compile): ReturnType<Compile> {
  return remembered(alternativeValidators, schema, () => {
    const shared = Object.entries(root).filter(([key, value]) => SHARED.includes(key) && value !== undefined);
    return compile({ ...schema, ...Object.fromEntries(shared) });
  });
}

function toIssue(error: ErrorObject): ToolInputIssue {
  const at = pathOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const child = (name: unknown): string => pathInside(at, String(name));
  switch (error.keyword) {
    case 'required':
      return { path: child(params.missingProperty), message: `'${child(params.missingProperty)}' is required` };
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames': {
      const name = child(params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName);
      return { path: name, message: `'${name}' is not an argument of this tool` };
    }
    case 'false schema':
      return { path: at, message: `${subject(at)} is not an argument of this tool` };
    case 'format':
      if (params.format !== DATE_FORMAT) break;
      return { path: at, message: `${subject(at)} must be a date, or a date and time, in ISO-8601 format` };
    case 'enum':
      return { path: at, message: `${subject(at)} must be one of ${listed(params.allowedValues)}` };
    case 'const':
      return { path: at, message: `${subject(at)} must be ${JSON.stringify(params.allowedValue)}` };
  }
  return { path: at, message: `${subject(at)} ${error.message ?? 'is invalid'}` };
}

function pathOf(instancePath: string): string {
  return formatPath(instancePath.slice(1).split('/').filter(Boolean).map(unescapePointer));
}

function subject(path: string): string {
  return path ? `'${path}'` : 'the input';
}

function listed(values: unknown): string {
  return (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value)).join(', ');
}

function dedupe(issues: readonly ToolInputIssue[]): ToolInputIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ message }) => !seen.has(message) && seen.add(message));
}
