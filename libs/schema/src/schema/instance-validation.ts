import type { ValidationError } from 'class-validator';
import { formatPath, type ToolInputIssue } from '../input/tool-input.js';
import type { Type } from '../type.js';
import { describeClass } from './class-description.js';
import { classValidator } from '../lazy-modules.cjs';
import { plansOf } from './property-plan.js';

/**
 * Returns the violations that class-validator finds in an instance. Unknown properties are refused
 * by the schema, also in nested classes without decorators.
 *
 * @param path the location of the instance in the input; empty for the whole
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
  const isMissing = error.value === undefined && plan?.required;
  // Each validator complains about a value that is missing. That it is says more, unless the class has words of its own.
  if (isMissing && constraints.length > 0 && constraints.every(([, message]) => isOfValidator(message, error.property)))
    return [{ path, message: `'${path}' is required` }];
  const own = constraints.map(([validator, message]) => {
    // JSON has no instances.
    if (validator === 'isDate' && message.endsWith(' must be a Date instance'))
      return { path, message: `'${path}' must be a date, or a date and time, in ISO-8601 format` };
    const text = message?.trim() ? message : `${error.property} is invalid (${validator})`;
    // class-validator only knows the name on the instance.
    return { path, message: path === error.property ? text : `${path}: ${text}` };
  });
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, segments))];
}

/** Whether a message is the one of class-validator: 'city must be a string', 'each value in cities must be a string'. */
function isOfValidator(message: string, property: string): boolean {
  return message.startsWith(`${property} `) || message.startsWith(`each value in ${property} `);
}

/** class-validator does not treat a Set as an array. The schema has already checked these rules. */
function isForArrays(validator: string, value: unknown): boolean {
  return value instanceof Set && /^(isArray|array[A-Z])/.test(validator);
}
