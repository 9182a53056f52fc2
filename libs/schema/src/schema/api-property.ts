import 'reflect-metadata';
import type { JsonSchema } from '../json/json-schema.js';
import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import { isType, lineageOf, type Type } from '../type.js';
import { enumSchema, enumValues, isEnumObject } from './enum-schema.js';

/** The metadata of `@ApiProperty()`. */
export interface ApiProperty {
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly items?: JsonSchema;
  readonly enum?: unknown;
  readonly description?: string;
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly [keyword: string]: unknown;
}

// The metadata keys of @nestjs/swagger. Read directly, so that the package need not be installed.
const PROPERTY_NAMES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/** The properties described by `@ApiProperty()` or the compiler plugin of @nestjs/swagger. */
export function findApiProperties(type: Type): ReadonlyMap<string, ApiProperty> {
  const prototype = type.prototype as object;
  const found = new Map<string, ApiProperty>();
  for (const described of pluginMetadata(type)) {
    for (const [name, property] of Object.entries(described)) found.set(name, property);
  }
  const names: unknown = Reflect.getMetadata(PROPERTY_NAMES, prototype);
  for (const name of Array.isArray(names) ? (names as string[]).map((text) => text.slice(1)) : []) {
    found.set(name, { ...found.get(name), ...(Reflect.getMetadata(PROPERTY, prototype, name) as ApiProperty) });
  }
  return found;
}

/** The compiler plugin's metadata of a class and its ancestors, ancestors first. */
function pluginMetadata(type: Type): Record<string, ApiProperty>[] {
  return lineageOf(type)
    .toReversed()
    .flatMap((at) => {
      const factory: unknown = Object.getOwnPropertyDescriptor(at, PLUGIN_FACTORY)?.value;
      return typeof factory === 'function' ? [factory.call(at) as Record<string, ApiProperty>] : [];
    });
}

/** A type or a schema. */
interface ApiType {
  readonly type?: ToolParamType;
  readonly schema?: JsonSchema;
}

/**
 * The type that an `@ApiProperty()` declares, in the form of `@ToolParam`. Undefined if it
 * declares none.
 */
export function apiType(property: ApiProperty): ApiType | undefined {
  const { enum: values, items, isArray, type } = property;
  if (values !== undefined) return wrap({ schema: enumSchema(valuesOf(values)) }, isArray);
  if (type === 'array') {
    if (!items || refersToDocument(items)) return undefined;
    // swagger says that the values of every enum are texts.
    return { schema: { type, items: Array.isArray(items.enum) ? enumSchema(items.enum) : items } };
  }
  if (type === 'object') {
    const shape = OBJECT_KEYWORDS.filter((keyword) => property[keyword] !== undefined);
    const inside = Object.fromEntries(shape.map((keyword) => [keyword, property[keyword]]));
    if (shape.length === 0 || refersToDocument(inside)) return undefined;
    return wrap({ schema: { type, ...inside } }, isArray);
  }
  if (typeof type === 'string') return wrap({ schema: { type } }, isArray);
  const named = nameType(type);
  return named && wrap({ type: named }, isArray);
}

/**
 * Whether a schema references the OpenAPI document, which a tool does not have: `getSchemaPath()`.
 */
function refersToDocument(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { $ref } = schema as { $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith('#/components/')) return true;
  return Object.values(schema).some(refersToDocument);
}

const OBJECT_KEYWORDS = ['properties', 'additionalProperties'];

const LIMITS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** The limits and the example that an `@ApiProperty()` sets. */
export function apiLimits(property: ApiProperty): JsonSchema {
  // The boolean limits of OpenAPI 3.0 have another meaning in JSON Schema.
  const limits = LIMITS.filter((keyword) => property[keyword] !== undefined && !isOldLimit(keyword, property));
  return {
    ...Object.fromEntries(limits.map((keyword) => [keyword, property[keyword]])),
    ...(property.example !== undefined && { examples: [property.example] }),
  };
}

function isOldLimit(keyword: string, property: ApiProperty): boolean {
  return keyword.startsWith('exclusive') && typeof property[keyword] === 'boolean';
}

/**
 * The class, or the result of a function that returns one. swagger recognizes such a function by
 * its name.
 */
function nameType(type: unknown): ToolParamType | undefined {
  if (typeof type !== 'function') return undefined;
  const named: unknown = type.name === 'type' ? (type as () => unknown)() : type;
  if (Array.isArray(named)) return isType(named[0]) ? [named[0]] : undefined;
  return isType(named) && named !== Object && named !== Array ? named : undefined;
}

function wrap(single: ApiType, isArray: boolean | undefined): ApiType {
  if (!isArray || Array.isArray(single.type)) return single;
  return single.schema ? { schema: { type: 'array', items: single.schema } } : { type: [single.type!] };
}

function valuesOf(values: unknown): readonly unknown[] {
  if (typeof values === 'function') return valuesOf((values as () => unknown)());
  if (Array.isArray(values)) return values;
  return isEnumObject(values) ? enumValues(values) : Object.values(values as object);
}
