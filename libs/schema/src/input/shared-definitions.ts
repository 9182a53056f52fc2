import type { JsonSchema } from '../json/json-schema.js';
import { stableJson } from '../json/stable-json.js';
import { hoistDefinitions } from '../schema/references.js';

/**
 * The definitions of several schemas that become properties of one object. Equal definitions of
 * the same name are kept once, so that the model does not read them twice.
 */
export class SharedDefinitions {
  readonly #definitions = new Map<string, JsonSchema>();
  // Without a prototype, `__proto__` is a normal name.
  readonly #written = Object.create(null) as Record<string, JsonSchema>;

  /** @param isTaken whether the object has another definition of this name */
  constructor(private readonly isTaken: (name: string) => boolean) {}

  has(name: string): boolean {
    return this.#definitions.has(name);
  }

  get $defs(): Readonly<Record<string, JsonSchema>> {
    return this.#written;
  }

  /**
   * Takes the definitions out of a schema. If one has the name of another definition, all
   * definitions of the schema get longer names.
   *
   * @param name the name of the property
   * @param finish changes each definition
   */
  adopt(schema: JsonSchema, name: string, finish: (definition: JsonSchema) => JsonSchema): JsonSchema {
    const { $defs, ...own } = schema;
    const definitions = Object.entries($defs as Readonly<Record<string, JsonSchema>>);
    if (definitions.every(([key, definition]) => this.#fits(key, definition))) {
      this.#add(definitions, finish);
      return own;
    }
    const hoisted = hoistDefinitions(schema, name);
    this.#add(Object.entries(hoisted.$defs), finish);
    return hoisted.schema;
  }

  #fits(key: string, definition: JsonSchema): boolean {
    const other = this.#definitions.get(key);
    return other ? stableJson(other) === stableJson(definition) : !this.isTaken(key);
  }

  #add(definitions: readonly (readonly [string, JsonSchema])[], finish: (definition: JsonSchema) => JsonSchema): void {
    const added = definitions.filter(([key]) => !this.#definitions.has(key));
    for (const [key, definition] of added) this.#definitions.set(key, definition);
    for (const [key, definition] of added) this.#written[key] = finish(definition);
  }
}
