import { describesValue } from '../declaration/tool-param.decorator.js';
import type { PropertyTypes } from '../typed/class-types.js';
import type { PropertyDescription } from './class-description.js';
import { admitsNull } from './with-null.js';

/** Whether a property may be missing or null. */
export interface PropertyPresence {
  /** Whether it may be missing, apart from a default value on instances. */
  readonly isOptional: boolean;
  /** Whether it may be null. */
  readonly isNullable: boolean;
}

/**
 * Determines whether a property may be missing or null: from `@ToolParam`, else class-validator,
 * else `@ApiProperty`, else its type. The condition of `@ValidateIf()` can be anything, so it is
 * called with undefined and null to find out.
 */
export function presenceOf(property: PropertyDescription, types?: PropertyTypes): PropertyPresence {
  const { param, api } = property;
  const validators = property.validators.filter(({ type }) => type !== 'whitelistValidation');
  let isOptional = api?.required === false;
  let isNullable = api?.nullable === true;
  for (const { type, name, constraints } of validators) {
    if (name === 'isEmpty') isOptional = true;
    if (type !== 'conditionalValidation') continue;
    const condition = constraints?.[0] as Condition;
    const onlyAdmitsNull = name !== 'isOptional' && isValidated(condition, undefined) && !isValidated(condition, null);
    if (onlyAdmitsNull) isNullable = true;
    else isOptional = true;
  }
  if (types?.isOptional && validators.length === 0 && api?.required === undefined) isOptional = true;
  if (types?.schema && admitsNull(types.schema) && leavesNullOpen(property)) isNullable = true;
  return {
    isOptional: param?.required === undefined ? isOptional : !param.required,
    isNullable: param?.nullable ?? isNullable,
  };
}

/** Whether class-validator accepts null, as far as it is known. */
function leavesNullOpen({ validators, param }: PropertyDescription): boolean {
  if (describesValue(param)) return false;
  if (validators.every(({ type }) => type === 'whitelistValidation')) return true;
  return validators.some(
    ({ type, name, constraints }) =>
      type === 'conditionalValidation' || (name === 'isIn' && (constraints[0] as unknown[]).includes(null)),
  );
}

type Condition = (object: object, value: unknown) => boolean;

/**
 * A condition that reads other properties of the object, or throws without them, counts as not
 * met.
 */
function isValidated(condition: Condition, value: unknown): boolean {
  try {
    return condition({}, value);
  } catch {
    return false;
  }
}
