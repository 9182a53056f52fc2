import type { JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isStandardSchema } from '../input/standard-schema-input.js';
import { isJsonObject } from '../input/tool-input.js';
import { isType, type Type } from '../type.js';
import { apiLimits, apiType } from './api-property.js';
import { namedTypeOf, nestedTypeOf, type PropertyDescription } from './class-description.js';
import { discriminatorOf } from './discriminator.js';
import { NESTED } from './dto-validators.js';
import { schemaOfType, setOf } from './type-schema.js';

/** What marks an object as one of several classes: a property with a fixed value. */
export interface Variant {
  readonly property: string;
  readonly value: string;
}

/** Where the schemas of nested classes come from. */
export interface NestedSchemas {
  /** The schema of a class, alone or as one of several. */
  write(type: Type, variant?: Variant): JsonSchema;
  /** A schema that the author of a property wrote. */
  addForeign(type: Type, property: string, schema: JsonSchema): JsonSchema;
  /** Somebody else is the author of a part, which may be wrong. */
  markForeign(): void;
}

/**
 * The schema of one property of a class: what `@ToolParam` says, else class-validator, with the classes that class-transformer
 * names, else `@ApiProperty`, else TypeScript.
 *
 * @param read what class-validator says
 * @throws ToolDeclarationException naming class and property when none says enough
 */
export function writeProperty(
  type: Type,
  property: PropertyDescription,
  read: JsonSchema | undefined,
  schemas: NestedSchemas,
): JsonSchema {
  const { param, api, reflected } = property;
  const where = (): string => `Property '${property.name}' of ${type.name}`;
  const nested = (inner: Type): JsonSchema => schemas.write(inner);
  if (param?.schema !== undefined || param?.type !== undefined) {
    const declared = schemaOfType({ declared: param, reflected, where, nested });
    if (isStandardSchema(param.schema) && declared.convert) {
      throw new ToolDeclarationException(
        `${where()} has a schema that also transforms. On a property, use class-validator and class-transformer, or a JSON ` +
          'Schema; or describe the whole input with @Tool({ inputSchema }).',
      );
    }
    const schema =
      param.schema === undefined ? declared.schema : schemas.addForeign(type, property.name, declared.schema);
    return { ...withoutNested(read), ...schema };
  }
  const limits = api ? apiLimits(api) : {};
  if ('pattern' in limits) schemas.markForeign();
  const item = writeItem(property, schemas);
  const written = read && fillNested(read, item, property, where);
  if (reflected === Map || reflected === Set)
    return withLimits(writeContainer(property, written, where, schemas), limits);
  if (!written || isUnknown(written) || isAnyObject(written)) {
    const several = discriminatorOf(property) && item?.();
    if (several) return withLimits({ ...written, ...(reflected === Array ? arrayOf(several) : several) }, limits);
    const declared = api && apiType(api);
    if (declared?.schema)
      return { ...limits, ...schemas.addForeign(type, property.name, declared.schema as JsonSchema) };
    // An object of which nothing is known may be any, if that is what is meant.
    if (written && isAnyObject(written) && !declared && !item) return withLimits(written, limits);
    const known = schemaOfType({ declared, reflected, where, nested }).schema;
    return withLimits({ ...written, ...known }, limits);
  }
  return withLimits(written.type === 'array' ? withItems(written, property, where, schemas) : written, limits);
}

/** Limits of `@ApiProperty()` are under what class-validator says; of an array, those of values are meant for each. */
function withLimits(schema: JsonSchema, limits: JsonSchema): JsonSchema {
  if (schema.type !== 'array' || !isJsonObject(schema.items)) return { ...limits, ...schema };
  const { minItems, maxItems, uniqueItems, examples, ...ofItems } = limits;
  const ofArray = Object.entries({ minItems, maxItems, uniqueItems, examples }).filter(
    ([, limit]) => limit !== undefined,
  );
  return { ...Object.fromEntries(ofArray), ...schema, items: { ...ofItems, ...schema.items } };
}

