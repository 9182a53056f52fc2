import type { JsonSchema } from '../../model/json-schema.js';
import type { Type } from '../type.js';
import { apiType } from './api-property.js';
import { defaultOf, readDefaults } from './class-defaults.js';
import {
  describeClass,
  hasValidator,
  namedTypeOf,
  nestedTypeOf,
  type PropertyDescription,
} from './class-description.js';
import { withDateFormat } from './dates.js';
import { readValidators, withoutFormats } from './dto-validators.js';
import { presenceOf } from './property-presence.js';
import { writeProperty, type WrittenProperty } from './property-schema.js';
import {
  completeInstance,
  intoContainer,
  type Revive,
  reviveDate,
  reviveEach,
  reviveInstance,
  reviveType,
} from './revive.js';
import { withNull } from './with-null.js';

/**
 * What becomes of one property of a class, decided once: how the model is shown it, what a value is held to before an instance is
 * made, and how the value gets its type.
 *
 * Schemas name nested classes by a {@link NestedClass}, since the same class may be written out or referred to.
 */
export class PropertyPlan {
  readonly #isOptional: boolean;
  readonly #isNullable: boolean;
  #revive: Revive | null | undefined;

  constructor(
    private readonly owner: PlannedClass,
    private readonly property: PropertyDescription,
  ) {
    ({ isOptional: this.#isOptional, isNullable: this.#isNullable } = presenceOf(property));
  }

  /** Its name on instances. */
  get name(): string {
    return this.property.name;
  }

  /** Its name in JSON. */
  get jsonName(): string {
    return this.property.jsonName;
  }

  /** The default value of `@ApiProperty()`, which instances do not have by themselves. */
  get apiDefault(): unknown {
    return this.property.api?.default;
  }

  /** The schema of a value that is not null, as the model is shown it. */
  get schema(): JsonSchema {
    return this.write(false).schema;
  }

  /** What a value is held to: class-validator judges formats and patterns, but a date has to be one before it is made. */
  get checkedSchema(): JsonSchema {
    return this.write(true).schema;
  }

  /** One of both schemas, with what it refers to. It is not kept: a class is written once. */
  write(isChecked: boolean): WrittenProperty {
    const { type } = this.owner;
    const read = readValidators(type, this.property);
    if (!isChecked) return writeProperty(type, this.property, read);
    const written = writeProperty(type, this.property, read && withoutFormats(read));
    const { type: declared, schema } = this.property.param ?? {};
    if (declared !== undefined || schema !== undefined || !isDate(this.property)) return written;
    return { ...written, schema: withDateFormat(written.schema) };
  }

  /** Whether the model has to give it. */
  get required(): boolean {
    const hasDefault = Object.hasOwn(this.owner.defaults, this.name) || this.apiDefault !== undefined;
    return this.property.param?.required ?? !(this.#isOptional || hasDefault);
  }

  /** Makes what the class expects of a value that is neither left out nor null; undefined when the JSON is that. */
  get revive(): Revive | undefined {
    if (this.#revive === undefined) this.#revive = reviveProperty(this.property) ?? null;
    return this.#revive ?? undefined;
  }

  /** The schema in the class: with null, a description and a default value. */
  present(schema: JsonSchema): JsonSchema {
    const { param, api } = this.property;
    const description = param?.description ?? api?.description;
    const { defaults } = this.owner;
    const fallback = Object.hasOwn(defaults, this.name)
      ? defaultOf(defaults[this.name], this.#isNullable)
      : this.apiDefault;
    return {
      ...(this.#isNullable ? withNull(schema) : schema),
      ...(description && { description }),
      ...(fallback !== undefined && { default: fallback }),
    };
  }

  /**
   * Whether the model was told that it may leave the property out or set it to null, although class-validator was not told so. Where a
   * condition decides, it has decided.
   */
  admits(value: unknown): boolean {
    if (this.property.validators.some(({ type }) => type === 'conditionalValidation')) return false;
    return value === null ? this.#isNullable : value === undefined && this.#isOptional;
  }
}

/** A class whose properties are planned. */
class PlannedClass {
  readonly properties: readonly PropertyPlan[];
  #defaults: Readonly<Record<string, unknown>> | undefined;

  constructor(readonly type: Type) {
    this.properties = Array.from(
      describeClass(type).properties.values(),
      (property) => new PropertyPlan(this, property),
    );
  }

  /** The values that a fresh instance has. */
  get defaults(): Readonly<Record<string, unknown>> {
    return (this.#defaults ??= readDefaults(this.type));
  }
}

const planned = new WeakMap<Type, PlannedClass>();

/** The plans of the properties of a class. */
export function plansOf(type: Type): readonly PropertyPlan[] {
  let known = planned.get(type);
  if (!known) planned.set(type, (known = new PlannedClass(type)));
  return known.properties;
}

/** Whether a property, or each of its values, becomes a Date. */
function isDate(property: PropertyDescription): boolean {
  // Of a text that is validated as such, nothing else is made.
  if (hasValidator(property, 'isDateString', 'isIso8601', 'isRFC3339')) return false;
  const named: unknown = property.api && apiType(property.api)?.type;
  if ((Array.isArray(named) ? named[0] : named) === Date) return true;
  if (namedTypeOf(property.typeMetadata) === Date || property.reflected === Date) return true;
  return hasValidator(property, 'isDate', 'minDate', 'maxDate');
}

/** What `@Type()` says, else `@ToolParam`, else `@ApiProperty`, else TypeScript. */
function reviveProperty(property: PropertyDescription): Revive | undefined {
  const { typeMetadata, param, api, reflected } = property;
  // class-validator goes on by itself only where it is told to.
  const isValidated = property.validators.some(({ type }) => type === 'nestedValidation');
  // class-transformer makes the values, and the containers around them.
  if (typeMetadata) return isDate(property) ? undefined : reviveEach(completeInstance(isValidated));
  const declared = param?.schema === undefined ? (param?.type ?? (api && apiType(api)?.type)) : undefined;
  if (declared !== undefined) return intoContainer(reviveType(declared, isValidated), reflected);
  if (isDate(property)) return intoContainer(reviveEach(reviveDate), reflected);
  const nested = nestedTypeOf(property);
  return intoContainer(nested && reviveEach(reviveInstance(nested, isValidated)), reflected);
}
