import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import type { JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { isJsonObject } from '../json/is-json-object.js';
import { classValidatorJsonSchema } from '../lazy-modules.cjs';
import type { Type } from '../type.js';
import { hasValidator, type PropertyDescription } from './class-description.js';
import { DATE_SCHEMA } from './dates.js';
import { enumSchema, enumValues } from './enum-schema.js';

interface JsonSchemaReader {
  validationMetadataArrayToSchemas(
    metadatas: readonly object[],
    options: object,
  ): Record<string, { properties?: Record<string, JsonSchema> }>;
}

/** Placeholder for the schema of a nested class. */
export const NESTED = '#nested';

/** The schema of a property from its class-validator decorators. Undefined if it has none. */
export function readValidators(type: Type, property: PropertyDescription): JsonSchema | undefined {
  if (property.validators.length === 0) return undefined;
  const key = memoKey(type, property);
  const read = (): JsonSchema => typeFirst(withReflectedType(convert(type, property), property));
  return key === undefined ? read() : remembered(memo, key, read);
}

/** Removes formats and patterns from a schema. Returns the schema itself if it has none. */
export function withoutFormats(schema: JsonSchema): JsonSchema {
  const { format, pattern, not, ...rest } = schema;
  const hasNone = format === undefined && pattern === undefined && not === undefined;
  const items = isJsonObject(schema.items) ? withoutFormats(schema.items) : schema.items;
  if (hasNone && items === schema.items) return schema;
  return items === undefined ? rest : { ...rest, items };
}

function convert(type: Type, { name, validators }: PropertyDescription): JsonSchema {
  const { validationMetadataArrayToSchemas } = classValidatorJsonSchema() as unknown as JsonSchemaReader;
  // class-validator-jsonschema finds validators by name. Inherited ones are treated as the class's
  // own.
  const metadatas = validators.map((metadata) =>
    Object.assign({}, metadata, { target: type, type: metadata.name ?? metadata.type }),
  );
  const schemas = validationMetadataArrayToSchemas(metadatas, { additionalConverters: CONVERTERS });
  return Object.values(schemas)[0]?.properties?.[name] ?? {};
}

// Many properties have the same validators, and converting them is the slowest step.
const memo = new Map<string, JsonSchema>();

/**
 * Identifies everything that the schema of a property depends on. Undefined if it cannot be
 * written as text.
 */
function memoKey(type: Type, { name, validators, reflected }: PropertyDescription): string | undefined {
  // With @JSONSchema() on the property, the schema is not reusable.
  if (Reflect.getMetadataKeys(type, name).some((key) => typeof key === 'symbol')) return undefined;
  const parts: unknown[] = [typeof reflected === 'function' ? reflected.name : ''];
  for (const { name: validator, type: kind, constraints, each } of validators) {
    const isConditional = kind === 'conditionalValidation';
    if (!isConditional && constraints?.some((constraint) => !isPlain(constraint))) return undefined;
    parts.push(validator ?? kind, each, isConditional ? [] : (constraints ?? []));
  }
  return JSON.stringify(parts);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** Corrects results of class-validator-jsonschema that do not match the validator. */
const CONVERTERS: Readonly<Record<string, JsonSchema | ((metadata: ValidationMetadata) => JsonSchema)>> = {
  // Custom validators are unknown.
  customValidation: {},
  nestedValidation: { $ref: NESTED },
  isInstance: {},
  isEmpty: { enum: ['', null] },
  isOptional: {},
  isDefined: {},
  // @IsNotEmpty() also works for numbers and arrays, so it implies no type.
  isNotEmpty: (metadata) => (designType(metadata) === String ? { type: 'string', minLength: 1 } : {}),
  isEnum: ({ constraints: [values] }) => enumSchema(enumValues(values as Readonly<Record<string, string | number>>)),
  isIn: ({ constraints }) => enumSchema(constraints[0] as unknown[]),
  equals: ({ constraints }) => ({ const: constraints[0] as unknown }),
  // JSON Schema patterns have no flags.
  matches: ({ constraints }) => {
    const pattern: unknown = constraints[0];
    const plain = pattern instanceof RegExp && /^[gu]*$/.test(pattern.flags);
    return { type: 'string', ...(plain && { pattern: pattern.source }) };
  },
  contains: ({ constraints }) => ({ type: 'string', pattern: escapePattern(String(constraints[0])) }),
  notContains: ({ constraints }) => ({ type: 'string', not: { pattern: escapePattern(String(constraints[0])) } }),
  isUrl: { type: 'string', format: 'uri' },
  isIp: ({ constraints }) => {
    const version = String(constraints[0]);
    return { type: 'string', ...(/^[46]$/.test(version) && { format: `ipv${version}` }) };
  },
  isDate: DATE_SCHEMA,
  isDateString: DATE_SCHEMA,
  isIso8601: DATE_SCHEMA,
  isRFC3339: DATE_SCHEMA,
  minDate: ({ constraints }) => dateLimit('At or after', constraints[0]),
  maxDate: ({ constraints }) => dateLimit('At or before', constraints[0]),
  isLatitude: { type: ['number', 'string'], description: 'Latitude in degrees, -90 to 90' },
  isLongitude: { type: ['number', 'string'], description: 'Longitude in degrees, -180 to 180' },
  isNumberString: { type: 'string' },
  isBooleanString: { type: 'string', enum: ['true', 'false', '1', '0'] },
  // Their patterns depend on a locale, or are narrower than the check.
  isAlpha: { type: 'string' },
  isAlphanumeric: { type: 'string' },
  isHexadecimal: { type: 'string' },
  isSurrogatePair: { type: 'string' },
};

function dateLimit(words: string, limit: unknown): JsonSchema {
  const date: unknown = typeof limit === 'function' ? undefined : limit;
  return { ...DATE_SCHEMA, ...(date instanceof Date && { description: `${words} ${date.toISOString()}` }) };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** The emitted type has precedence over the type that depends on the order of decorators. */
function withReflectedType(schema: JsonSchema, property: PropertyDescription): JsonSchema {
  const { reflected } = property;
  if (reflected === Number && 'type' in schema) {
    return { ...schema, type: hasValidator(property, 'isInt') ? 'integer' : 'number' };
  }
  if (reflected === Boolean && 'type' in schema) return { ...schema, type: 'boolean' };
  if (reflected === String && Array.isArray(schema.type)) return { ...schema, type: 'string' };
  return schema;
}

/** Puts `type` first, as in most schemas that models have learned from. */
function typeFirst({ type, ...rest }: JsonSchema): JsonSchema {
  const { items } = rest;
  return {
    ...(type !== undefined && { type }),
    ...rest,
    ...(isJsonObject(items) && { items: typeFirst(items) }),
  };
}

function designType({ target, propertyName }: ValidationMetadata): unknown {
  return typeof target === 'function'
    ? Reflect.getMetadata('design:type', target.prototype as object, propertyName)
    : undefined;
}
