import type { JsonSchema } from '../../model/json-schema.js';
import type { ObjectProperty } from '../input/object-input.js';
import { isJsonObject } from '../input/tool-input.js';
import type { ParameterTypes } from '../typed/class-types.js';
import type { LoadedTypes } from '../typed/loaded-types.js';
import { withTypedDates } from '../typed/typed-dates.js';
import { compileRevive } from '../typed/typed-revive.js';
import { classFilling } from '../typed/typed-schema.js';
import type { ToolParamOptions } from './tool-param.decorator.js';

/**
 * A parameter whose schema comes from types.
 *
 * @param declared the options of `@ToolParam`, which take precedence
 */
export function typedParameter(
  name: string,
  schema: JsonSchema,
  { types, of, declared }: { types: ParameterTypes; of: LoadedTypes; declared: ToolParamOptions | undefined },
): ObjectProperty {
  const shown = withOptions(schema, declared);
  return {
    name,
    // A parameter that is a Date is checked as without types. Inside of other values, dates are
    // checked as in classes.
    schema: (_nested, isChecked) => (isChecked && types.revive !== 'date' ? withTypedDates(shown, types) : shown),
    withClasses: classFilling(of),
    required: declared?.required ?? types.required,
    isNullable: declared?.nullable === true && !admitsNull(shown),
    revive: compileRevive(types, of),
  };
}

function withOptions(schema: JsonSchema, declared: ToolParamOptions | undefined): JsonSchema {
  if (!declared?.description && declared?.nullable !== false) return schema;
  const plain = declared.nullable === false ? withoutNull(schema) : schema;
  return { ...plain, ...(declared.description && { description: declared.description }) };
}

function admitsNull({ type, anyOf, enum: values }: JsonSchema): boolean {
  if (Array.isArray(values)) return values.includes(null);
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || listOf(anyOf).some(isNull);
}

/** The schema of a value that `@ToolParam({ nullable: false })` does not allow to be null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values, default: fallback, ...rest } = schema;
  const others = listOf(anyOf).filter((one) => !isNull(one));
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return {
    ...(type !== undefined && { type: Array.isArray(type) ? (types.length === 1 ? types[0] : types) : type }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
    ...(others.length === 1 && isJsonObject(others[0]) ? others[0] : anyOf !== undefined && { anyOf: others }),
    ...rest,
    ...(fallback !== undefined && fallback !== null && { default: fallback }),
  };
}

function listOf(alternatives: unknown): readonly unknown[] {
  return Array.isArray(alternatives) ? alternatives : [];
}

function isNull(schema: unknown): boolean {
  return isJsonObject(schema) && schema.type === 'null';
}
