import type { JsonSchema } from '../json/json-schema.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import type { Type } from '../type.js';
import { describeClass } from './class-description.js';
import { eachValue } from './map-schema.js';
import { plansOf } from './property-plan.js';
import { NestedClass, type Variant, type WrittenProperty } from './property-schema.js';

const REFERENCE = '#/$defs/';

/** The options of {@link DtoDefinitions}. */
export interface SchemaOptions {
  /** Whether undeclared properties are allowed. Default: false. */
  readonly additionalProperties?: boolean;
  /**
   * Generates the schema for validation before instances are created, not the one for the model.
   * Default: false.
   */
  readonly isChecked?: boolean;
  /** Whether the complete schema has another definition of this name. Default: it has none. */
  readonly isTaken?: (name: string) => boolean;
}

/**
 * A class whose schema is being written, or that other schemas reference. May be one of several
 * variants.
 */
interface Entry {
  readonly nested: NestedClass;
  /** The name in `$defs`. Undefined until another schema references it. */
  name?: string;
  schema?: JsonSchema;
}

/**
 * Generates the JSON Schemas of classes with class-validator decorators or `@ToolParam`
 * properties.
 *
 * Nested classes are written inline. Only classes that contain themselves go to `$defs`, which
 * belong to the root of the complete schema.
 */
export class DtoDefinitions {
  readonly #entries: Entry[] = [];
  readonly #foreign: Record<string, JsonSchema> = {};
  #hasForeign = false;

  constructor(private readonly options: SchemaOptions = {}) {}

  /** @throws ToolDeclarationException that names class and property if a type is unknown */
  write(type: Type, variant?: Variant): JsonSchema {
    const nested = new NestedClass(type, variant);
    let entry = this.#entries.find((other) => other.nested.equals(nested));
    if (entry) entry.name ??= this.#freeName(nested);
    else {
      entry = { nested };
      this.#entries.push(entry);
      entry.schema = this.#writeClass(nested);
      if (entry.name === undefined) {
        // Written again on its next use: only recursive classes need a name.
        this.#entries.splice(this.#entries.indexOf(entry), 1);
        return entry.schema;
      }
    }
    return { $ref: REFERENCE + entry.name };
  }

  /** Whether a definition has this name. */
  has(name: string): boolean {
    return Object.hasOwn(this.#foreign, name) || this.#entries.some((entry) => entry.name === name);
  }

  /** The schemas of recursive classes, if any. */
  get $defs(): Readonly<Record<string, JsonSchema>> | undefined {
    const named = this.#entries.flatMap(({ name, schema }) => (name && schema ? [[name, schema] as const] : []));
    const all = { ...Object.fromEntries(named), ...this.#foreign };
    return Object.keys(all).length === 0 ? undefined : all;
  }

  /** Whether the schemas contain parts that a user wrote, which may be invalid. */
  get hasForeign(): boolean {
    return this.#hasForeign;
  }

  #freeName({ type, variant }: NestedClass): string {
    const taken = new Set(this.#entries.map(({ name }) => name));
    const base = (variant ? `${type.name}.${variant.value}` : type.name).replace(/[^\w.-]/g, '_');
    let name = base;
    for (let n = 2; taken.has(name) || this.options.isTaken?.(name); n++) name = `${base}_${n}`;
    return name;
  }

  #writeClass({ type, variant }: NestedClass): JsonSchema {
    const { additionalProperties = false, isChecked = false } = this.options;
    const properties: Record<string, unknown> = isChecked && additionalProperties ? refusedNames(type) : {};
    const required: string[] = [];
    for (const plan of plansOf(type)) {
      const { name, jsonName } = plan;
      if (jsonName in properties) {
        const other = Object.hasOwn(properties, jsonName) ? 'another property uses too' : 'every object has';
        throw new ToolDeclarationException(
          `Property '${name}' of ${type.name} has the JSON name '${jsonName}', which ${other}. Rename it.`,
        );
      }
      const written = plan.write(isChecked);
      properties[jsonName] = plan.present(this.#fill(written));
      if (plan.required) required.push(jsonName);
      this.#hasForeign ||= written.isForeign;
      // It fails for a class that cannot be instantiated without arguments.
      if (written.withClasses) void plan.revive;
      for (const [key, schema] of Object.entries(written.$defs ?? {})) {
        this.#foreign[key] = written.withClasses ? this.#fill({ ...written, schema }) : schema;
      }
    }
    if (variant) {
      properties[variant.property] = { ...(properties[variant.property] as JsonSchema), const: variant.value };
      if (!required.includes(variant.property)) required.unshift(variant.property);
    }
    return {
      type: 'object',
      properties,
      required,
      ...(!additionalProperties && { additionalProperties: false }),
    };
  }

  /** Writes the nested classes into the schema of a property. */
  #fill({ schema, withClasses }: WrittenProperty): JsonSchema {
    if (withClasses) return withClasses(schema, (type) => this.write(type));
    return eachValue(this.#replace(schema), this.#replace);
  }

  readonly #replace = (value: JsonSchema): JsonSchema => {
    const { $ref } = value;
    if (!($ref instanceof NestedClass)) return value;
    const { $ref: _nested, ...rest } = value;
    return { ...rest, ...this.write($ref.type, $ref.variant) };
  };
}

/**
 * If undeclared names are allowed, refuse instance names that differ from their JSON names: they
 * would bypass validation.
 */
function refusedNames(type: Type): Record<string, unknown> {
  const { properties, excluded } = describeClass(type);
  const jsonNames = new Set([...properties.values()].map(({ jsonName }) => jsonName));
  const names = [...excluded, ...properties.keys()].filter((name) => !jsonNames.has(name));
  return Object.fromEntries(names.map((name) => [name, false]));
}