/** @throws ToolDeclarationException when the items of an array are not known */
function withItems(
  written: JsonSchema,
  property: PropertyDescription,
  where: () => string,
  schemas: NestedSchemas,
): JsonSchema {
  const said = isJsonObject(written.items) ? written.items : {};
  if (!isUnknown(said) && !isAnyObject(said)) return written;
  const items = knownItems(property, where, schemas);
  if (items) return { ...written, items: { ...said, ...items } };
  if (isAnyObject(said)) return written;
  throw new ToolDeclarationException(
    `${where()} is an array, but the type of its items is not known. Add a decorator for the items, ` +
      'such as @IsString({ each: true }) or @ValidateNested({ each: true }) with @Type(() => Item), ' +
      'or @ToolParam({ type: [String] }).',
  );
}

/** Writes the class that the property, or each of its items, is of; undefined when none is known. */
function writeItem(property: PropertyDescription, schemas: NestedSchemas): (() => JsonSchema) | undefined {
  const discriminator = discriminatorOf(property);
  if (discriminator) {
    const { property: name, subTypes } = discriminator;
    return () => ({
      anyOf: subTypes.map(({ value, name: id }) => schemas.write(value, { property: name, value: id })),
    });
  }
  const nested = nestedTypeOf(property);
  return nested && (() => schemas.write(nested));
}

/** What `@Type()` or `@ApiProperty()` say of the items of an array of which class-validator says nothing. */
function knownItems(
  property: PropertyDescription,
  where: () => string,
  schemas: NestedSchemas,
): JsonSchema | undefined {
  if (discriminatorOf(property)) return writeItem(property, schemas)?.();
  const named = namedTypeOf(property.typeMetadata);
  const declared = isType(named) ? { type: [named] as const } : property.api && apiType(property.api);
  if (!declared) return undefined;
  const { schema } = schemaOfType({ declared, where, nested: (type) => schemas.write(type) });
  return isJsonObject(schema.items) ? schema.items : undefined;
}

/** A Map is an object and a Set an array, with what is said of each value, or what `@Type()` names. */
function writeContainer(
  property: PropertyDescription,
  written: JsonSchema | undefined,
  where: () => string,
  schemas: NestedSchemas,
): JsonSchema {
  const each = written?.type === 'array' && isJsonObject(written.items) && !isUnknown(written.items);
  const value = (each ? (written.items as JsonSchema) : undefined) ?? knownItems(property, where, schemas);
  if (!value)
    return schemaOfType({ reflected: property.reflected, where, nested: (type) => schemas.write(type) }).schema;
  if (property.reflected === Map) return { type: 'object', additionalProperties: value };
  return { ...written, ...setOf(value) };
}

function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Puts the schema of the nested class where class-validator says that there is one. */
function fillNested(
  schema: JsonSchema,
  nested: (() => JsonSchema) | undefined,
  property: PropertyDescription,
  where: () => string,
): JsonSchema {
  if (schema.$ref === NESTED) {
    if (!nested) {
      throw new ToolDeclarationException(
        `${where()} is a nested object of a class that is not known: add @Type(() => ItsClass) from class-transformer, ` +
          'and class-validator decorators to the properties of that class.',
      );
    }
    const { $ref: _nested, ...rest } = schema;
    // class-validator goes into arrays by itself.
    const isList = property.reflected === Array || rest.type === 'array';
    return isList ? { ...rest, ...arrayOf(nested()) } : { ...rest, ...nested() };
  }
  return isJsonObject(schema.items) ? { ...schema, items: fillNested(schema.items, nested, NO_LIST, where) } : schema;
}

const NO_LIST = { reflected: undefined } as PropertyDescription;

function withoutNested(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (!schema) return undefined;
  const { $ref, ...rest } = schema;
  const written = $ref === NESTED ? rest : schema;
  return isJsonObject(written.items) ? { ...written, items: withoutNested(written.items) } : written;
}

function isUnknown(schema: JsonSchema): boolean {
  return !['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'properties'].some(
    (keyword) => keyword in schema,
  );
}

/** An object of which nothing else is said. */
function isAnyObject({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && properties === undefined && additionalProperties === undefined;
}
