import type { JsonSchema } from '../json/json-schema.js';
import { ToolDeclarationException, UnknownTypeException } from '../declaration/tool-declaration.exception.js';
import { describesValue, type ToolParamType } from '../declaration/tool-param.decorator.js';
import { isStandardSchema } from '../input/standard-schema-input.js';
import { isJsonObject } from '../json/is-json-object.js';
import { isBuiltIn, isType, type Type } from '../type.js';
import { apiLimits, type ApiProperty, apiType } from './api-property.js';
import { isDto, namedTypeOf, nestedTypeOf, type PropertyDescription } from './class-description.js';
import { discriminatorOf } from './discriminator.js';
import { NESTED } from './dto-validators.js';
import { narrowed } from './narrow-schema.js';
import { rebaseReferences } from './references.js';
import type { ClassFilling } from '../typed/typed-schema.js';
import { selfContained } from './self-contained.js';
import { setOf } from './set-schema.js';
import { isItemsType, schemaOfType } from './type-schema.js';

/** Identifies an object as one of several classes: a property with a fixed value. */
export interface Variant {
  readonly property: string;
  readonly value: string;
}

/** Placeholder in a `$ref` for the schema of a class, or of a variant of it. */
export class NestedClass {
  constructor(
    readonly type: Type,
    readonly variant?: Variant,
  ) {}

  equals({ type, variant }: NestedClass): boolean {
    return type === this.type && variant?.property === this.variant?.property && variant?.value === this.variant?.value;
  }
}

/** The schema of a property, and the definitions it needs. */
export interface WrittenProperty {
  readonly schema: JsonSchema;
  /** Whether a user wrote a part of it, which may be invalid. */
  readonly isForeign: boolean;
  /** The definitions that the schema references at the root. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  /** Writes the classes into the schema and its definitions, if they come from types. */
  readonly withClasses?: ClassFilling;
}

/** The property whose schema is written. */
interface Place {
  readonly property: PropertyDescription;
  /** The class of the property or its items. With a discriminator, one of several classes. */
  readonly item: JsonSchema | undefined;
  /** The start of error messages. */
  readonly where: () => string;
}

/**
 * The schema of a property of a class. Sources in order of precedence: `@ToolParam`,
 * class-validator with the classes from class-transformer, `@ApiProperty`, TypeScript.
 *
 * @param read the schema from class-validator
 * @throws ToolDeclarationException that names class and property if no source is sufficient, or if
 * sources contradict each other
 */
export function writeProperty(
  type: Type,
  property: PropertyDescription,
  read: JsonSchema | undefined,
): WrittenProperty {
  const { param, api, reflected, name } = property;
  const where = (): string => `Property '${name}' of ${type.name}`;
  refuseUnclear(property, where);
  if (param && describesValue(param)) {
    if (isStandardSchema(param.schema)) {
      throw new ToolDeclarationException(
        `${where()} has a Standard Schema, which could transform the value. On a property, use class-validator and class-transformer, or a JSON ` +
          'Schema; or describe the whole input with @Tool({ inputSchema }).',
      );
    }
    const said = withoutNested(read);
    if (param.schema !== undefined) return writeForeign(`${type.name}.${name}`, param.schema, said);
    const schema = schemaOfType({ declared: { type: param.type }, reflected, where, nested: nestedClass });
    return { schema: { ...said, ...schema }, isForeign: false };
  }
  const place: Place = { property, item: itemOf(property), where };
  const written = read && fillNested(read, place, reflected === Array);
  const declared = api && apiType(api);
  if (reflected === Map || reflected === Set) return limited(writeContainer(written, place), api);
  if (written && isSaid(written)) return limited(written.type === 'array' ? withItems(written, place) : written, api);
  const several = place.item?.anyOf === undefined ? undefined : place.item;
  if (several) return limited({ ...written, ...(reflected === Array ? arrayOf(several) : several) }, api);
  if (api && declared?.schema) return writeForeign(`${type.name}.${name}`, declared.schema, apiLimits(api));
  // An object without further description may contain anything, if that is all that is declared.
  if (written && isAnyObject(written) && !declared && !place.item) return limited(written, api);
  const known = schemaOfType({ declared, reflected, where, nested: nestedClass });
  return limited({ ...written, ...known }, api);
}

