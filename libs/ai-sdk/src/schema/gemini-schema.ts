import type { JsonSchema } from '@nestor-ai/core';
import {
  isSchema,
  joinPlace,
  mergeSchemas,
  propertiesOf,
  requiredOf,
  resolveReference,
  resolveSchema,
  typeOfValue,
  typesOf,
  withoutAnnotations,
} from './json-schema.js';
import { completed, toObjectRoot } from './object-root.js';
import { UnsayableSchemaException } from './unsayable-schema.exception.js';

/** The formats that Gemini's API accepts. It refuses a request with any other. */
const FORMATS = new Set(['date-time', 'float', 'double', 'int32', 'int64']);

/** References that Google's package resolves. */
const PLAIN_REFERENCE = /^#\/(?:\$defs|definitions)\/[^/]+$/;

/** Gemini requires a type. These are the values that need no further declaration. */
const ANY_VALUE = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

/** The package writes referenced parts out each time, which can multiply them endlessly. */
const MAX_PARTS = 20_000;

/** A schema for version 3 of Google's package. */
export interface GeminiSchema {
  readonly schema: JsonSchema;
  /** Whether it references itself. */
  readonly isRecursive: boolean;
}

/**
 * Converts a schema to the part of JSON Schema that survives Google's package, version 3. The
 * package converts schemas to OpenAPI 3.0, drops tuples, and throws for enums with values of
 * several types and for references that it does not know. Gemini refuses `oneOf`, `allOf`, lists
 * without `items`, and most formats. Of schemas that reference a definition in themselves, the
 * package sends the JSON Schema of tools as it is.
 *
 * @throws UnsayableSchemaException for tuples, enums with values of several types, and recursion
 * through the root
 */
export function toGeminiSchema(schema: JsonSchema): GeminiSchema {
  const root = toObjectRoot(schema);
  const writer = new GeminiWriter(root);
  const { $defs: _defs, definitions: _definitions, ...rest } = root;
  const written = completed(writer.write(rest, ''));
  return writer.isRecursive ? { schema: root, isRecursive: true } : { schema: written, isRecursive: false };
}

class GeminiWriter {
  isRecursive = false;
  readonly #open = new Set<string>();
  #parts = 0;

  constructor(private readonly root: JsonSchema) {}

  write(schema: unknown, place: string): JsonSchema {
    if (!isSchema(schema) || (this.#parts > MAX_PARTS && this.isRecursive)) return ANY_VALUE;
    if (this.#parts++ > MAX_PARTS) throw new UnsayableSchemaException(place, 'has too many references', 'Use fewer.');
    if (typeof schema.$ref === 'string') return this.#reference(schema, schema.$ref, place);
    if (Array.isArray(schema.allOf)) {
      const { allOf, ...own } = schema;
      return this.write(
        (allOf as unknown[]).map((one) => resolveSchema(one, this.root)).reduce(mergeSchemas, own),
        place,
      );
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const { [keyword]: branches, ...own } = schema;
      if (Array.isArray(branches)) return this.#union(own, branches, place);
    }
    const types = typesOf(schema);
    const named = types.filter((type) => type !== 'null');
    checkEnum(schema, named, place);
    if (types.length === 0) return { ...describing(schema), ...ANY_VALUE };
    if (named.length > 1) {
      const { nullable: _nullable, description: _description, ...own } = schema;
      return { ...describing(schema), anyOf: types.map((type) => this.write({ ...own, type }, place)) };
    }
    const type = types.length === 1 ? types[0] : [named[0], 'null'];
    if (named[0] === 'object') return { type, ...this.#object(schema, place) };
    if (named[0] === 'array') return { type, ...this.#array(schema, place) };
    return { ...simple(schema), type };
  }

  #object(schema: JsonSchema, place: string): JsonSchema {
    const properties = Object.entries(propertiesOf(schema)).filter(([, property]) => property !== false);
    const names = new Set(properties.map(([name]) => name));
    return {
      ...describing(isSchema(schema.additionalProperties) ? describeMap(schema, schema.additionalProperties) : schema),
      ...(names.size > 0 && {
        properties: Object.fromEntries(
          properties.map(([name, property]) => [name, this.write(property, joinPlace(place, name))]),
        ),
        required: requiredOf(schema).filter((name) => names.has(name)),
      }),
    };
  }

  #array(schema: JsonSchema, place: string): JsonSchema {
    if (Array.isArray(schema.items) || (Array.isArray(schema.prefixItems) && schema.prefixItems.length > 0)) {
      throw new UnsayableSchemaException(
        place,
        'is a tuple',
        'Use an object, or an array with one type of items and a description.',
      );
    }
    return { ...describing(schema), items: this.write(schema.items, `${place}[]`) };
  }

  #union(schema: JsonSchema, branches: readonly unknown[], place: string): JsonSchema {
    const { nullable, ...constraints } = withoutAnnotations(schema);
    const written = branches.map((branch) =>
      this.write(
        Object.keys(constraints).length > 0 ? mergeSchemas(constraints, resolveSchema(branch, this.root)) : branch,
        place,
      ),
    );
    return { ...describing(schema), anyOf: nullable === true ? [...written, { type: 'null' }] : written };
  }

  #reference({ $ref: _reference, ...siblings }: JsonSchema, reference: string, place: string): JsonSchema {
    const target = resolveReference(this.root, reference);
    if (target === undefined) {
      throw new UnsayableSchemaException(place, `has the unknown reference '${reference}'`, 'Correct it.');
    }
    if (this.#open.has(reference) || reference === '#') {
      if (!PLAIN_REFERENCE.test(reference)) {
        throw new UnsayableSchemaException(
          place,
          `contains itself through '${reference}'`,
          "Move the part that contains itself to '$defs'.",
        );
      }
      this.isRecursive = true;
      return { type: 'object' };
    }
    this.#open.add(reference);
    const written = this.write(isSchema(target) ? mergeSchemas(target, siblings) : target, place);
    this.#open.delete(reference);
    return written;
  }
}

function checkEnum(schema: JsonSchema, types: readonly string[], place: string): void {
  if (!Array.isArray(schema.enum)) return;
  const values = schema.enum.filter((value) => value !== null) as unknown[];
  if (values.length === 0 && schema.enum.length > 0) return;
  const [type, ...others] = new Set(values.map(typeOfValue));
  const isDeclared = types.some((name) => name === type || (name === 'integer' && type === 'number'));
  if (others.length > 0 || !isDeclared || type === 'object' || type === 'array') {
    throw new UnsayableSchemaException(
      place,
      'has an enum with values of several types, or of another type than declared',
      'Use values of one type: strings, numbers or booleans.',
    );
  }
}

function simple(schema: JsonSchema): JsonSchema {
  const { format, nullable: _nullable, ...rest } = schema;
  return FORMATS.has(format as string) ? { ...rest, format } : rest;
}

/** The package drops the type of the values of a map, so words describe them. */
function describeMap(schema: JsonSchema, values: JsonSchema): JsonSchema {
  const words = `An object with keys of your choice. Each value fits ${JSON.stringify(values)}.`;
  return { description: [schema.description, words].filter(Boolean).join(' ') };
}

function describing({ description }: JsonSchema): JsonSchema {
  return typeof description === 'string' ? { description } : {};
}
