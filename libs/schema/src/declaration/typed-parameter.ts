import type { JsonSchema } from '../json/json-schema.js';
import type { ObjectProperty } from '../input/object-input.js';
import { admitsNull, withoutNull } from '../schema/with-null.js';
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
