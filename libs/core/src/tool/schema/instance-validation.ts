import type { ValidationError } from 'class-validator';
import { formatPath, type ToolInputIssue } from '../input/tool-input.js';
import type { Type } from '../type.js';
import { describeClass } from './class-description.js';
import { classValidator } from './peer-libraries.js';
import { plansOf } from './property-plan.js';

/**
 * What class-validator finds wrong with an instance. Unknown properties are not its business: the schema refuses them, for nested classes
 * without decorators too.
 *
 * @param path where the instance stands in the input; empty for the whole
 */
export async function validateInstance(instance: object, path: string): Promise<ToolInputIssue[]> {
  const errors = await classValidator().validate(instance, { forbidUnknownValues: false });
  return errors.flatMap((error) => toIssues(error, path ? [path] : []));
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