/**
 * The schema of a property from types, narrowed by what its decorators say.
 *
 * @param read the schema from class-validator
 * @returns undefined if decorators describe another value
 * @throws ToolDeclarationException if sources contradict each other
 */
export function narrowedByDecorators(
  typed: JsonSchema,
  type: Type,
  property: PropertyDescription,
  read: JsonSchema | undefined,
): JsonSchema | undefined {
  const { param, api, reflected, name } = property;
  const where = (): string => `Property '${name}' of ${type.name}`;
  refuseUnclear(property, where);
  // class-transformer, or the emitted class, says which instances the property has.
  if (describesValue(param) || itemOf(property)) return undefined;
  const declared = api && apiType(api);
  // Without a type, `@ApiProperty()` stores what TypeScript emits.
  const isNamed = declared?.schema !== undefined || (declared?.type !== reflected && isDescribed(declared?.type));
  const said = [
    withoutNested(reflected === Map ? ofValues(read) : read),
    isNamed ? schemaOfType({ declared, where, nested: nestedClass }) : undefined,
  ];
  return said.reduce<JsonSchema | undefined>((schema, one) => (schema && one ? narrowed(schema, one) : schema), typed);
}

/** class-validator writes the values of a Map as items. */
function ofValues(read: JsonSchema | undefined): JsonSchema | undefined {
  if (read?.type !== 'array') return read;
  return { type: 'object', ...(isJsonObject(read.items) && { additionalProperties: read.items }) };
}

/** Whether a type has a schema: any but a class without decorators. */
function isDescribed(type: ToolParamType | undefined): boolean {
  if (isItemsType(type)) return isDescribed(type[0]);
  return type !== undefined && (!isType(type) || isBuiltIn(type) || isDto(type));
}

/** @throws ToolDeclarationException for a property with contradictory decorators */
function refuseUnclear({ jsonName, param, typeMetadata }: PropertyDescription, where: () => string): void {
  if (param?.name !== undefined && param.name !== jsonName) {
    throw new ToolDeclarationException(
      `${where()} is named with @ToolParam({ name }). Use @Expose({ name: '${param.name}' }) instead.`,
    );
  }
  if (typeMetadata?.typeFunction && typeMetadata.typeFunction.length > 0) {
    throw new ToolDeclarationException(
      `${where()} has a @Type() that chooses the class by the value, which a schema cannot describe. Use a discriminator, or ` +
        '@ToolParam({ schema }).',
    );
  }
}

function nestedClass(type: Type, variant?: Variant): JsonSchema {
  return { $ref: new NestedClass(type, variant) };
}

function itemOf(property: PropertyDescription): JsonSchema | undefined {
  const discriminator = discriminatorOf(property);
  if (discriminator) {
    const { property: name, subTypes } = discriminator;
    return { anyOf: subTypes.map(({ value, name: id }) => nestedClass(value, { property: name, value: id })) };
  }
  const nested = nestedTypeOf(property);
  return nested && nestedClass(nested);
}

/**
 * A schema written by a user. If it has references, they are relative to its root, so it becomes a
 * definition.
 */
export function writeForeign(name: string, given: JsonSchema, said: JsonSchema | undefined): WrittenProperty {
  if (!JSON.stringify(given).includes('"$ref"')) return { schema: { ...said, ...given }, isForeign: true };
  const key = name.replace(/[^\w.-]/g, '_');
  const $ref = `#/$defs/${key}`;
  const { schema } = selfContained(given);
  return { schema: { ...said, $ref }, isForeign: true, $defs: { [key]: rebaseReferences(schema, $ref) } };
}

/**
 * class-validator has precedence over limits of `@ApiProperty()`. For an array, limits of values
 * apply to each item.
 */
