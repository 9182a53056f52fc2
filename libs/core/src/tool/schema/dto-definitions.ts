import type { JsonSchema } from '../../model/json-schema.js';
import { findPropertyParams, type ToolParamOptions } from '../declaration/tool-param.decorator.js';
import { ToolDeclarationException } from '../declaration/tool-declaration.exception.js';
import { isJsonObject } from '../input/tool-input.js';
import type { Constructor, Type } from '../type.js';
import { isDto, isOptionalProperty, nestedType, untoldTransformation, validatedProperties } from './dto-metadata.js';
import { readValidatorSchema } from './dto-validators.js';
import { schemaOfType } from './type-schema.js';

const REFERENCE = '#/$defs/';

/**
 * Writes the JSON Schemas of classes with class-validator decorators or `@ToolParam` properties.
 *
 * Nested classes are written where they are used; only those that contain themselves go to `$defs`, which
 * belong to the root of the schema that all the classes are part of.
 */
export class DtoDefinitions {
  readonly #open: Type[] = [];
  readonly #names = new Map<Type, string>();
  readonly #written = new Map<string, JsonSchema>();

  /** @throws ToolDeclarationException naming class and property when a type cannot be known */
  write(type: Type): JsonSchema {
    if (this.#open.includes(type)) return { $ref: REFERENCE + this.#nameOf(type) };
    const known = this.#names.get(type);
    if (known !== undefined && this.#written.has(known)) return { $ref: REFERENCE + known };
    this.#open.push(type);
    const schema = this.#writeClass(type);
    this.#open.pop();
    const name = this.#names.get(type);
    if (name === undefined) return schema;
    this.#written.set(name, schema);
    return { $ref: REFERENCE + name };
  }

  /** The schemas of the classes that contain themselves, if there are any. */
  get $defs(): Readonly<Record<string, JsonSchema>> | undefined {
    return this.#written.size === 0 ? undefined : Object.fromEntries(this.#written);
  }

  #nameOf(type: Type): string {
    let name = this.#names.get(type);
    if (name === undefined) {
      const taken = new Set(this.#names.values());
      name = type.name;
      for (let n = 2; taken.has(name); n++) name = `${type.name}_${n}`;
      this.#names.set(type, name);
    }
    return name;
  }

  #writeClass(type: Type): JsonSchema {
    const read = readValidatorSchema(type);
    const params = findPropertyParams(type);
    refuseUntold(type, params);
    const defaults = readDefaults(type);
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const name of new Set([...Object.keys(read), ...params.keys()])) {
      const param = params.get(name);
      const fallback = defaults[name];
      properties[name] = {
        ...this.#writeProperty(type, name, param, read[name]),
        ...(param?.description && { description: param.description }),
        ...(fallback !== undefined && { default: fallback }),
      };
      const optional = isOptionalProperty(type, name) || fallback !== undefined;
      if (param?.required ?? !optional) required.push(name);
    }
    return { type: 'object', properties, required, additionalProperties: false };
  }

  #writeProperty(
    type: Type,
    name: string,
    param: ToolParamOptions | undefined,
    read: JsonSchema | undefined,
  ): JsonSchema {
    const where = `Property '${name}' of ${type.name}`;
    const nested = (inner: Type): JsonSchema => this.write(inner);
    if (param?.schema !== undefined || param?.type !== undefined) {
      const declared = schemaOfType({ declared: param, where, nested });
      if (declared.convert && param.schema !== undefined) {
        throw new ToolDeclarationException(
          `${where} has a schema that also transforms. On a property, use class-validator and class-transformer, or a JSON ` +
            'Schema; or describe the whole input with @Tool({ inputSchema }).',
        );
      }
      return { ...read, ...declared.schema };
    }
    const inner = nestedType(type, name);
    const written = read && this.#replaceReferences(read, inner, where);
    if (!written || isUnknown(written)) {
      const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
      return { ...written, ...schemaOfType({ reflected, where, nested }).schema };
    }
    if (written.type === 'array' && (!isJsonObject(written.items) || isUnknown(written.items))) {
      throw new ToolDeclarationException(
        `${where} is an array, but the type of its items is not known. Add a decorator for the items, ` +
          'such as @IsString({ each: true }) or @ValidateNested({ each: true }) with @Type(() => Item), ' +
          'or @ToolParam({ type: [String] }).',
      );
    }
    return written;
  }

  /** class-validator-jsonschema refers to a nested class by its name and leaves it undefined. */
  #replaceReferences(schema: JsonSchema, nested: Type | undefined, where: string): JsonSchema {
    if (typeof schema.$ref === 'string') {
      if (nested && isDto(nested)) return this.write(nested);
      throw new ToolDeclarationException(
        `${where} is a nested object of a class that is not known: add @Type(() => ItsClass) from class-transformer, ` +
          'and class-validator decorators to the properties of that class.',
      );
    }
    const copy: Record<string, unknown> = { ...schema };
    for (const key of ['items', 'additionalProperties']) {
      const child = schema[key];
      if (isJsonObject(child)) copy[key] = this.#replaceReferences(child, nested, where);
    }
    return copy;
  }
}

/** @throws ToolDeclarationException for a property that class-transformer makes something else of than it says */
function refuseUntold(type: Type, params: ReadonlyMap<string, ToolParamOptions>): void {
  for (const name of new Set([...validatedProperties(type), ...params.keys()])) {
    const untold = untoldTransformation(type, name);
    if (untold === undefined || params.get(name)?.schema !== undefined) continue;
    throw new ToolDeclarationException(
      `Property '${name}' of ${type.name} has ${untold}, which the model could not be told of. Use a plain property, or ` +
        'describe it with @ToolParam({ schema }).',
    );
  }
}

/** The values that a fresh instance has: what a property is when the model leaves it out. */
function readDefaults(type: Type): Record<string, unknown> {
  try {
    const instance = new (type as Constructor<object>)();
    return Object.fromEntries(
      Object.entries(instance).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
    );
  } catch (cause) {
    throw new ToolDeclarationException(
      `${type.name} cannot be the input of a tool: it cannot be instantiated without arguments (${(cause as Error).message}).`,
      { cause },
    );
  }
}

function isUnknown(schema: JsonSchema): boolean {
  return !['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'properties'].some(
    (keyword) => keyword in schema,
  );
}
