import { type JsonSchema } from '../../model/json-schema.js';
import type { ToolParamOptions, ToolParamType } from '../declaration/tool-param.decorator.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isStandardSchema, StandardSchemaInput } from '../input/standard-schema-input.js';
import { isType, type Type } from '../type.js';
import { isDto } from './dto-metadata.js';
import { toDate } from './dto-shape.js';
import { enumSchema } from './dto-validators.js';

/** A value's schema, and how its JSON becomes the value. */
export interface TypeSchema {
  readonly schema: JsonSchema;
  readonly convert?: (value: unknown) => unknown;
  /** The value may be left out; what it is then, `convert` knows. */
  readonly isOptional?: boolean;
}

interface TypeSource {
  /** What `@ToolParam` says. */
  declared?: ToolParamOptions;
  /** What TypeScript emitted for the value's type. */
  reflected?: unknown;
  /** The beginning of an error: which value of which class this is. */
  where: string;
  /** Writes the schema of a class. */
  nested: (type: Type) => JsonSchema;
  /** Makes instances of a class; without it, the whole object is transformed elsewhere. */
  instantiate?: (type: Type) => (value: unknown) => unknown;
}

/**
 * The schema of one value, from what is declared or else from what TypeScript emitted.
 *
 * @throws ToolDeclarationException when neither says enough
 */
export function schemaOfType(source: TypeSource): TypeSchema {
  const { declared, where } = source;
  if (declared?.schema !== undefined) {
    if (!isStandardSchema(declared.schema)) return { schema: declared.schema };
    const input = new StandardSchemaInput(declared.schema);
    return { schema: input.schema, convert: (value) => input.parse(value), isOptional: input.acceptsNothing };
  }
  if (declared?.type !== undefined) return fromDeclaredType(declared.type, source);
  const known = fromClass(source.reflected, source);
  if (known) return known;
  throw new ToolDeclarationException(`${where} ${explainUnknown(source.reflected)}`);
}

function fromDeclaredType(type: ToolParamType, source: TypeSource): TypeSchema {
  if (type === 'integer') return { schema: { type: 'integer' } };
  if (Array.isArray(type) && type.length === 1) {
    const item = fromDeclaredType(type[0] as Type, source);
    const { convert } = item;
    return {
      schema: { type: 'array', items: item.schema },
      ...(convert && { convert: (value) => Promise.all((value as unknown[]).map((entry) => convert(entry))) }),
    };
  }
  const known = fromClass(type, source);
  if (known) return known;
  throw new ToolDeclarationException(
    `${source.where} is declared with @ToolParam({ type: ${isType(type) ? type.name : JSON.stringify(type)} }), which is no ` +
      'class that describes an input. Use String, Number, Boolean, Date, a class with class-validator ' +
      'decorators, an array of one of these, or @ToolParam({ schema }).',
  );
}

function fromClass(type: unknown, source: TypeSource): TypeSchema | undefined {
  switch (type) {
    case String:
      return { schema: { type: 'string' } };
    case Number:
      return { schema: { type: 'number' } };
    case Boolean:
      return { schema: { type: 'boolean' } };
    case Date:
      return {
        schema: { type: 'string', format: 'date-time' },
        convert: (value) => (typeof value === 'string' ? toDate(value) : value),
      };
    default: {
      if (isEnumObject(type)) return { schema: enumSchema(enumValues(type)) };
      if (!isType(type) || UNINFORMATIVE.has(type) || !isDto(type)) return undefined;
      const convert = source.instantiate?.(type);
      return { schema: source.nested(type), ...(convert && { convert }) };
    }
  }
}

/** Some compilers emit the enum itself as the type of a parameter. */
function isEnumObject(type: unknown): type is Readonly<Record<string, string | number>> {
  return (
    typeof type === 'object' &&
    type !== null &&
    Object.keys(type).length > 0 &&
    Object.values(type).every((value) => typeof value === 'string' || typeof value === 'number')
  );
}

/** Without the names that a numeric enum maps its values back to. */
function enumValues(type: Readonly<Record<string, string | number>>): (string | number)[] {
  return Object.entries(type)
    .filter(([key, value]) => !(typeof value === 'string' && type[value] === Number(key)))
    .map(([, value]) => value);
}

const UNINFORMATIVE: ReadonlySet<unknown> = new Set([Object, Array, Function, Promise, Map, Set, Symbol]);

function explainUnknown(reflected: unknown): string {
  if (reflected === Array) {
    return (
      'is an array, but the type of its items is not known. Add @ToolParam({ type: [String] }) with the class of ' +
      'the items, or @ToolParam({ schema }).'
    );
  }
  if (reflected === undefined) {
    return (
      'has no type at run time. Turn on "experimentalDecorators" and "emitDecoratorMetadata", or add ' +
      '@ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  if (reflected === Object || reflected === Function) {
    return (
      `has no type at run time: TypeScript emitted ${(reflected as Type).name}. An interface, a union (also with null or ` +
      'undefined) or a type alias leaves nothing behind, and neither does a class imported with `import type`. Import the ' +
      'class as a value, use a class with class-validator decorators, or add @ToolParam({ type }) or @ToolParam({ schema }).'
    );
  }
  const name = isType(reflected) ? reflected.name : JSON.stringify(reflected);
  return (
    `is of type ${name}, which does not say what its properties are. Decorate them with class-validator ` +
    'decorators or @ToolParam(), or add @ToolParam({ schema }).'
  );
}
