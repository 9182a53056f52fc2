import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { withNull } from '../schema/with-null.js';
import { hoistDefinitions } from '../schema/references.js';
import { selfContained } from '../schema/self-contained.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { convertEach } from './convert-each.js';
import { checkSchema } from './json-schema-check.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import { isJsonObject, rejectInput, type ToolInput, ToolInputException, type UnknownArguments } from './tool-input.js';

/** One named argument and how its JSON becomes the value the method receives. */
export interface ObjectProperty {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** What is checked here, where `convert` checks the rest better: the parts of it that are classes. */
  readonly enforced?: JsonSchema | undefined;
  /** The user wrote the schema: it may be wrong, and refers to itself as the root. */
  readonly isUserSchema?: boolean;
  /** Whether null is a value. */
  readonly isNullable?: boolean;
  /** Runs after validation. May be asynchronous, and may throw a ToolInputException. */
  readonly convert?: ((value: unknown) => unknown) | undefined;
  /** Makes sure that what `convert` checks with can be enforced. */
  readonly verify?: (() => void) | undefined;
  /** Whether `convert` also runs when the argument is left out. */
  readonly convertsNothing?: boolean;
}

const NONE: readonly ObjectProperty[] = Object.freeze([]);

/** Arguments given one by one: the parameters of a method. */
export class ObjectInput implements ToolInput {
  readonly schema: JsonSchema;
  readonly #properties: readonly ObjectProperty[];
  readonly #converted: readonly ObjectProperty[];
  #coerce: Coercion | undefined;
  #validate: JsonValidator | undefined;

  /** @param $defs what the schemas of the properties refer to */
  constructor(
    properties: readonly ObjectProperty[],
    $defs?: Readonly<Record<string, JsonSchema>>,
    private readonly unknownArguments: UnknownArguments = 'refuse',
  ) {
    this.schema = objectSchema(properties, unknownArguments === 'allow', $defs);
    this.#properties = properties;
    this.#converted = properties.some(({ convert }) => convert) ? properties.filter(({ convert }) => convert) : NONE;
  }

  parse(json: unknown): Record<string, unknown> | Promise<Record<string, unknown>> {
    this.#coerce ??= compileCoercion(this.schema, { stripUnknown: this.unknownArguments === 'strip' });
    const value = this.#coerce(json);
    if (!isJsonObject(value)) rejectInput('the arguments have to be a JSON object');
    try {
      this.#validator()(value);
    } catch (error) {
      // Only what is a class may have more to say.
      if (!(error instanceof ToolInputException) || !this.#properties.some(({ enforced }) => enforced)) throw error;
      return this.#refuse(value, error);
    }
    return this.#converted.length === 0 ? value : this.#convert({ ...value }, this.#converted);
  }

  /** Tells of everything that is wrong at once: what is wrong further in, the classes know. */
  async #refuse(value: Record<string, unknown>, { issues }: ToolInputException): Promise<never> {
    const told = new Set(issues.map(({ path }) => path.replace(/[.[].*$/s, '')));
    const classes = this.#properties.filter(({ name, enforced }) => enforced && !told.has(name));
    const more = await this.#convert({ ...value }, classes).then(
      () => [],
      (error: unknown) => (error instanceof ToolInputException ? error.issues : []),
    );
    throw new ToolInputException([...issues, ...more]);
  }

  /** Schemas made here are right: only what somebody wrote is checked. */
  verify(): void {
    if (this.#properties.some(({ isUserSchema }) => isUserSchema)) checkSchema(this.#enforcedSchema());
    for (const { verify } of this.#properties) verify?.();
  }

  #validator(): JsonValidator {
    return (this.#validate ??= compileValidator(this.#enforcedSchema()));
  }

  #enforcedSchema(): JsonSchema {
    if (this.#properties.every(({ enforced }) => !enforced)) return this.schema;
    const enforced = this.#properties.map((property) => ({
      ...property,
      schema: property.enforced ?? property.schema,
    }));
    return objectSchema(enforced, this.unknownArguments === 'allow', this.schema.$defs as Record<string, JsonSchema>);
  }

  async #convert(
    value: Record<string, unknown>,
    converted: readonly ObjectProperty[],
  ): Promise<Record<string, unknown>> {
    const given = converted.filter(({ name, convertsNothing }) => convertsNothing || Object.hasOwn(value, name));
    const values = await convertEach(
      given,
      ({ name }) => name,
      ({ name, convert }) => convert!(Object.hasOwn(value, name) ? value[name] : undefined),
    );
    for (const [index, { name }] of given.entries()) value[name] = values[index];
    return value;
  }
}

function objectSchema(
  given: readonly ObjectProperty[],
  additionalProperties: boolean,
  $defs?: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  let definitions = $defs;
  for (const property of given) {
    const { name, isUserSchema } = property;
    if (property.required) required.push(name);
    if (!isUserSchema) properties[name] = nullable(property.schema, property);
    else {
      const hoisted = hoistDefinitions(selfContained(property.schema).schema, name);
      definitions = { ...definitions, ...hoisted.$defs };
      properties[name] = nullable(hoisted.schema, property);
    }
  }
  return freezeSchema({
    type: 'object',
    ...(definitions && Object.keys(definitions).length > 0 && { $defs: definitions }),
    properties,
    required,
    ...(!additionalProperties && { additionalProperties: false }),
  });
}

/** What is said of the value is said of both alternatives. */
function nullable(schema: JsonSchema, { isNullable }: ObjectProperty): JsonSchema {
  if (!isNullable) return schema;
  const { description, default: fallback, ...rest } = schema;
  return {
    ...withNull(rest),
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
}
