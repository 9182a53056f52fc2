import { type JsonSchema } from '../json/json-schema.js';
import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import { ToolDeclarationException, UnknownTypeException } from '../declaration/tool-declaration.exception.js';
import { isType, type Type } from '../type.js';
import { isDto } from './class-description.js';
import { DATE_SCHEMA } from './dates.js';
import { enumSchema, enumValues, isEnumObject } from './enum-schema.js';
import { explainUnknownType } from './explain-unknown-type.js';
import { setOf } from './set-schema.js';

interface TypeSource {
  /** The type from `@ToolParam`, or from another decorator in the same form. */
  declared?: { readonly type?: ToolParamType | undefined; readonly schema?: JsonSchema | undefined } | undefined;
  /** The type that TypeScript emitted. */
  reflected?: unknown;
  /** The start of error messages: names the value and its class. */
  where: () => string;
  /** Generates the schema of a class. */
  nested: (type: Type) => JsonSchema;
}

/**
 * The schema of a value: from its declaration, or else from the emitted type.
 *
 * @throws ToolDeclarationException when neither is sufficient
 */
export function schemaOfType(source: TypeSource): JsonSchema {
  const { declared, where, reflected } = source;
  if (declared?.schema !== undefined) return declared.schema;
  if (declared?.type !== undefined) return contained(fromDeclaredType(declared.type, source), source);
  const known = fromClass(reflected, source);
  if (known) return known;
  throw new UnknownTypeException(`${where()} ${explainUnknownType(reflected)}`);
}

function fromDeclaredType(type: ToolParamType, source: TypeSource): JsonSchema {
  if (type === 'integer') return { type: 'integer' };
  if (isItemsType(type)) return { type: 'array', items: fromDeclaredType(type[0], source) };
  if (isValuesType(type)) return { type: 'object', additionalProperties: fromDeclaredType(type.values, source) };
  const known = fromClass(type, source);
  if (known) return known;
  throw new ToolDeclarationException(
    `${source.where()} is declared as ${isType(type) ? type.name : JSON.stringify(type)}, which does not describe an input. ` +
      'Use String, Number, Boolean, Date, an enum, a class with class-validator ' +
      'decorators, an array of one of these such as [String], { values: String }, or @ToolParam({ schema }).',
  );
}

/** Whether a type is an array type: `[String]`. */
export function isItemsType(type: unknown): type is readonly [ToolParamType] {
  return Array.isArray(type) && type.length === 1;
}

/** Whether a type is an object with values of one type: `{ values: Number }`. */
export function isValuesType(type: unknown): type is { readonly values: ToolParamType } {
  if (typeof type !== 'object' || type === null || Array.isArray(type)) return false;
  const { values, ...others } = type as { values?: unknown };
  const isType = values === 'integer' || typeof values === 'function' || typeof values === 'object';
  return isType && Object.keys(others).length === 0;
}

/**
 * @throws ToolDeclarationException when the declared type contradicts the emitted container type
 */
function contained(schema: JsonSchema, { reflected, where, declared }: TypeSource): JsonSchema {
  const isArray = schema.type === 'array';
  if ((reflected === Array || reflected === Set) && !isArray) {
    throw new ToolDeclarationException(
      `${where()} is ${reflected === Set ? 'a Set' : 'an array'}, but its declared type is not. ` +
        'Write the class of its items in brackets: @ToolParam({ type: [String] }).',
    );
  }
  if (reflected === Map && !isValuesType(declared?.type)) {
    throw new ToolDeclarationException(
      `${where()} is a Map, but its declared type is not. Name the type of its values: ` +
        '@ToolParam({ type: { values: String } }).',
    );
  }
  return reflected === Set ? setOf(schema.items as JsonSchema) : schema;
}

function fromClass(type: unknown, source: TypeSource): JsonSchema | undefined {
  switch (type) {
    case String:
      return { type: 'string' };
    case Number:
      return { type: 'number' };
    case Boolean:
      return { type: 'boolean' };
    case Date:
      return DATE_SCHEMA;
    default:
      if (isEnumObject(type)) return enumSchema(enumValues(type));
      return isType(type) && isDto(type) ? source.nested(type) : undefined;
  }
}
