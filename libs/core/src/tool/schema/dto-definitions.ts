import type { JsonSchema } from '../../model/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isJsonObject } from '../input/tool-input.js';
import type { Type } from '../type.js';
import { defaultOf, readDefaults } from './class-defaults.js';
import { type ClassDescription, describeClass, isDateProperty, type PropertyDescription } from './class-description.js';
import { withDateFormat } from './date-format.js';
import { readValidatorSchemas } from './dto-validators.js';
import { rebaseReferences } from './hoist-definitions.js';
import { type NestedSchemas, type Variant, writeProperty } from './property-schema.js';
import { withNull } from './with-null.js';

const REFERENCE = '#/$defs/';

/** How the schemas of classes are written. */
export interface SchemaOptions {
  /** Whether properties that a class does not have are allowed. Default: false. */
  readonly additionalProperties?: boolean;
  /** Leaves out the formats and patterns of class-validator, which checks them itself. Default: false. */
  readonly omitFormats?: boolean;
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
export class DtoDefinitions implements NestedSchemas {
  readonly #entries: Entry[] = [];
  readonly #foreign = new Map<string, JsonSchema>();
  #hasForeign = false;

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
    const all = [...named, ...this.#foreign];
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }

  markForeign(): void {
    this.#hasForeign = true;
  }

  /** Whether a schema was written that somebody else is the author of, and that may be wrong. */
  get hasForeign(): boolean {
    return this.#hasForeign;
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
    const properties: Record<string, unknown> = this.#refusedNames(description);
    const required: string[] = [];
    for (const property of description.properties.values()) {
      const { name, jsonName, param, api, isNullable, isOptional } = property;
      refuseUnclear(type, property, properties);
      const written = this.#dated(property, writeProperty(type, property, read[name], this));
      const hasDefault = Object.hasOwn(defaults, name) || api?.default !== undefined;
      const fallback = Object.hasOwn(defaults, name) ? defaultOf(defaults[name], isNullable) : api?.default;
      const text = param?.description ?? api?.description;
      properties[jsonName] = {
        ...(isNullable ? withNull(written) : written),
        ...(text && { description: text }),
        ...(fallback !== undefined && { default: fallback }),
      };
      if (param?.required ?? !(isOptional || hasDefault)) required.push(jsonName);
    }
    if (variant) {
      properties[variant.property] = { ...(properties[variant.property] as JsonSchema), const: variant.value };
      if (!required.includes(variant.property)) required.unshift(variant.property);
    }
    return {
      type: 'object',
      properties,
      required,
      ...(this.options.additionalProperties !== true && { additionalProperties: false }),
    };
  }

  /** Where anything may be given, the names on the instance, if they are others in JSON, may not: they would go round the checks. */
  #refusedNames({ properties, excluded }: ClassDescription): Record<string, unknown> {
    if (!this.options.omitFormats || !this.options.additionalProperties) return {};
    const jsonNames = new Set([...properties.values()].map(({ jsonName }) => jsonName));
    const names = [...excluded, ...properties.keys()].filter((name) => !jsonNames.has(name));
    return Object.fromEntries(names.map((name) => [name, false]));
  }

  /** What becomes a Date has to be one, although class-validator is left to judge the other formats. */
  #dated(property: PropertyDescription, schema: JsonSchema): JsonSchema {
    const isDeclared = property.param?.type !== undefined || property.param?.schema !== undefined;
    return this.options.omitFormats && !isDeclared && isDateProperty(property) ? withDateFormat(schema) : schema;
  }

  /** A schema with references is relative to its own root: it becomes a definition, within which they hold. */
  addForeign(type: Type, name: string, schema: JsonSchema): JsonSchema {
    this.markForeign();
    if (!JSON.stringify(schema).includes('"$ref"')) return schema;
    const key = `${type.name}.${name}`.replace(/[^\w.-]/g, '_');
    this.#foreign.set(key, rebaseReferences(schema, REFERENCE + key) as JsonSchema);
    return { $ref: REFERENCE + key };
  }
}

function isSame(a: Variant | undefined, b: Variant | undefined): boolean {
  return a?.property === b?.property && a?.value === b?.value;
}

/** @throws ToolDeclarationException for a property of which the decorators cannot all hold */
function refuseUnclear(type: Type, property: PropertyDescription, written: Readonly<Record<string, unknown>>): void {
  const { name, jsonName, param, typeMetadata } = property;
  const where = (): string => `Property '${name}' of ${type.name}`;
  if (param?.name !== undefined && param.name !== jsonName) {
    throw new ToolDeclarationException(
      `${where()} is named with @ToolParam({ name }). Use @Expose({ name: '${param.name}' }) instead.`,
    );
  }
  if (isJsonObject(written[jsonName])) {
    throw new ToolDeclarationException(
      `${where()} has the name '${jsonName}' in JSON, which another property has as well.`,
    );
  }
  if (typeMetadata?.typeFunction && typeMetadata.typeFunction.length > 0) {
    throw new ToolDeclarationException(
      `${where()} has a @Type() that chooses the class by the value, which the model cannot be told. Use a discriminator, or ` +
        '@ToolParam({ schema }).',
    );
  }
}
