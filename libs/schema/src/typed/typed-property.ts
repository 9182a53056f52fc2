import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { hasValidator, type PropertyDescription } from '../schema/class-description.js';
import { limited, narrowedByDecorators, writeForeign, type WrittenProperty } from '../schema/property-schema.js';
import { withoutNull } from '../schema/with-null.js';
import type { Type } from '../type.js';
import { withTypedDates } from './typed-dates.js';
import type { TypedProperty } from './typed-members.js';
import { classFilling } from './typed-schema.js';

/** A property of a class, and what class-validator says about it. */
interface OpenProperty {
  readonly type: Type;
  readonly property: PropertyDescription;
  readonly read: JsonSchema | undefined;
  readonly isChecked: boolean;
}

/**
 * The schema of a property from types, without null. What decorators say about it narrows it.
 *
 * @returns undefined if decorators describe another value, or no schema describes the type
 */
export function writeTyped({ types, of }: TypedProperty, open: OpenProperty): WrittenProperty | undefined {
  const { type, property, read, isChecked } = open;
  if (!types.schema || (isText(read) && makesText(property, types.revive))) return undefined;
  const typed = withoutNull(isChecked ? withTypedDates(types.schema, types) : types.schema);
  const schema = narrowedByDecorators(typed, type, property, read);
  if (!schema) return undefined;
  const withClasses = classFilling(of);
  if (schema.$defs !== undefined)
    return { ...writeForeign(`${type.name}.${property.name}`, schema, undefined), withClasses };
  const written = limited(schema, property.api);
  return { ...written, isForeign: written.isForeign || hasPattern(schema), withClasses };
}

/** Whether class-validator validates a text, or each text of a list. */
function isText(read: JsonSchema | undefined): boolean {
  return read?.type === 'string' || (isJsonObject(read?.items) && isText(read.items));
}

/** Whether a text has to stay a text although the type is a Date or a URL. */
function makesText(property: PropertyDescription, revive: unknown): boolean {
  if (hasValidator(property, 'isDate', 'minDate', 'maxDate')) return false;
  const isConverted = (one: unknown): boolean =>
    one === 'date' ||
    one === 'url' ||
    (typeof one === 'object' && one !== null && Object.values(one).some(isConverted));
  return isConverted(revive);
}

/** Whether a schema has a pattern, which may be invalid. */
export function hasPattern(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('pattern' in schema || 'patternProperties' in schema) return true;
  return Object.values(schema).some(hasPattern);
}
