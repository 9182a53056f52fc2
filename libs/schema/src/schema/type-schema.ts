import { type JsonSchema } from '../json/json-schema.js';
import type { ToolParamType } from '../declaration/tool-param.decorator.js';
import { ToolDeclarationException, UnknownTypeException } from '../declaration/tool-declaration.exception.js';
import { isType, type Type } from '../type.js';
import { isDto } from './class-description.js';
import { DATE_SCHEMA } from './dates.js';
import { enumSchema, enumValues, isEnumObject } from './enum-schema.js';
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

/**
 * Explains why an emitted type is not sufficient, and the remedy. The text follows the name of the
 * value.
 */
function explainUnknownType(reflected: unknown): string {
  if (reflected === Array || reflected === Set) {
    return (
      `is ${reflected === Array ? 'an array' : 'a Set'}, but the type of its items is unknown. Add @ToolParam({ type: [String] }) ` +
      'with the class of the items, or @ToolParam({ schema }).'
    );
  }
  if (reflected === Map) {
    return (
      'is a Map, but the type of its values is unknown. Add @ToolParam({ type: { values: String } }) with the class of ' +
      'the values, or @ToolParam({ schema }).'
    );
  }
  if (reflected === undefined) {
    return (
      'has no type at run time. Turn on "experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json (TypeScript then ' +
      'emits the types of decorated methods: an override needs a @Tool() of its own), or add @ToolParam({ type }) or ' +
      '@ToolParam({ schema }).'
    );
  }
  if (reflected === Object || reflected === Function) {
    return (
      `has no type at run time: TypeScript emitted ${(reflected as Type).name}. It cannot emit interfaces, unions (also with ` +
      'null or undefined), type aliases, or classes imported with `import type`. Import the class as a value, use a class ' +
      'with class-validator decorators, or add @ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  if (reflected === BigInt) {
    return (
      'is a bigint, which JSON does not support. Declare a string, which keeps all digits, or a number, and convert it in the ' +
      'method: BigInt(text). Or add @ToolParam({ schema }) for the JSON value, which the method then receives unchanged.'
    );
  }
  if (reflected === Symbol) return 'is a symbol, which JSON does not support. Declare a string.';
  const name = isType(reflected) ? reflected.name : JSON.stringify(reflected);
  if (isType(reflected) && typeof (reflected.prototype as { toJSON?: unknown } | undefined)?.toJSON === 'function') {
    return (
      `is of type ${name}, which has a form of its own in JSON. Declare that form, such as a string, and make the ${name} in the ` +
      'method. Or add @ToolParam({ schema }) for the JSON value, which the method then receives unchanged.'
    );
  }
  return (
    `is of type ${name}, which does not describe its properties. Decorate them with class-validator ` +
    'decorators or @ToolParam(), or add @ToolParam({ schema }).'
  );
}
