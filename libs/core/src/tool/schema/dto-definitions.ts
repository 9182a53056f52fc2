import type { JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isJsonObject } from '../input/tool-input.js';
import { isType, type Type } from '../type.js';
import { apiLimits, apiType } from './api-property.js';
import { describeClass, isDto, nestedTypeOf, type PropertyDescription } from './class-description.js';
import { defaultOf, readDefaults } from './class-defaults.js';
import { discriminatorOf } from './discriminator.js';
import { NESTED, readValidatorSchemas } from './dto-validators.js';
import { schemaOfType } from './type-schema.js';
import { withNull } from './with-null.js';

const REFERENCE = '#/$defs/';

/** How the schemas of classes are written. */
export interface SchemaOptions {
  /** Whether properties that a class does not have are allowed. Default: false. */
  readonly additionalProperties?: boolean;
  /** Leaves out the formats and patterns of class-validator, which checks them itself. Default: false. */
  readonly omitFormats?: boolean;
}

/** What marks an object as one of several classes: a property with a fixed value. */
interface Variant {
  readonly property: string;
  readonly value: string;
}

/** A class that is being written or was, alone or as one of several. */
interface Entry {
  readonly type: Type;
  readonly variant: Variant | undefined;
  /** Its name in `$defs`; there is none as long as nobody refers to it. */
  name?: string;
  isOpen: boolean;
  schema?: JsonSchema;
}

/**
 * Writes the JSON Schemas of classes with class-validator decorators or `@ToolParam` properties.
 *
 * Nested classes are written where they are used; only those that contain themselves go to `$defs`, which
 * belong to the root of the schema that all the classes are part of.
 */
export class DtoDefinitions {
  readonly #entries: Entry[] = [];

  constructor(private readonly options: SchemaOptions = {}) {}

  /** @throws ToolDeclarationException naming class and property when a type cannot be known */
  write(type: Type, variant?: Variant): JsonSchema {
    const entry = this.#entryOf(type, variant);
    if (entry.isOpen) entry.name ??= this.#freeName(type, variant);
    else if (!entry.schema) {
      entry.isOpen = true;
      entry.schema = this.#writeClass(type, variant);
      entry.isOpen = false;
      if (entry.name === undefined) {
        // Written again where it is used again: only what is recursive needs a name.
        this.#entries.splice(this.#entries.indexOf(entry), 1);
        return entry.schema;
      }
    }
    return { $ref: REFERENCE + entry.name };
  }

  /** The schemas of the classes that contain themselves, if there are any. */
  get $defs(): Readonly<Record<string, JsonSchema>> | undefined {
    const named = this.#entries.flatMap(({ name, schema }) => (name && schema ? [[name, schema] as const] : []));
    return named.length === 0 ? undefined : Object.fromEntries(named);
  }

