import type { JsonSchema } from '../json/json-schema.js';
import { markedAlternatives, closestAlternative, resolve } from './alternatives.js';
import { parseJson } from './parse-json.js';
import { isJsonObject } from '../json/is-json-object.js';
import { remembered } from '../json/remembered.js';

/** Converts values to the type of their schema if the model's intent is clear. */
export type Coercion = (value: unknown) => unknown;

/** The options of {@link compileCoercion}. */
export interface CoercionOptions {
  /**
   * Removes undeclared properties if the schema has `additionalProperties: false`. Default: false.
   */
  readonly stripUnknown?: boolean;
  /** Only removes null where an optional property does not allow it. Default: false. */
  readonly onlyNulls?: boolean;
}

const NUMBER = /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;
const UNCHANGED: Coercion = (value) => value;

/**
 * Compiles a schema to a {@link Coercion}. `"5"` for a number becomes 5, `"true"` for a boolean
 * becomes true, an array or object given as JSON text is parsed, and null is removed if an
 * optional property does not allow it. Everything else is left to validation. The input is never
 * changed; changed parts are copied.
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
    const type = typeOf(schema);
    if (this.options.onlyNulls && type !== 'array' && type !== 'object') return undefined;
    switch (type) {
      case 'integer':
        return (value) => {
          // Unsafe integers lost digits when they were parsed. As text, validation refuses them.
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

  /** Compiled on first use, because a schema may reference itself. */
  #reference(schema: JsonSchema, reference: string): Coercion | undefined {
    const target = resolve(schema, this.root);
    if (target === schema) return undefined;
    const compiled = (): Coercion => this.compile(target) ?? UNCHANGED;
    return (value) => remembered(this.#definitions, reference, compiled)(value);
  }

  /**
   * Coerces only if it is clear which schema is meant: the only one besides null, or the one that
   * a constant identifies.
   */
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
    const compiled = (item: unknown): Coercion => (isJsonObject(item) ? this.compile(item) : undefined) ?? UNCHANGED;
    const other = compiled(schema.items);
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.map(compiled) : [];
    return (given) => {
      const value = this.#read(given, '[');
      if (!Array.isArray(value)) return value;
      const items = value.map((item, at) => (first[at] ?? other)(item));
      return items.some((coerced, at) => coerced !== value[at]) ? items : value;
    };
  }

  #object(schema: JsonSchema): Coercion {
    const properties = this.#properties(schema);
    const others = isJsonObject(schema.additionalProperties) ? this.compile(schema.additionalProperties) : undefined;
    const known = new Set(properties.map(({ name }) => name));
    const strips = this.options.stripUnknown === true && schema.additionalProperties === false;
    return (given) => {
      const value = this.#read(given, '{');
      if (!isJsonObject(value)) return value;
      const copy = coerceProperties(value, properties);
      return others || strips ? coerceOthers(copy, known, others) : copy;
    };
  }

  /** An array or object, which may be given as JSON text. */
  #read(given: unknown, opening: '[' | '{'): unknown {
    return this.options.onlyNulls ? given : read(given, opening);
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

/** Coerces the undeclared properties, or removes them. */
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

/** The only type besides null. */
function typeOf({ type }: JsonSchema): unknown {
  if (!Array.isArray(type)) return type;
  const [only, another] = type.filter((name) => name !== 'null');
  return another === undefined ? only : undefined;
}

/** Parses an array or object that the model wrote as JSON text inside JSON. */
function read(value: unknown, start: '[' | '{'): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(start)) return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** Returns the number, or the original if digits were lost. Validation then refuses it. */
function exactly<T>(coerced: T, original: unknown): unknown {
  const number = Number(coerced);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? coerced : original;
}

function admitsNull(schema: JsonSchema): boolean {
  const { type, anyOf, oneOf, nullable, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(null);
  if ('const' in schema) return schema.const === null;
  if (type === undefined && anyOf === undefined && oneOf === undefined) return true;
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return (
    nullable === true ||
    type === 'null' ||
    (Array.isArray(type) && type.includes('null')) ||
    alternatives.some((alternative) => isJsonObject(alternative) && admitsNull(alternative))
  );
}
