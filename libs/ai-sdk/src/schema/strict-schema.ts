import type { JsonSchema } from '@nestor-ai/core';
import { AbsentNulls } from './absent-nulls.js';
import {
  isSchema,
  joinPlace as join,
  mergeSchemas,
  propertiesOf,
  requiredOf,
  resolveReference,
  resolveSchema,
  typesOf,
  withoutAnnotations,
} from './json-schema.js';
import { allowsNull, withNull } from './nullable.js';
import type { StrictRules } from './strict-rules.js';
import { UnsayableSchemaException } from './unsayable-schema.exception.js';

/** A schema in the form that a provider's strict mode requires. */
export interface StrictSchema {
  readonly schema: JsonSchema;
  /** Undefined if no property became nullable. */
  readonly absentNulls?: AbsentNulls;
  /**
   * Whether a null that means absent may lie in a branch that no constant identifies. Without this
   * schema, such a null cannot be read.
   */
  readonly hasHiddenNulls?: boolean;
}

/**
 * Converts a schema for a provider's strict mode: all objects are closed, optional properties
 * become required and nullable, and keywords that the provider refuses are left out. Nestor
 * validates against the original schema.
 *
 * @throws UnsayableSchemaException for maps, open objects, tuples and values of any type
 */
export function toStrictSchema(schema: JsonSchema, rules: StrictRules): StrictSchema {
  const writer = new StrictWriter(schema, rules);
  const written = writer.writeRoot();
  if (writer.absent.size === 0) return { schema: written };
  const absentNulls = new AbsentNulls(written, writer.absent);
  return { schema: written, absentNulls, hasHiddenNulls: writer.hasUnmarkedBranches };
}

