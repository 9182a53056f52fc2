import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { freezeSchema, type JsonSchema } from '../json/json-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkRoot } from './json-schema-check.js';
import { formatPath, MAX_ISSUES, ToolInputException, type ToolInput } from './tool-input.js';

/** A schema of a library that implements standardschema.dev, such as Zod, ArkType or Valibot. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/** Whether a value is a {@link StandardSchema}. ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value;
}

/** Arguments described and validated by a Standard Schema. */
export class StandardSchemaInput implements ToolInput {
  readonly schema: JsonSchema;
  readonly #standard: StandardSchemaV1['~standard'];
  readonly #optin: string | undefined;
  #coerce: Coercion | undefined;

  /** @throws Error with the remedy when the schema cannot be converted to JSON Schema */
  constructor(schema: StandardSchema) {
    this.#standard = schema['~standard'];
    const { _zod: zod } = schema as { _zod?: { optin?: string } };
    this.#optin = zod && (zod.optin ?? 'required');
    this.schema = freezeSchema(toJsonSchema(this.#standard, 'input'));
  }

  /** Whether the value is optional. */
  get acceptsNothing(): boolean {
    // Zod provides it. Trying it out would run transformations, and a rejected promise inside them
    // would end the process.
    if (this.#optin !== undefined) return this.#optin !== 'required';
    try {
      const result = this.#standard.validate(undefined);
      if (!(result instanceof Promise)) return !result.issues;
      // Ignore the result, but avoid an unhandled rejection.
      result.catch(() => undefined);
    } catch {
      // A schema that throws without a value requires one.
    }
    return false;
  }

  parse(json: unknown): unknown {
    this.#coerce ??= compileCoercion(this.schema);
    const result = this.#standard.validate(this.#coerce(json));
    return result instanceof Promise ? result.then(unwrap) : unwrap(result);
  }

  verify(): void {
    checkRoot(this.schema);
  }
}

function unwrap(result: StandardSchemaV1.Result<unknown>): unknown {
  if (!result.issues) return result.value;
  // Some libraries have list classes whose map() differs from the one of arrays.
  const issues = Array.prototype.slice.call(result.issues, 0, MAX_ISSUES) as StandardSchemaV1.Issue[];
  throw new ToolInputException(
    issues.map(({ path, message }) => {
      const at = formatPath(Array.from(path ?? [], (part) => (typeof part === 'object' ? part.key : part)));
      return { path: at, message: at ? `'${at}': ${message}` : message };
    }),
    false,
    result.issues.length,
  );
}

/**
 * The JSON Schema of the values that a Standard Schema returns.
 *
 * @throws Error with the remedy when the schema cannot be converted to JSON Schema
 */
export function outputJsonSchema(schema: StandardSchema): JsonSchema {
  return toJsonSchema(schema['~standard'], 'output');
}

function toJsonSchema(standard: StandardSchemaV1['~standard'], side: 'input' | 'output'): JsonSchema {
  const { vendor } = standard;
  const converter = (standard as Partial<StandardJSONSchemaV1['~standard']>).jsonSchema;
  if (!converter) {
    throw new Error(
      `The schema of '${vendor}' cannot be converted to JSON Schema. ${CONVERTER_HINTS[vendor] ?? ''}` +
        'Use a library version that supports Standard JSON Schema, or pass a JSON Schema.',
    );
  }
  try {
    const { $schema: _dialect, ...schema } = converter[side]({ target: 'draft-2020-12' });
    return schema;
  } catch (cause) {
    throw new Error(
      `The schema of '${vendor}' cannot be expressed as JSON Schema: ${(cause as Error).message}. ` +
        'Describe the value as it looks in JSON and transform it, for example a date as an ISO string.',
      { cause },
    );
  }
}

const CONVERTER_HINTS: Readonly<Record<string, string>> = {
  zod: 'Zod supports it since 4.2. ',
  valibot: 'Wrap it with toStandardJsonSchema() of @valibot/to-json-schema. ',
};
