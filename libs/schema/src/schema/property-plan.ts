import type { JsonSchema } from '../json/json-schema.js';
import { remembered } from '../json/remembered.js';
import { ToolDeclarationException, UnknownTypeException } from '../declaration/tool-declaration.exception.js';
import { describesValue } from '../declaration/tool-param.decorator.js';
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
import { type TypedProperty, typedPropertyOf } from '../typed/typed-members.js';
import { writeTyped } from '../typed/typed-property.js';
import { compileRevive } from '../typed/typed-revive.js';

/**
 * All decisions about a property of a class, made once: its schema for the model, its schema for
 * validation before an instance is created, and how the value gets its type.
 *
 * Nested classes appear as a {@link NestedClass}, because they may be written inline or
 * referenced.
 */
export class PropertyPlan {
  readonly #isOptional: boolean;
  readonly #isNullable: boolean;
  #revive: Revive | null | undefined;

  constructor(
    private readonly owner: PlannedClass,
    private readonly property: PropertyDescription,
  ) {
    ({ isOptional: this.#isOptional, isNullable: this.#isNullable } = presenceOf(property, this.#typed?.types));
  }

  /** The name on instances. */
  get name(): string {
    return this.property.name;
  }

  /** The name in JSON. */
  get jsonName(): string {
    return this.property.jsonName;
  }

  /** The default value of `@ApiProperty()`. Instances do not have it by themselves. */
  get apiDefault(): unknown {
    return this.property.api?.default;
  }

  /**
   * The schema without null, with its definitions. Not cached, because each class is only written
   * once.
   *
   * @param isChecked whether the schema is for validation: it leaves formats and patterns to
   *   class-validator, but checks dates, which are converted earlier
   */
  write(isChecked: boolean): WrittenProperty {
    const { property, owner } = this;
    const validators = readValidators(owner.type, property);
    const read = isChecked && validators ? withoutFormats(validators) : validators;
    const typed = this.#typed && writeTyped(this.#typed, { type: owner.type, property, read, isChecked });
    if (typed) return typed;
    const written = this.#writeDeclared(read);
    if (!isChecked || describesValue(property.param) || !isDate(property)) return written;
    return { ...written, schema: withDateFormat(written.schema) };
  }

  /** The schema from decorators and what TypeScript emits. */
  #writeDeclared(read: JsonSchema | undefined): WrittenProperty {
    try {
      return writeProperty(this.owner.type, this.property, read);
    } catch (error) {
      const problem = error instanceof UnknownTypeException ? this.#typed?.types.error : undefined;
      throw problem === undefined ? error : new ToolDeclarationException(problem, { cause: error });
    }
  }

  get #typed(): TypedProperty | undefined {
    return typedPropertyOf(this.owner.type, this.name);
  }

  /** Whether the model must set it. */
  get required(): boolean {
    const hasDefault = Object.hasOwn(this.owner.defaults, this.name) || this.apiDefault !== undefined;
    return this.property.param?.required ?? !(this.#isOptional || hasDefault);
  }

  /** Converts a value that is present and not null. Undefined if it needs no conversion. */
  get revive(): Revive | undefined {
    if (this.#revive === undefined) this.#revive = this.#compileRevive() ?? null;
    return this.#revive ?? undefined;
  }

  /** Types only convert the value if its schema comes from them. */
  #compileRevive(): Revive | undefined {
    const typed = this.property.typeMetadata ? undefined : this.#typed;
    if (typed?.types.revive === undefined || !this.write(false).withClasses) return reviveProperty(this.property);
    return compileRevive(typed.types, typed.of, isNestedValidated(this.property));
  }

  /** Adds null, the description and the default value to the schema. */
  present(schema: JsonSchema): JsonSchema {
    const { param, api } = this.property;
    const description = param?.description ?? api?.description ?? this.#typed?.types.description;
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
   * Whether the schema allows a missing or null value that class-validator rejects because it was
   * not told. If the property has a condition, the condition decides.
   */
  admits(value: unknown): boolean {
    if (this.property.validators.some(({ type }) => type === 'conditionalValidation')) return false;
    return value === null ? this.#isNullable : value === undefined && this.#isOptional;
  }
}

/** A class and the plans of its properties. */
class PlannedClass {
  readonly properties: readonly PropertyPlan[];
  #defaults: Readonly<Record<string, unknown>> | undefined;

  constructor(readonly type: Type) {
    this.properties = Array.from(
      describeClass(type).properties.values(),
      (property) => new PropertyPlan(this, property),
    );
  }

  /** The property values of a new instance. */
  get defaults(): Readonly<Record<string, unknown>> {
    return (this.#defaults ??= readDefaults(this.type));
  }
}

const planned = new WeakMap<Type, PlannedClass>();

/** The plans of the properties of a class. */
export function plansOf(type: Type): readonly PropertyPlan[] {
  return remembered(planned, type, () => new PlannedClass(type)).properties;
}

/** Whether a property, or each of its values, becomes a Date. */
function isDate(property: PropertyDescription): boolean {
  // A property that is validated as date text remains text.
  if (hasValidator(property, 'isDateString', 'isIso8601', 'isRFC3339')) return false;
  const named: unknown = property.api && apiType(property.api)?.type;
  if ((Array.isArray(named) ? named[0] : named) === Date) return true;
  if (namedTypeOf(property.typeMetadata) === Date || property.reflected === Date) return true;
  return hasValidator(property, 'isDate', 'minDate', 'maxDate');
}

/** class-validator only validates nested instances with `@ValidateNested()`. */
function isNestedValidated({ validators }: PropertyDescription): boolean {
  return validators.some(({ type }) => type === 'nestedValidation');
}

/** Uses the type of `@Type()`, else `@ToolParam`, else `@ApiProperty`, else TypeScript. */
function reviveProperty(property: PropertyDescription): Revive | undefined {
  const { typeMetadata, param, api, reflected } = property;
  const isValidated = isNestedValidated(property);
  // class-transformer creates the values and their containers.
  if (typeMetadata) return isDate(property) ? undefined : reviveEach(completeInstance(isValidated));
  const declared = param?.schema === undefined ? (param?.type ?? (api && apiType(api)?.type)) : undefined;
  if (declared !== undefined) return intoContainer(reviveType(declared, isValidated), reflected);
  if (isDate(property)) return intoContainer(reviveEach(reviveDate), reflected);
  const nested = nestedTypeOf(property);
  return intoContainer(nested && reviveEach(reviveInstance(nested, isValidated)), reflected);
}
