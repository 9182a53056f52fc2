import { type JsonSchema } from '../../model/json-schema.js';
import type { ToolParamOptions, ToolParamType } from '../declaration/tool-param.decorator.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { convertEach } from '../input/convert-each.js';
import { isStandardSchema, StandardSchemaInput } from '../input/standard-schema-input.js';
import { isJsonObject } from '../input/tool-input.js';
import { isType, type Type } from '../type.js';
import { isDto } from './class-description.js';
import { DATE_SCHEMA, toDate } from './dates.js';
import { enumSchema, enumValues, isEnumObject } from './enum-schema.js';
import { explainUnknownType } from './explain-unknown-type.js';

/** A value's schema, and how its JSON becomes the value. */
export interface TypeSchema {
  readonly schema: JsonSchema;
  readonly convert?: (value: unknown) => unknown;
  /** The value may be left out; what it is then, `convert` knows. */
  readonly isOptional?: boolean;
}

interface TypeSource {
  /** What `@ToolParam` says, or another decorator in its words. */
  declared?: Pick<ToolParamOptions, 'type' | 'schema'> | undefined;
  /** What TypeScript emitted for the value's type. */
  reflected?: unknown;
  /** The beginning of an error: which value of which class this is. */
  where: () => string;
  /** Writes the schema of a class. */
  nested: (type: Type) => JsonSchema;
  /** Makes instances of a class; without it, the whole object is transformed elsewhere. */
  instantiate?: (type: Type) => (value: unknown) => unknown;
}

/**
 * The schema of one value, from what is declared or else from what TypeScript emitted.
 *
 * @throws ToolDeclarationException when neither says enough
 */
export function schemaOfType(source: TypeSource): TypeSchema {
  const { declared, where, reflected } = source;
  if (declared?.schema !== undefined) {
    if (!isStandardSchema(declared.schema)) return asReflected(declared.schema, reflected);
    const input = new StandardSchemaInput(declared.schema);
    return { schema: input.schema, convert: (value) => input.parse(value), isOptional: input.acceptsNothing };
  }
  if (declared?.type !== undefined) return contained(fromDeclaredType(declared.type, source), source);
  const known = fromClass(reflected, source);
  if (known) return known;
  throw new ToolDeclarationException(`${where()} ${explainUnknownType(reflected)}`);
}

function fromDeclaredType(type: ToolParamType, source: TypeSource): TypeSchema {
  if (type === 'integer') return { schema: { type: 'integer' } };
  if (isItemsType(type)) {
    const { schema, convert } = fromDeclaredType(type[0], source);
    return {
      schema: { type: 'array', items: schema },
      ...(convert && { convert: (value) => convertItems(value as unknown[], convert) }),
    };
  }
  if (isValuesType(type)) {
    const { schema, convert } = fromDeclaredType(type.values, source);
    return {
      schema: { type: 'object', additionalProperties: schema },
      ...(convert && { convert: (value) => convertValues(value as object, convert) }),
    };
  }
  const known = fromClass(type, source);
  if (known) return known;
  throw new ToolDeclarationException(
    `${source.where()} is declared to be ${isType(type) ? type.name : JSON.stringify(type)}, which is no class that describes an input. ` +
      'Use String, Number, Boolean, Date, an enum, a class with class-validator ' +
      'decorators, an array of one of these such as [String], { values: String }, or @ToolParam({ schema }).',
  );
}

/** Whether a type is an array of something: `[String]`. */
export function isItemsType(type: unknown): type is readonly [ToolParamType] {
  return Array.isArray(type) && type.length === 1;
}

/** Whether a type is an object with values of one type: `{ values: Number }`. */
export function isValuesType(type: unknown): type is { readonly values: ToolParamType } {
  if (typeof type !== 'object' || type === null || Array.isArray(type)) return false;
  const { values, ...others } = type as { values?: unknown };
  const isType = values === 'integer' || typeof values === 'function' || typeof values === 'object';
  return isType && Object.keys(others).length === 0;
}

function convertItems(items: readonly unknown[], convert: (value: unknown) => unknown): Promise<unknown[]> {
  return convertEach(
    [...items.keys()],
    (index) => `[${index}]`,
    (index) => convert(items[index]),
  );
}

async function convertValues(value: object, convert: (value: unknown) => unknown): Promise<object> {
  const keys = Object.keys(value);
  const converted = await convertEach(
    keys,
    (key) => key,
    (key) => convert((value as Record<string, unknown>)[key]),
  );
  return Object.fromEntries(keys.map((key, index) => [key, converted[index]]));
}

/** Puts an array or object into the container that TypeScript emitted: an array into a Set, an object into a Map. */
function contained(declared: TypeSchema, { reflected, where, declared: options }: TypeSource): TypeSchema {
  const { schema, convert } = declared;
  const isArray = schema.type === 'array';
  if ((reflected === Array || reflected === Set) && !isArray) {
    throw new ToolDeclarationException(
      `${where()} is ${reflected === Set ? 'a Set' : 'an array'}, but is declared with a type of another kind. ` +
        'Write the class of its items in brackets: @ToolParam({ type: [String] }).',
    );
  }
  if (reflected === Map && !isValuesType(options?.type)) {
    throw new ToolDeclarationException(
      `${where()} is a Map, but is declared with a type of another kind. Name the type of its values: ` +
        '@ToolParam({ type: { values: String } }).',
    );
  }
  const put = CONTAINERS.get(reflected);
  if (!put || reflected === Date) return declared;
  return {
    schema: reflected === Set ? setOf(schema.items as JsonSchema) : schema,
    convert: async (value) => put(convert ? await convert(value) : value),
  };
}

/** The schema of a Set. Objects are never the same, and comparing thousands of them takes minutes. */
export function setOf(items: JsonSchema): JsonSchema {
  const isSimple = typeof items.type === 'string' && items.type !== 'object' && items.type !== 'array';
  return { type: 'array', items, ...(isSimple && { uniqueItems: true }) };
}

/** A schema that the user wrote says how the value looks in JSON; TypeScript, what the code expects. */
function asReflected(schema: JsonSchema, reflected: unknown): TypeSchema {
  const convert = CONTAINERS.get(reflected);
  return { schema, ...(convert && { convert }) };
}

const CONTAINERS: ReadonlyMap<unknown, (value: unknown) => unknown> = new Map<unknown, (value: unknown) => unknown>([
  [Date, (value) => (typeof value === 'string' ? toDate(value) : value)],
  [Set, (value) => (Array.isArray(value) ? new Set<unknown>(value) : value)],
  [Map, (value) => (isJsonObject(value) ? new Map(Object.entries(value)) : value)],
]);

function fromClass(type: unknown, source: TypeSource): TypeSchema | undefined {
  switch (type) {
    case String:
      return { schema: { type: 'string' } };
    case Number:
      return { schema: { type: 'number' } };
    case Boolean:
      return { schema: { type: 'boolean' } };
    case Date:
      return { schema: DATE_SCHEMA, convert: CONTAINERS.get(Date)! };
    default: {
      if (isEnumObject(type)) return { schema: enumSchema(enumValues(type)) };
      if (!isType(type) || !isDto(type)) return undefined;
      const convert = source.instantiate?.(type);
      return { schema: source.nested(type), ...(convert && { convert }) };
    }
  }
}
