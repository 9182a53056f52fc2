import type { JsonSchema } from '@nestor-ai/core';
import { isSchema, propertiesOf, resolveReference, typeOfValue } from './json-schema.js';

/**
 * Reads what a model wrote for a strict schema. Strict mode has no optional properties, so the
 * model writes null for those that it leaves out.
 */
export class AbsentNulls {
  /**
   * @param schema the strict schema
   * @param absent for each object schema in it, the properties whose null means absent
   */
  constructor(
    private readonly schema: JsonSchema,
    private readonly absent: ReadonlyMap<object, ReadonlySet<string>>,
  ) {}

  /** The JSON text without these nulls. Returns text that is not valid JSON unchanged. */
  readText(text: string): string {
    if (!text.includes('null')) return text;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // The tool loop answers invalid JSON.
      return text;
    }
    const read = this.read(value);
    return read === value ? text : JSON.stringify(read);
  }

  /** The value without these nulls: a copy if it has any, else the same value. */
  read(value: unknown): unknown {
    return this.#read(this.schema, value, new Map());
  }

  #read(given: unknown, value: unknown, known: Known): unknown {
    const schema = this.#resolve(given);
    if (typeof value !== 'object' || value === null || !schema) return value;
    if (Array.isArray(schema.anyOf)) {
      const branch = schema.anyOf.find((one) => this.#fits(one, value, known)) as unknown;
      return branch === undefined ? value : this.#read(branch, value, known);
    }
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => this.#read(schema.items, item, known));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    return this.#readObject(schema, value as Record<string, unknown>, known);
  }

  #readObject(schema: JsonSchema, value: Record<string, unknown>, known: Known): Record<string, unknown> {
    const properties = propertiesOf(schema);
    const absent = this.absent.get(schema);
    let isChanged = false;
    const entries = Object.entries(value).flatMap(([name, before]) => {
      if (before === null && absent?.has(name)) {
        isChanged = true;
        return [];
      }
      const after = Object.hasOwn(properties, name) ? this.#read(properties[name], before, known) : before;
      isChanged ||= after !== before;
      return [[name, after] as const];
    });
    return isChanged ? Object.fromEntries(entries) : value;
  }

  /** Whether a value has the form of a strict schema. Strict objects have all their properties. */
  #fits(given: unknown, value: unknown, known: Known): boolean {
    const schema = this.#resolve(given);
    if (!schema) return false;
    if (typeof value !== 'object' || value === null) return this.#fitsNow(schema, value, known);
    let results = known.get(value);
    if (!results) known.set(value, (results = new Map()));
    let result = results.get(schema);
    if (result === undefined) results.set(schema, (result = this.#fitsNow(schema, value, known)));
    return result;
  }

  #fitsNow(schema: JsonSchema, value: unknown, known: Known): boolean {
    if (Array.isArray(schema.anyOf)) return schema.anyOf.some((one) => this.#fits(one, value, known));
    const type = typeOfValue(value);
    const types = [schema.type].flat();
    if (!types.includes(type) && !(types.includes('integer') && Number.isInteger(value))) return false;
    if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
    if ('const' in schema && schema.const !== value) return false;
    if (Array.isArray(value)) return value.every((item) => this.#fits(schema.items, item, known));
    if (type !== 'object') return true;
    const properties = propertiesOf(schema);
    const names = Object.keys(properties);
    const object = value as Record<string, unknown>;
    return (
      names.length === Object.keys(object).length &&
      names.every((name) => Object.hasOwn(object, name) && this.#fits(properties[name], object[name], known))
    );
  }

  #resolve(schema: unknown, depth = 0): JsonSchema | undefined {
    if (!isSchema(schema) || depth > 20) return undefined;
    if (typeof schema.$ref !== 'string') return schema;
    return this.#resolve(resolveReference(this.schema, schema.$ref), depth + 1);
  }
}

/** Which schemas a value fits, so that each pair is only compared once. */
type Known = Map<object, Map<JsonSchema, boolean>>;
