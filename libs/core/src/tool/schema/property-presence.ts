import type { PropertyDescription } from './class-description.js';

/** Whether a property has to be there. */
export interface PropertyPresence {
  /** Whether it may be left out, apart from a default value that instances have. */
  readonly isOptional: boolean;
  /** Whether it may be null. */
  readonly isNullable: boolean;
}

/**
 * Whether a property may be left out or null: what `@ToolParam` says, else what class-validator says, else
 * `@ApiProperty`. Of a `@ValidateIf()`, whose condition may be anything, it is found out what it does to nothing and to null.
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

/** A condition that asks for other properties of the object, or fails without them, says nothing for sure. */
function isValidated(condition: Condition, value: unknown): boolean {
  try {
    return condition({}, value);
  } catch {
    return false;
  }
}
