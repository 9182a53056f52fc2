import type { JsonSchema } from '../json/json-schema.js';
import { schemaOfType } from '../schema/type-schema.js';
import { reviveType } from '../schema/revive.js';
import type { Type } from '../type.js';
import { ObjectInput } from './object-input.js';
import { isJsonObject } from '../json/is-json-object.js';
import type { ToolInput } from './tool-input.js';

const PRIMITIVES: readonly unknown[] = [String, Number, Boolean, Date];

/** The name of the only argument. */
const NAME = 'input';

/** Whether a class stands for a single value. */
export function isPrimitiveType(type: unknown): boolean {
  return PRIMITIVES.includes(type);
}

/**
 * A single value as the input. Model providers require an object, so the schema has one property;
 * the code receives its value. A model may also send the bare value.
 */
export class PrimitiveInput implements ToolInput {
  readonly #object: ObjectInput;

  constructor(type: Type) {
    const schema = (nested: (type: Type) => JsonSchema): JsonSchema =>
      schemaOfType({ reflected: type, where: () => 'The input', nested });
    this.#object = new ObjectInput([{ name: NAME, schema, required: true, revive: reviveType(type, false) }]);
  }

  get schema(): JsonSchema {
    return this.#object.schema;
  }

  async parse(json: unknown): Promise<unknown> {
    const given = isJsonObject(json) ? json : { [NAME]: json };
    return (await this.#object.parse(given))[NAME];
  }
}