  #entryOf(type: Type, variant: Variant | undefined): Entry {
    const known = this.#entries.find((entry) => entry.type === type && isSame(entry.variant, variant));
    if (known) return known;
    const entry: Entry = { type, variant, isOpen: false };
    this.#entries.push(entry);
    return entry;
  }

  #freeName(type: Type, variant: Variant | undefined): string {
    const taken = new Set(this.#entries.map(({ name }) => name));
    const base = (variant ? `${type.name}.${variant.value}` : type.name).replace(/[^\w.-]/g, '_');
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
    return name;
  }

  #writeClass(type: Type, variant: Variant | undefined): JsonSchema {
    const description = describeClass(type);
    const read = readValidatorSchemas(type, description, this.options.omitFormats);
    const defaults = readDefaults(type);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of description.properties.values()) {
      const { name, jsonName, param, api, isNullable, isOptional } = property;
      const written = this.#writeProperty(type, property, read[name]);
      const hasDefault = Object.hasOwn(defaults, name);
      const fallback = hasDefault ? defaultOf(defaults[name], isNullable) : api?.default;
      const text = param?.description ?? api?.description;
      properties[jsonName] = {
        ...(isNullable ? withNull(written) : written),
        ...(text && { description: text }),
        ...(fallback !== undefined && { default: fallback }),
      };
      if (param?.required ?? !(isOptional || hasDefault)) required.push(jsonName);
    }
    if (variant) {
      properties[variant.property] = { ...properties[variant.property], const: variant.value };
      if (!required.includes(variant.property)) required.unshift(variant.property);
    }
    return {
      type: 'object',
      properties,
      required,
      ...(this.options.additionalProperties !== true && { additionalProperties: false }),
    };
  }

  #writeProperty(type: Type, property: PropertyDescription, read: JsonSchema | undefined): JsonSchema {
    const { param, api, reflected, typeMetadata } = property;
    const where = (): string => `Property '${property.name}' of ${type.name}`;
    const nested = (inner: Type): JsonSchema => this.write(inner);
    if (param?.schema !== undefined || param?.type !== undefined) {
      const declared = schemaOfType({ declared: param, reflected, where, nested });
      if (declared.convert && param.schema !== undefined) {
        throw new ToolDeclarationException(
          `${where()} has a schema that also transforms. On a property, use class-validator and class-transformer, or a JSON ` +
            'Schema; or describe the whole input with @Tool({ inputSchema }).',
        );
      }
      return { ...read, ...declared.schema };
    }
    const limits = api ? apiLimits(api) : {};
    const item = this.#writeItem(property);
    const written = read && fillNested(read, item, where);
    if (reflected === Map || reflected === Set) return { ...limits, ...this.#writeContainer(property, written, where) };
    if (!written || isUnknown(written)) {
      const several = typeMetadata?.options?.discriminator && item?.();
      if (several) return { ...limits, ...written, ...(reflected === Array ? arrayOf(several) : several) };
      const declared = api && apiType(api);
      return {
        ...limits,
        ...written,
        ...schemaOfType({ ...(declared && { declared }), reflected, where, nested }).schema,
      };
    }
    if (written.type === 'array' && (!isJsonObject(written.items) || isUnknown(written.items))) {
      const items = this.#knownItems(property, where);
      if (items) return { ...limits, ...written, items: { ...(written.items as JsonSchema), ...items } };
      throw new ToolDeclarationException(
        `${where()} is an array, but the type of its items is not known. Add a decorator for the items, ` +
          'such as @IsString({ each: true }) or @ValidateNested({ each: true }) with @Type(() => Item), ' +
          'or @ToolParam({ type: [String] }).',
      );
    }
    return { ...limits, ...written };
  }

  /** Writes the class that the property, or each of its items, is of; undefined when none is known. */
  #writeItem(property: PropertyDescription): (() => JsonSchema) | undefined {
    const discriminator = discriminatorOf(property);
    if (discriminator) {
      const { property: name, subTypes } = discriminator;
      return () => ({ anyOf: subTypes.map(({ value, name: id }) => this.write(value, { property: name, value: id })) });
    }
    const nested = nestedTypeOf(property);
    return nested && isDto(nested) ? () => this.write(nested) : undefined;
  }

  /** What `@Type()` or `@ApiProperty()` say of the items of an array of which class-validator says nothing. */
  #knownItems(property: PropertyDescription, where: () => string): JsonSchema | undefined {
    if (discriminatorOf(property)) return this.#writeItem(property)?.();
    const named: unknown = property.typeMetadata?.typeFunction?.();
    const declared = isType(named) ? { type: [named] as const } : property.api && apiType(property.api);
    if (!declared) return undefined;
    const { schema } = schemaOfType({ declared, where, nested: (type) => this.write(type) });
    return isJsonObject(schema.items) ? schema.items : undefined;
  }

  /** A Map is an object and a Set an array, with what is said of each value, or what `@Type()` names. */
  #writeContainer(property: PropertyDescription, written: JsonSchema | undefined, where: () => string): JsonSchema {
    const each = written?.type === 'array' && isJsonObject(written.items) && !isUnknown(written.items);
    const value = (each ? (written.items as JsonSchema) : undefined) ?? this.#knownItems(property, where);
    if (!value)
      return schemaOfType({ reflected: property.reflected, where, nested: (type) => this.write(type) }).schema;
    if (property.reflected === Map) return { type: 'object', additionalProperties: value };
    return { ...written, type: 'array', items: value, uniqueItems: true };
  }
}

function isSame(a: Variant | undefined, b: Variant | undefined): boolean {
  return a?.property === b?.property && a?.value === b?.value;
}

function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Puts the schema of the nested class where class-validator says that there is one. */
function fillNested(schema: JsonSchema, nested: (() => JsonSchema) | undefined, where: () => string): JsonSchema {
  if (schema.$ref === NESTED) {
    if (nested) return nested();
    throw new ToolDeclarationException(
      `${where()} is a nested object of a class that is not known: add @Type(() => ItsClass) from class-transformer, ` +
        'and class-validator decorators to the properties of that class.',
    );
  }
  return isJsonObject(schema.items) ? { ...schema, items: fillNested(schema.items, nested, where) } : schema;
}

function isUnknown(schema: JsonSchema): boolean {
  return !['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'properties'].some(
    (keyword) => keyword in schema,
  );
}
