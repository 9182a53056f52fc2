import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { hoistDefinitions } from '../schema/hoist-definitions.js';
import { compileCoercion } from './coerce.js';
import { compileValidator, type JsonValidator } from './json-schema-validator.js';
import { isJsonObject, rejectInput, ToolInputException, type ToolInput } from './tool-input.js';

/** One named argument and how its JSON becomes the value the method receives. */
export interface ObjectProperty {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The user wrote the schema: it may be wrong, and refers to itself as the root. */
  readonly isUserSchema?: boolean;
  /** Runs after validation. May be asynchronous, and may throw a ToolInputException. */
  readonly convert?: (value: unknown) => unknown;
  /** Whether `convert` also runs when the argument is left out. */
  readonly convertsNothing?: boolean;
}

/** Arguments given one by one: the parameters of a method. */
export class ObjectInput implements ToolInput {
  readonly schema: JsonSchema;
  readonly #properties: readonly ObjectProperty[];
  readonly #converted: readonly ObjectProperty[];
  readonly #coerce: (value: unknown) => unknown;
  #validate: JsonValidator | undefined;

  /** @param $defs what the schemas of the properties refer to */
  constructor(properties: readonly ObjectProperty[], $defs?: Readonly<Record<string, JsonSchema>>) {
    this.schema = objectSchema(properties, $defs);
    this.#properties = properties;
    this.#converted = properties.filter(({ convert }) => convert);
    this.#coerce = compileCoercion(this.schema) ?? ((value) => value);
  }

  parse(json: unknown): Record<string, unknown> | Promise<Record<string, unknown>> {
    if (!isJsonObject(json)) rejectInput('the arguments have to be a JSON object');
    const value = this.#coerce(json) as Record<string, unknown>;
    (this.#validate ??= compileValidator(this.schema))(value);
    return this.#converted.length === 0 ? value : this.#convert({ ...value });
  }

  /** Schemas made here are right; compiling thousands of them would only cost time. */
  verify(): void {
    if (this.#properties.some(({ isUserSchema }) => isUserSchema)) this.#validate ??= compileValidator(this.schema);
  }

  async #convert(value: Record<string, unknown>): Promise<Record<string, unknown>> {
    for (const { name, convert, convertsNothing } of this.#converted) {
      if (!Object.hasOwn(value, name) && !convertsNothing) continue;
      try {
        value[name] = await convert!(Object.hasOwn(value, name) ? value[name] : undefined);
      } catch (error) {
        throw error instanceof ToolInputException ? error.inside(name) : error;
      }
    }
    return value;
  }
}

function objectSchema(properties: readonly ObjectProperty[], $defs?: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const definitions: Record<string, JsonSchema> = { ...$defs };
  const schemas = properties.map(({ name, schema, isUserSchema }) => {
    if (!isUserSchema) return [name, schema] as const;
    const hoisted = hoistDefinitions(schema, name);
    Object.assign(definitions, hoisted.$defs);
    return [name, hoisted.schema] as const;
  });
  return freezeSchema({
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: properties.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  });
}
