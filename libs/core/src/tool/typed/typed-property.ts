import type { JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { UnknownTypeException } from '../declaration/unknown-type.exception.js';
import { isJsonObject } from '../input/tool-input.js';
import type { PropertyDescription } from '../schema/class-description.js';
import { limited, writeForeign, type WrittenProperty } from '../schema/property-schema.js';
import type { Type } from '../type.js';
import { withTypedDates } from './typed-dates.js';
import type { TypedProperty } from './typed-members.js';
import { classFilling } from './typed-schema.js';

/** What decorators leave open about a property of a class. */
interface OpenProperty {
  readonly type: Type;
  readonly property: PropertyDescription;
  /** What class-validator says about it. */
  readonly read: JsonSchema | undefined;
  /** Why decorators are not sufficient. */
  readonly error: unknown;
  readonly isChecked: boolean;
}

/**
 * The schema of a property from types. Limits of decorators apply to it.
 *
 * @throws the error if types do not describe the property either
 */
export function writeTyped(typed: TypedProperty | undefined, open: OpenProperty): WrittenProperty {
  const { type, property, read, error, isChecked } = open;
  if (!typed || !(error instanceof UnknownTypeException)) throw error;
  const { types, of } = typed;
  if (types.error !== undefined) throw new ToolDeclarationException(types.error, { cause: error });
  if (!types.schema) throw error;
  const schema = isChecked ? withTypedDates(types.schema, types) : types.schema;
  const withClasses = classFilling(of);
  if (schema.$defs !== undefined) {
    return { ...writeForeign(`${type.name}.${property.name}`, schema, limitsOf(read)), withClasses };
  }
  const written = limited(withLimits(schema, read), property.api);
  return { ...written, isForeign: written.isForeign || hasPattern(schema), withClasses };
}

/** Whether a schema has a pattern, which may be invalid. */
export function hasPattern(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('pattern' in schema || 'patternProperties' in schema) return true;
  return Object.values(schema).some(hasPattern);
}

function withLimits(schema: JsonSchema, read: JsonSchema | undefined): JsonSchema {
  const limits = limitsOf(read);
  const { items } = read ?? {};
  if (!isJsonObject(items) || !isJsonObject(schema.items)) return { ...schema, ...limits };
  return { ...schema, ...limits, items: { ...schema.items, ...limitsOf(items) } };
}

/** What class-validator says besides the type. */
function limitsOf(read: JsonSchema | undefined): JsonSchema {
  const { type: _type, items: _items, $ref: _nested, ...limits } = read ?? {};
  return limits;
}
