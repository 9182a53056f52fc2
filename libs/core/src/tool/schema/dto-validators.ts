import type { JsonSchema } from '../../model/json-schema.js';
import { isJsonObject } from '../input/tool-input.js';
import { lazyRequire } from '../lazy-require.js';
import type { Type } from '../type.js';
import { classValidator, hasValidator, transformerStorage } from './dto-metadata.js';

/** What class-validator keeps of one decorator. */
interface ValidatorMetadata {
  readonly target: Type | string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
}

interface JsonSchemaReader {
  targetConstructorToSchema(type: Type, options: object): { properties?: Record<string, JsonSchema> };
}

/** The schemas of a class's properties, in so far as its class-validator decorators tell. */
export function readValidatorSchema(type: Type): Record<string, JsonSchema> {
  const { targetConstructorToSchema } = lazyRequire<JsonSchemaReader>('class-validator-jsonschema');
  const { properties = {} } = targetConstructorToSchema(type, {
    classValidatorMetadataStorage: classValidator().getMetadataStorage(),
    classTransformerMetadataStorage: transformerStorage(),
    refPointerPrefix: '#/$defs/',
    additionalConverters: CONVERTERS,
  });
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, tidy(withReflectedType(schema, type, name))]),
  );
}

/** Where class-validator-jsonschema says something that the validator does not mean. */
const CONVERTERS: Readonly<Record<string, (metadata: ValidatorMetadata) => JsonSchema>> = {
  isDefined: () => ({}),
  // Nothing is said of the type: @IsNotEmpty() stands on numbers and arrays as well.
  isNotEmpty: (metadata) => (designType(metadata) === String ? { type: 'string', minLength: 1 } : {}),
  // The second constraint leaves out the reverse mapping of numeric enums.
  isEnum: ({ constraints = [] }) =>
    enumSchema((constraints[1] ?? Object.values(constraints[0] as object)) as unknown[]),
  // A pattern has no flags.
  matches: ({ constraints = [] }) => {
    const pattern = constraints[0];
    const plain = pattern instanceof RegExp && /^[gu]*$/.test(pattern.flags);
    return { type: 'string', ...(plain && { pattern: pattern.source }) };
  },
};

/** The schema of a value that is one of a few. */
export function enumSchema(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  return { ...(types.size === 1 && (type === 'string' || type === 'number') && { type }), enum: [...values] };
}

/** The type that TypeScript emitted wins over what the order of the decorators would make of it. */
function withReflectedType(schema: JsonSchema, type: Type, name: string): JsonSchema {
  const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
  if (reflected === Number && 'type' in schema) {
    return { ...schema, type: hasValidator(type, name, 'isInt') ? 'integer' : 'number' };
  }
  if (reflected === Boolean && 'type' in schema) return { ...schema, type: 'boolean' };
  return schema;
}

function designType({ target, propertyName }: ValidatorMetadata): unknown {
  return typeof target === 'function'
    ? Reflect.getMetadata('design:type', target.prototype as object, propertyName)
    : undefined;
}

/** @IsDateString() and @IsDate() come with patterns and alternatives that refuse dates the validators accept. */
function tidy(schema: JsonSchema): JsonSchema {
  const { pattern, oneOf, ...rest } = schema;
  const isDateString = typeof pattern === 'string' && pattern.startsWith('\\d{4}-[01]\\d');
  const isDate = Array.isArray(oneOf) && oneOf.some((one) => isJsonObject(one) && one.format === 'date');
  if (isDateString || isDate) return { ...rest, type: 'string', format: 'date-time' };
  return isJsonObject(schema.items) ? { ...schema, items: tidy(schema.items) } : schema;
}