const MAX_DEPTH = 100;
const MANY_NAMES = 'allows properties of any name';
const NAMED = 'Declare its properties, or use an array of objects with a key and a value.';
/** Engines that follow a grammar while the model writes cannot look around. */
const LOOKS_AROUND = /\(\?<?[=!]|\\[1-9]/;

class StrictWriter {
  /** The names of the properties of an object schema for which null means absent. */
  readonly absent = new Map<object, ReadonlySet<string>>();
  /** Whether an object is one of several branches, and no constant says which one. */
  hasUnmarkedBranches = false;
  readonly #definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, string>();
  readonly #inlined = new Set<string>();

  constructor(
    private readonly root: JsonSchema,
    private readonly rules: StrictRules,
  ) {}

  writeRoot(): JsonSchema {
    const { $defs: _defs, definitions: _definitions, ...schema } = this.root;
    const written = this.#write(schema, '');
    if (Object.keys(this.#definitions).length === 0) return written;
    return Object.assign(written, { $defs: this.#definitions });
  }

  #write(schema: unknown, place: string): JsonSchema {
    if (!isSchema(schema)) throw unsayable(place, 'allows any value', 'Declare its type.');
    if (place.split(/[.[]/).length > MAX_DEPTH)
      throw unsayable(place, 'is nested too deeply', 'Reference a definition.');
    if (typeof schema.$ref === 'string') return this.#reference(schema, schema.$ref, place);
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...own } = schema;
      this.hasUnmarkedBranches = true;
      return this.#write(
        (allOf as unknown[]).map((one) => resolveSchema(one, this.root)).reduce(mergeSchemas, own),
        place,
      );
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const { [keyword]: branches, ...own } = schema;
      if (Array.isArray(branches)) return this.#union(own, branches, place);
    }
    const types = typesOf(schema);
    if (types.length === 0) throw unsayable(place, 'allows any value', 'Declare its type.');
    if (types.length > 1 && (types.includes('object') || types.includes('array'))) {
      const { nullable: _nullable, ...one } = schema;
      this.hasUnmarkedBranches ||= types.length > 2 || !types.includes('null');
      return { anyOf: types.map((type) => this.#write({ ...one, type }, place)) };
    }
    if (types[0] === 'object') return this.#object(schema, place);
    if (types[0] === 'array') return this.#array(schema, place);
    return this.#scalar(schema, types, place);
  }

  #object(schema: JsonSchema, place: string): JsonSchema {
    const { additionalProperties, patternProperties } = schema;
    const isOpen =
      additionalProperties === undefined ? schema.properties === undefined : additionalProperties !== false;
    if (isOpen || Object.keys(patternProperties ?? {}).length > 0) throw unsayable(place, MANY_NAMES, NAMED);
    const declared = Object.entries(propertiesOf(schema)).filter(([, property]) => property !== false);
    const required = new Set(requiredOf(schema));
    const unknown = [...required].find((name) => !declared.some(([known]) => known === name));
    if (unknown !== undefined) throw unsayable(join(place, unknown), 'is required but has no schema', 'Declare it.');
    const absent = new Set<string>();
    const properties = declared.map(([name, property]) => {
      const written = this.#write(property, join(place, name));
      if (!this.rules.requiresAll || required.has(name) || allowsNull(property, this.root)) return [name, written];
      absent.add(name);
      return [name, withNull(written)];
    });
    const written: JsonSchema = {
      type: 'object',
      ...describing(schema),
      properties: Object.fromEntries(properties),
      required: this.rules.requiresAll ? declared.map(([name]) => name) : [...required],
      additionalProperties: false,
    };
    if (absent.size > 0) this.absent.set(written, absent);
    return written;
  }

  #array(schema: JsonSchema, place: string): JsonSchema {
    if (Array.isArray(schema.items) || (Array.isArray(schema.prefixItems) && schema.prefixItems.length > 0)) {
      throw unsayable(place, 'is a tuple', 'Use an object, or an array with one type of items.');
    }
    return { type: 'array', ...this.#kept(schema), items: this.#write(schema.items, `${place}[]`) };
  }

  #scalar(schema: JsonSchema, types: readonly string[], place: string): JsonSchema {
    const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
    if (values.some((value) => typeof value === 'object' && value !== null)) {
      throw unsayable(place, 'has values that are objects or arrays', 'Declare their properties.');
    }
    return {
      type: types.length === 1 ? types[0] : types,
      ...this.#kept(schema),
      ...(Array.isArray(schema.enum) && { enum: withNullOf(types, schema.enum) }),
      ...('const' in schema && { const: schema.const }),
    };
  }

  /** What stands beside the branches applies to each of them. */
  #union(schema: JsonSchema, branches: readonly unknown[], place: string): JsonSchema {
    const { nullable, ...constraints } = withoutAnnotations(schema);
    const schemas = branches.map((branch) =>
      Object.keys(constraints).length > 0 ? mergeSchemas(constraints, resolveSchema(branch, this.root)) : branch,
    );
    const written = schemas.map((branch) => this.#write(branch, place));
    this.hasUnmarkedBranches ||= !isMarked(written.map((branch) => this.#target(branch)));
    return { ...describing(schema), anyOf: nullable === true ? [...written, { type: 'null' }] : written };
  }

  #reference({ $ref: _reference, ...siblings }: JsonSchema, reference: string, place: string): JsonSchema {
    const target = resolveReference(this.root, reference);
    if (target === undefined) throw unsayable(place, `has the unknown reference '${reference}'`, 'Correct it.');
    // OpenAI refuses keywords beside a reference.
    if (isSchema(target) && Object.keys(siblings).length > 0 && !this.#inlined.has(reference)) {
      this.#inlined.add(reference);
      const written = this.#write(mergeSchemas(target, siblings), place);
      this.#inlined.delete(reference);
      return written;
    }
    return { $ref: `#/$defs/${this.#define(reference, target, place)}` };
  }

  #define(reference: string, target: JsonSchema | boolean, place: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) {
      if (!this.rules.allowsRecursion && !Object.hasOwn(this.#definitions, known)) {
        throw unsayable(place, 'contains itself', 'Limit the depth with separate types.');
      }
      return known;
    }
    let name = reference.slice(reference.lastIndexOf('/') + 1).replace(/[^\w-]/g, '_');
    while ([...this.#names.values()].includes(name)) name += '_';
    this.#names.set(reference, name);
    this.#definitions[name] = this.#write(target, place);
    return name;
  }

  /** The schema that a written reference leads to. Undefined while it is being written. */
  #target(written: JsonSchema): JsonSchema | undefined {
    const { $ref } = written;
    return typeof $ref === 'string' ? this.#definitions[$ref.slice('#/$defs/'.length)] : written;
  }

  #kept(schema: JsonSchema): JsonSchema {
    const kept: Record<string, unknown> = { ...describing(schema) };
    for (const [keyword, value] of Object.entries(schema)) {
      if (!this.rules.keywords.has(keyword)) continue;
      if (keyword !== 'pattern' || !LOOKS_AROUND.test(String(value))) kept[keyword] = value;
    }
    if (this.rules.formats.has(schema.format as string)) kept.format = schema.format;
    return kept;
  }
}

/** Whether constants identify the branches that are not scalars, or there is only one branch. */
function isMarked(branches: readonly (JsonSchema | undefined)[]): boolean {
  const values = branches.filter((branch) => branch?.type !== 'null');
  return (
    values.length < 2 ||
    values.every((branch) => branch && SCALARS.has(String(branch.type))) ||
    values.every(
      (branch) => branch && Object.values(propertiesOf(branch)).some((one) => isSchema(one) && 'const' in one),
    )
  );
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);

function describing({ description }: JsonSchema): JsonSchema {
  return typeof description === 'string' ? { description } : {};
}

function withNullOf(types: readonly string[], values: readonly unknown[]): readonly unknown[] {
  return types.includes('null') && !values.includes(null) ? [...values, null] : values;
}

function unsayable(place: string, problem: string, remedy: string): UnsayableSchemaException {
  return new UnsayableSchemaException(place, problem, remedy);
}
