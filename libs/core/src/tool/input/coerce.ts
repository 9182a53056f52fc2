import type { JsonSchema } from '../../model/json-schema.js';
import { markedAlternatives, closestAlternative, resolve } from './alternatives.js';
import { parseJson } from './parse-json.js';
import { isJsonObject } from './tool-input.js';

/** Turns values into the type their schema asks for, where the model's intent is beyond doubt. */
export type Coercion = (value: unknown) => unknown;

/** What is done besides. */
export interface CoercionOptions {
  /** Leaves out the properties that a schema with `additionalProperties: false` does not have. Default: false. */
  readonly stripUnknown?: boolean;
}

const NUMBER = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;
const UNCHANGED: Coercion = (value) => value;

/**
 * Compiles a schema to a {@link Coercion}: `"5"` for a number becomes 5, `"true"` for a boolean true, an array or
 * object that was written as JSON text is read, and null for an optional property that cannot be null is left
 * out. Anything else is left for validation to judge. The input is never changed: what changes is copied.
 */
export function compileCoercion(schema: JsonSchema, options: CoercionOptions = {}): Coercion {
  return new CoercionCompiler(schema, options).compile(schema) ?? UNCHANGED;
}

class CoercionCompiler {
  readonly #definitions = new Map<string, Coercion>();

  constructor(
    private readonly root: JsonSchema,
    private readonly options: CoercionOptions,
  ) {}

  /** @returns undefined when nothing in the schema can be coerced */
  compile(schema: JsonSchema): Coercion | undefined {
    if (typeof schema.$ref === 'string') return this.#reference(schema, schema.$ref);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives)) return this.#alternatives(alternatives.filter(isJsonObject));
    switch (typeOf(schema)) {
      case 'integer':
        return (value) => {
          // Digits were lost when it was read: as text, it is left for validation to refuse.
          if (typeof value === 'number') return Number.isInteger(value) ? exactly(value, String(value)) : value;
          return typeof value === 'string' && NUMBER.test(value) ? exactly(Number(value), value) : value;
        };
      case 'number':
        return (value) => (typeof value === 'string' && NUMBER.test(value) ? exactly(Number(value), value) : value);
      case 'boolean':
        return (value) => (value === 'true' ? true : value === 'false' ? false : value);
      case 'array':
        return this.#array(schema);
      case 'object':
        return this.#object(schema);
      default:
        return undefined;
    }
  }

  /** Compiled when a value is there: a schema may refer to itself. */
  #reference(schema: JsonSchema, reference: string): Coercion | undefined {
    const target = resolve(schema, this.root);
    if (target === schema) return undefined;
    return (value) => {
      let coercion = this.#definitions.get(reference);
      if (!coercion) this.#definitions.set(reference, (coercion = this.compile(target) ?? UNCHANGED));
      return coercion(value);
    };
  }

  /** Of several schemas it has to be certain which one is meant: the one that is not null, or the one a constant names. */
  #alternatives(schemas: readonly JsonSchema[]): Coercion | undefined {
    const [only, another] = schemas.filter(({ type }) => type !== 'null');
    if (only && !another) {
      const coerce = this.compile(only);
      return coerce && ((value) => (value === null ? value : coerce(value)));
    }
    const alternatives = markedAlternatives(schemas, this.root);
    if (!alternatives) return undefined;
    const coercions = new Map(alternatives.map(({ schema }) => [schema, this.compile(schema)]));
    return (value) => {
      const meant = closestAlternative(alternatives, value);
      return (meant && coercions.get(meant.schema)?.(value)) ?? value;
    };
  }

  #array(schema: JsonSchema): Coercion {
    const item = isJsonObject(schema.items) ? this.compile(schema.items) : undefined;
    return (given) => {
      const value = read(given, '[');
      return item && Array.isArray(value) ? value.map(item) : value;
    };
  }

  #object(schema: JsonSchema): Coercion {
    const properties = this.#properties(schema);
    const others = isJsonObject(schema.additionalProperties) ? this.compile(schema.additionalProperties) : undefined;
    const known = new Set(properties.map(({ name }) => name));
    const strips = this.options.stripUnknown === true && schema.additionalProperties === false;
    return (given) => {
      const value = read(given, '{');
      if (!isJsonObject(value)) return value;
      const copy = coerceProperties(value, properties);
      return others || strips ? coerceOthers(copy, known, others) : copy;
    };
  }

  #properties(schema: JsonSchema): CoercedProperty[] {
    const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    return Object.entries(properties).map(([name, property]) => ({
      name,
      coerce: isJsonObject(property) ? this.compile(property) : undefined,
      dropsNull: !required.has(name) && isJsonObject(property) && !admitsNull(resolve(property, this.root)),
    }));
  }
}

interface CoercedProperty {
  readonly name: string;
  readonly coerce: Coercion | undefined;
  readonly dropsNull: boolean;
}

function coerceProperties(
  value: Record<string, unknown>,
  properties: readonly CoercedProperty[],
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const { name, coerce, dropsNull } of properties) {
    if (!Object.hasOwn(value, name)) continue;
    const before = value[name];
    if (before === null && dropsNull) {
      delete (copy ??= { ...value })[name];
      continue;
    }
    const after = coerce ? coerce(before) : before;
    if (after !== before) (copy ??= { ...value })[name] = after;
  }
  return copy ?? value;
}

/** Properties that no name was given for: coerced alike, or left out. */
function coerceOthers(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  coerce: Coercion | undefined,
): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([name, item]) => {
    if (known.has(name)) return [[name, item]];
    return coerce ? [[name, coerce(item)]] : [];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** The one type besides null. */
function typeOf({ type }: JsonSchema): unknown {
  if (!Array.isArray(type)) return type;
  const [only, another] = type.filter((name) => name !== 'null');
  return another === undefined ? only : undefined;
}

/** An array or object that a model has written as JSON text within JSON. */
function read(value: unknown, start: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(start)) return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** What a number is turned into or made of, unless digits were lost: then it is left for validation to refuse. */
function exactly<T>(coerced: T, original: unknown): unknown {
  const number = Number(coerced);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? coerced : original;
}

function admitsNull(schema: JsonSchema): boolean {
  const { type, anyOf, oneOf, nullable, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(null);
  if (type === undefined && anyOf === undefined && oneOf === undefined) return true;
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return (
    nullable === true ||
    type === 'null' ||
    (Array.isArray(type) && type.includes('null')) ||
    alternatives.some((alternative) => isJsonObject(alternative) && admitsNull(alternative))
  );
}
