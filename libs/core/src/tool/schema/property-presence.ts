import type { PropertyDescription } from './class-description.js';

/** Whether a property may be missing or null. */
export interface PropertyPresence {
  /** Whether it may be missing, apart from a default value on instances. */
  readonly isOptional: boolean;
  /** Whether it may be null. */
  readonly isNullable: boolean;
}

/**
 * Determines whether a property may be missing or null: from `@ToolParam`, else class-validator,
 * else `@ApiProperty`. The condition of `@ValidateIf()` can be anything, so it is called with
 * undefined and null to find out.
 */
export function presenceOf({ validators, param, api }: PropertyDescription): PropertyPresence {
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
  return {
    isOptional: param?.required === undefined ? isOptional : !param.required,
    isNullable: param?.nullable ?? isNullable,
  };
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
