import type { JsonSchema } from '../../model/json-schema.js';
import { declaredInput } from '../../tool/input/declared-input.js';
import { compileValidator } from '../../tool/input/json-schema-validator.js';
import { jsonProblemOf } from '../../tool/input/parse-json.js';
import { isStandardSchema, type StandardSchema } from '../../tool/input/standard-schema-input.js';
import { isJsonObject, type ToolInput, ToolInputException } from '../../tool/input/tool-input.js';
import { isPrimitiveType } from '../../tool/input/primitive-input.js';
import type { Type } from '../../tool/type.js';
import { cleanOutput } from './output-text.js';
import {
  isStructuredOutputConverter,
  StructuredOutputConverter,
  StructuredOutputException,
} from './structured-output-converter.js';

/** The type that an answer may have: a class, a list of one (`[Actor]`), a primitive, a map, a schema, or a converter. */
export type EntityType =
  | Type<unknown>
  | PrimitiveType
  | MapConstructor
  | readonly [Type<unknown> | PrimitiveType]
  | StandardSchema
  | StructuredOutputConverter<unknown>
  | JsonSchema;

/** The classes of single values. */
export type PrimitiveType = StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor;

/** The type of the value that a class describes. */
export type ValueOf<Class> = Class extends StringConstructor
  ? string
  : Class extends NumberConstructor
    ? number
    : Class extends BooleanConstructor
      ? boolean
      : Class extends DateConstructor
        ? Date
        : Class extends MapConstructor
          ? Map<string, unknown>
          : Class extends Type<infer Instance>
            ? Instance
            : never;

/** The property that wraps a value other than an object, since models only follow schemas of objects. */
const WRAPPED = 'value';

/** One object, so that it is compiled once. */
const ANY_ARRAY: JsonSchema = { type: 'array' };

/** Converts answers in JSON to what a class, a list of one, or a schema describes. */
export class EntityOutputConverter<T> extends StructuredOutputConverter<T> {
  readonly #schema: JsonSchema;
  readonly #read: (json: unknown) => unknown;
  readonly #isWrapped: boolean;
  readonly #isList: boolean;

  /** @throws Error when the class or schema leaves a type open */
  constructor(type: EntityType) {
    super();
    const { schema, read } = formOf(type);
    this.#isWrapped = schema.type !== 'object';
    this.#isList = schema.type === 'array';
    this.#schema = this.#isWrapped ? wrapped(schema) : schema;
    this.#read = read;
  }

  override getFormat(): string {
    return [
      'Your response should be in JSON format.',
      'Do not include any explanations, only provide a RFC8259 compliant JSON response following this format without deviation.',
      'Do not include markdown code blocks in your response.',
      'Here is the JSON Schema instance your output must adhere to:',
      '```' + JSON.stringify(this.#schema) + '```',
    ].join('\n');
  }

  override getJsonSchema(): JsonSchema {
    return this.#schema;
  }

  override partial(json: unknown): unknown {
    if (!this.#isWrapped) return isJsonObject(json) ? json : undefined;
    // A model may answer with the bare value.
    const value = isJsonObject(json) && Object.hasOwn(json, WRAPPED) ? json[WRAPPED] : json;
    return this.#isList === Array.isArray(value) && typeof value === 'object' ? (value ?? undefined) : undefined;
  }

  override async convert(text: string): Promise<T> {
    const json = parseOutput(text);
    const isInside = this.#isWrapped && isJsonObject(json) && Object.hasOwn(json, WRAPPED);
    try {
      return (await this.#read(isInside ? json[WRAPPED] : json)) as T;
    } catch (error) {
      if (!(error instanceof ToolInputException)) throw error;
      throw new StructuredOutputException(error.issues.map(({ message }) => message).join('; '), text, {
        cause: error,
      });
    }
  }
}

/**
 * The JSON of an answer.
 *
 * @throws StructuredOutputException when there is none
 */
export function parseOutput(text: string): unknown {
  const cleaned = cleanOutput(text);
  if (cleaned === '') throw new StructuredOutputException('Empty JSON output for validation.', text);
  try {
    return JSON.parse(cleaned);
  } catch (error) {
    // The error itself is no cause: it quotes the answer.
    throw new StructuredOutputException(`Invalid JSON: ${jsonProblemOf(error)}`, text);
  }
}

/** The converter of a type. */
export function toOutputConverter(type: EntityType): StructuredOutputConverter<unknown> {
  return isStructuredOutputConverter(type) ? type : new EntityOutputConverter(type);
}

interface Form {
  readonly schema: JsonSchema;
  read(json: unknown): unknown;
}

function formOf(type: EntityType): Form {
  if (Array.isArray(type)) return listOf(formOf((type as unknown as [EntityType])[0]));
  if ((type as unknown) === Map)
    return { schema: { type: 'object' }, read: (json) => new Map(Object.entries(object(json))) };
  if ((type as unknown) === Object) return { schema: { type: 'object' }, read: object };
  if (isPrimitiveType(type)) return primitive(type as Type);
  const input: ToolInput =
    typeof type === 'function' && !isStandardSchema(type)
      ? declaredInput({ inputType: type, unknownArguments: 'strip' })!
      : declaredInput({ inputSchema: type as JsonSchema })!;
  return { schema: input.schema, read: (json) => input.parse(json) };
}

function primitive(type: Type): Form {
  const input = declaredInput({ inputType: type })!;
  const [name, schema] = Object.entries(input.schema.properties as Record<string, JsonSchema>)[0]!;
  return { schema, read: (json) => input.parse({ [name]: json }) };
}

function listOf({ schema, read }: Form): Form {
  const { $defs, ...items } = schema;
  const whole: JsonSchema = { type: 'array', items, ...($defs !== undefined && { $defs }) };
  const check = compileValidator(ANY_ARRAY);
  return {
    schema: whole,
    read: async (json) => {
      check(json);
      const issues: ToolInputException['issues'][number][] = [];
      const read1 = async (item: unknown, at: number): Promise<unknown> => {
        try {
          return await read(item);
        } catch (error) {
          if (!(error instanceof ToolInputException)) throw error;
          issues.push(...error.inside(`[${at}]`).issues);
          return undefined;
        }
      };
      const values = await Promise.all((json as unknown[]).map(read1));
      if (issues.length > 0) throw new ToolInputException(issues);
      return values;
    },
  };
}

function object(json: unknown): Record<string, unknown> {
  if (isJsonObject(json)) return json;
  throw new ToolInputException([{ path: '', message: 'the answer has to be a JSON object' }]);
}

/** The schema as a property of an object. Definitions stay at the root, where references look for them. */
function wrapped({ $defs, definitions, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [WRAPPED]: schema },
    required: [WRAPPED],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