export function limited(schema: JsonSchema, api: ApiProperty | undefined): WrittenProperty {
  if (!api) return { schema, isForeign: false };
  const limits = apiLimits(api);
  const isForeign = 'pattern' in limits;
  if (schema.type !== 'array' || !isJsonObject(schema.items)) return { schema: { ...limits, ...schema }, isForeign };
  const { minItems, maxItems, uniqueItems, examples, ...ofItems } = limits;
  const ofArray = Object.entries({ minItems, maxItems, uniqueItems, examples }).filter(
    ([, limit]) => limit !== undefined,
  );
  const items = { ...ofItems, ...schema.items };
  return { schema: { ...Object.fromEntries(ofArray), ...schema, items }, isForeign };
}

/** @throws ToolDeclarationException when the type of an array's items is unknown */
function withItems(written: JsonSchema, place: Place): JsonSchema {
  const said = isJsonObject(written.items) ? written.items : {};
  if (isSaid(said)) return written;
  const items = knownItems(place);
  if (items) return { ...written, items: { ...said, ...items } };
  if (isAnyObject(said)) return written;
  throw new UnknownTypeException(
    `${place.where()} is an array, but the type of its items is unknown. Add a decorator for the items, ` +
      'such as @IsString({ each: true }) or @ValidateNested({ each: true }) with @Type(() => Item), ' +
      'or @ToolParam({ type: [String] }).',
  );
}

/**
 * The items of an array from `@Type()` or `@ApiProperty()`, if class-validator does not describe
 * them.
 */
function knownItems({ property, item, where }: Place): JsonSchema | undefined {
  if (item?.anyOf) return item;
  const named = namedTypeOf(property.typeMetadata);
  const declared = isType(named) ? { type: [named] as const } : property.api && apiType(property.api);
  if (!declared) return undefined;
  const { items } = schemaOfType({ declared, where, nested: nestedClass });
  return isJsonObject(items) ? items : undefined;
}

/**
 * Writes a Map as an object and a Set as an array, with the values from class-validator or
 * `@Type()`.
 */
function writeContainer(written: JsonSchema | undefined, place: Place): JsonSchema {
  const { reflected } = place.property;
  const each = written?.type === 'array' && isJsonObject(written.items) && !isUnknown(written.items);
  const value = each ? (written.items as JsonSchema) : knownItems(place);
  if (!value) return schemaOfType({ reflected, where: place.where, nested: nestedClass });
  return reflected === Map ? { type: 'object', additionalProperties: value } : { ...written, ...setOf(value) };
}

function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Inserts the nested class where class-validator expects one. */
function fillNested(schema: JsonSchema, place: Place, isList: boolean): JsonSchema {
  if (schema.$ref !== NESTED) {
    return isJsonObject(schema.items) ? { ...schema, items: fillNested(schema.items, place, false) } : schema;
  }
  if (!place.item) {
    throw new UnknownTypeException(
      `${place.where()} is a nested object whose class is unknown: add @Type(() => ItsClass) from class-transformer, ` +
        'and class-validator decorators to the properties of that class.',
    );
  }
  const { $ref: _nested, ...rest } = schema;
  // class-validator validates the items of arrays by itself.
  return { ...rest, ...(isList || rest.type === 'array' ? arrayOf(place.item) : place.item) };
}

function withoutNested(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (!schema) return undefined;
  const { $ref, ...rest } = schema;
  const written = $ref === NESTED ? rest : schema;
  return isJsonObject(written.items) ? { ...written, items: withoutNested(written.items) } : written;
}

/** Whether a schema describes the value. */
function isSaid(schema: JsonSchema): boolean {
  return !isUnknown(schema) && !isAnyObject(schema);
}

function isUnknown(schema: JsonSchema): boolean {
  return !['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'properties'].some(
    (keyword) => keyword in schema,
  );
}

/** An object without any further description. */
function isAnyObject({ type, $ref, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && $ref === undefined && properties === undefined && additionalProperties === undefined;
}
