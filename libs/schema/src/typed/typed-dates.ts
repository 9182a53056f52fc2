import type { JsonSchema } from '../json/json-schema.js';
import { isJsonObject } from '../json/is-json-object.js';
import { remembered } from '../json/remembered.js';
import { DATE_FORMAT } from '../schema/dates.js';
import { valueAt } from '../schema/json-pointer.js';
import { mapSchema } from '../schema/map-schema.js';
import type { TypedRevive, ValueTypes } from './class-types.js';

/**
 * The schema of a value for validation: text that becomes a Date may also be a date without time,
 * as in classes with decorators. Other texts with the format of a date keep it.
 */
export function withTypedDates(schema: JsonSchema, { revive, revives = {} }: ValueTypes): JsonSchema {
  if (revive === undefined) return schema;
  const dates = new DateFinder(schema, revives);
  dates.search(schema, revive);
  if (dates.found.size === 0) return schema;
  return mapSchema(schema, (mapped, original) =>
    dates.found.has(original) ? { ...mapped, format: DATE_FORMAT } : mapped,
  );
}

/** Follows a conversion through a schema to the texts that become dates. */
class DateFinder {
  readonly found = new Set<JsonSchema>();
  readonly #searched = new Map<JsonSchema, Set<TypedRevive>>();

  constructor(
    private readonly root: JsonSchema,
    private readonly revives: Readonly<Record<string, TypedRevive>>,
  ) {}

  search(schema: unknown, revive: TypedRevive | null | undefined): void {
    if (!revive || !isJsonObject(schema) || this.#isSearched(schema, revive)) return;
    for (const alternatives of [schema.anyOf, schema.oneOf, schema.allOf])
      if (Array.isArray(alternatives)) for (const one of alternatives) this.search(one, revive);
    if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#')) {
      this.search(valueAt(this.root, decodeURIComponent(schema.$ref.slice(1))), revive);
    }
    if (revive === 'date') {
      if (schema.format === 'date-time') this.found.add(schema);
    } else if (revive !== 'url') this.#searchInside(schema, revive);
  }

  #searchInside(schema: JsonSchema, revive: Exclude<TypedRevive, string>): void {
    const { items, prefixItems, additionalProperties } = schema;
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const patterns = isJsonObject(schema.patternProperties) ? schema.patternProperties : {};
    if ('array' in revive) this.search(items, revive.array);
    else if ('set' in revive) this.search(items, revive.set);
    else if ('map' in revive) this.search(additionalProperties, revive.map);
    else if ('tuple' in revive) {
      const at = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
      for (const [index, item] of revive.tuple.entries()) this.search(at[index], item);
      this.search(items, revive.rest);
    } else if ('by' in revive) {
      // An object with alternatives has no properties itself.
      if (!schema.properties) return;
      for (const [text, one] of Object.entries(revive.cases))
        if (mayBe(schema, revive.by, text)) this.search(schema, one);
    } else if ('kinds' in revive) for (const one of Object.values(revive.kinds)) this.search(schema, one);
    else if ('ref' in revive) this.search(schema, this.revives[revive.ref]);
    else if ('object' in revive) {
      for (const [name, one] of Object.entries(revive.object)) this.search(properties[name], one);
      for (const one of [additionalProperties, ...Object.values(patterns)]) this.search(one, revive.values);
    }
  }

  #isSearched(schema: JsonSchema, revive: TypedRevive): boolean {
    const known = remembered(this.#searched, schema, () => new Set<TypedRevive>());
    if (known.has(revive)) return true;
    known.add(revive);
    return false;
  }
}

/** Whether a schema allows that a property has a value. */
function mayBe({ properties }: JsonSchema, name: string, text: string): boolean {
  const property = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isJsonObject(property)) return true;
  if ('const' in property) return String(property.const) === text;
  return !Array.isArray(property.enum) || property.enum.some((value) => String(value) === text);
}
