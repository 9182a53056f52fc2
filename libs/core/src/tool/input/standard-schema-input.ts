import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { freezeSchema, type JsonSchema } from '../../model/json-schema.js';
import { type Coercion, compileCoercion } from './coerce.js';
import { checkRoot } from './json-schema-check.js';
import { formatPath, MAX_ISSUES, ToolInputException, type ToolInput } from './tool-input.js';

/** A schema of a library that follows standardschema.dev, such as Zod, ArkType or Valibot. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/** Whether a value is a {@link StandardSchema}. ArkType's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value;
}

/** Arguments described and validated by a Standard Schema. */
export class StandardSchemaInput implements ToolInput {
  readonly schema: JsonSchema;
  readonly #standard: StandardSchemaV1['~standard'];
  readonly #optin: string | undefined;
  #coerce: Coercion | undefined;

  /** @throws Error when the schema cannot be expressed as JSON Schema, with the remedy */
  constructor(schema: StandardSchema) {
    this.#standard = schema['~standard'];
    const { _zod: zod } = schema as { _zod?: { optin?: string } };
    this.#optin = zod && (zod.optin ?? 'required');
    this.schema = freezeSchema(toJsonSchema(this.#standard));
  }

  /** Whether the value may be left out. */
  get acceptsNothing(): boolean {
    // Zod says so itself. To try it out would run transformations, and a promise that these lose would end the process.
    if (this.#optin !== undefined) return this.#optin !== 'required';
    try {
      const result = this.#standard.validate(undefined);
      if (!(result instanceof Promise)) return !result.issues;
      // Whatever becomes of it, nobody waits for it.
      result.catch(() => undefined);
    } catch {
      // What fails without a value needs one.
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
  // Some libraries have lists of their own, whose map() is not that of arrays.
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

function toJsonSchema(standard: StandardSchemaV1['~standard']): JsonSchema {
  const { vendor } = standard;
  const converter = (standard as Partial<StandardJSONSchemaV1['~standard']>).jsonSchema;
  if (!converter) {
    throw new Error(
      `The schema of '${vendor}' does not say how it looks as JSON Schema. ${CONVERTER_HINTS[vendor] ?? ''}` +
        'Use a library version with Standard JSON Schema support, or give a JSON Schema.',
    );
  }
  try {
    const { $schema: _dialect, ...schema } = converter.input({ target: 'draft-2020-12' });
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
  zod: 'Zod has it since 4.2. ',
  valibot: 'Wrap it with toStandardJsonSchema() of @valibot/to-json-schema. ',
};
