import {
  checkSchema,
  compileValidator,
  declaredInput,
  isJsonObject,
  isPrimitiveType,
  isStandardSchema,
  type JsonSchema,
  messageOf,
  type StandardSchema,
  type ToolInput,
  ToolInputException,
  type Type,
} from '@nestor-ai/schema';
import { parseOutput, requireForm, toOutputException } from './output-json.js';
import { isStructuredOutputConverter, StructuredOutputConverter } from './structured-output-converter.js';

/**
 * The type of an answer: a class, a list of a class (`[Actor]`), a primitive, a map, a schema or a
 * converter.
 */
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

/** The property that wraps a value that is not an object: models only follow schemas of objects. */
const WRAPPED = 'value';

/** A constant, so that it is compiled once. */
const ANY_ARRAY: JsonSchema = { type: 'array' };

/**
 * Converts JSON answers to an instance of a class, a list of them, or a value that a schema
 * describes.
 */
export class EntityOutputConverter<T> extends StructuredOutputConverter<T> {
  readonly #form: Form;
  /** The schema in the instructions to the model. */
  readonly #schema: JsonSchema;
  readonly #isWrapped: boolean;
  readonly #isList: boolean;

  /** @throws Error if the class doesn't declare a type it needs, or the JSON Schema is not valid */
  constructor(type: EntityType) {
    super();
    this.#form = formOf(type);
    const { schema } = this.#form;
    this.#isWrapped = schema.type !== 'object';
    this.#isList = schema.type === 'array';
    this.#schema = this.#isWrapped ? wrapped(schema) : schema;
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
    const value = this.#unwrapped(json);
    return this.#isList === Array.isArray(value) && typeof value === 'object' ? (value ?? undefined) : undefined;
  }

  override async convert(text: string): Promise<T> {
    const json = parseOutput(text);
    try {
      return (await this.#form.read(this.#unwrapped(json))) as T;
    } catch (error) {
      throw toOutputException(error, text);
    }
  }

  override async check(text: string): Promise<string> {
    // JSON Schema cannot express all rules of a class or a schema library.
    await this.convert(text);
    return requireForm(text, this.#form.schema, (json) => this.#unwrapped(json));
  }

  /** The value, whether or not the model wrapped it in an object. */
  #unwrapped(json: unknown): unknown {
    return this.#isWrapped && isJsonObject(json) && Object.keys(json).join() === WRAPPED ? json[WRAPPED] : json;
  }
}

/** The converter for a type. */
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
  const input = inputOf(type);
  return { schema: input.schema, read: (json) => input.parse(json) };
}

function inputOf(type: EntityType): ToolInput {
  if (isStandardSchema(type)) return declaredInput({ inputSchema: type })!;
  if (typeof type === 'function') {
    const input = declaredInput({ inputType: type as Type, unknownArguments: 'strip' })!;
    input.verify?.();
    return input;
  }
  checkSchemaOfAnswer(type as JsonSchema);
  return declaredInput({ inputSchema: type as JsonSchema })!;
}

/**
 * Checks the schema before the model is asked: no answer could fit a broken one.
 *
 * @throws TypeError that explains what is wrong with the schema
 */
function checkSchemaOfAnswer(schema: JsonSchema): void {
  try {
    if (!isJsonObject(schema)) throw new Error('it is not an object');
    checkSchema(schema);
  } catch (cause) {
    throw new TypeError(`The JSON Schema of the answer cannot be used: ${messageOf(cause)}.`, { cause });
  }
}

function primitive(type: Type): Form {
  const input = declaredInput({ inputType: type })!;
  const [name, schema] = Object.entries(input.schema.properties as Record<string, JsonSchema>)[0]!;
  return { schema, read: (json) => input.parse({ [name]: json }) };
}

function listOf({ schema, read }: Form): Form {
  const { $defs, ...items } = schema;
  const list: JsonSchema = { type: 'array', items, ...($defs !== undefined && { $defs }) };
  const check = compileValidator(ANY_ARRAY);
  return {
    schema: list,
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
  throw new ToolInputException([{ path: '', message: 'the answer must be a JSON object' }]);
}

/**
 * The schema as a property of an object. Definitions stay at the root because references point
 * there.
 */
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
