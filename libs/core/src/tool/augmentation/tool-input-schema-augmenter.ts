import {
  dtoSchema,
  freezeSchema,
  isDto,
  isJsonObject,
  type JsonSchema,
  rewriteReferences,
  ToolDeclarationException,
  type Type,
} from '@nestor-ai/schema';

/** An additional argument of a tool. */
export interface AugmentedArgumentType {
  readonly name: string;
  /** The schema of the argument. References are relative to `$defs`. */
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description?: string;
}

/** Adds arguments to tool schemas without changing the tools. */
export const ToolInputSchemaAugmenter = {
  /**
   * Returns the properties of a class as arguments: name, schema, description and whether they are
   * required, as declared by its decorators.
   *
   * @throws ToolDeclarationException when the class has no decorated property
   */
  toAugmentedArgumentTypes(type: Type): AugmentedArgumentType[] {
    const { properties, required } = schemaOf(type);
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      schema,
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
    }));
  },

  /**
   * Returns a tool's schema with additional arguments. Arguments of the same name are replaced;
   * everything else is kept.
   *
   * @param schema the schema of the tool
   * @param added a class or a list of arguments
   * @throws ToolDeclarationException when the schema does not describe an object
   */
  augmentToolInputSchema(schema: JsonSchema, added: Type | readonly AugmentedArgumentType[]): JsonSchema {
    if (!isJsonObject(schema) || (schema.type !== undefined && schema.type !== 'object')) {
      throw new ToolDeclarationException('Only the schema of an object can get additional arguments.');
    }
    const { $defs, properties, required } = typeof added === 'function' ? schemaOf(added) : toParts(added);
    const own = (schema.$defs ?? {}) as Record<string, JsonSchema>;
    const renamed = renameTaken($defs, own);
    const rewrite = (value: JsonSchema): JsonSchema =>
      rewriteReferences(value, (reference) => {
        const name = renamed.get(reference.replace('#/$defs/', ''));
        return name === undefined ? reference : `#/$defs/${name}`;
      });
    const definitions = Object.entries($defs).map(
      ([name, value]) => [renamed.get(name) ?? name, rewrite(value)] as const,
    );
    const merged = { ...own, ...Object.fromEntries(definitions) };
    const before = Array.isArray(schema.required) ? (schema.required as string[]) : [];
    return freezeSchema({
      ...schema,
      type: 'object',
      ...(Object.keys(merged).length > 0 && { $defs: merged }),
      properties: {
        ...(schema.properties as Record<string, JsonSchema> | undefined),
        ...Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, rewrite(value)])),
      },
      required: [...before.filter((name) => !Object.hasOwn(properties, name)), ...required],
    });
  },
};

interface Parts {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

function schemaOf(type: Type): Parts {
  if (!isDto(type)) {
    throw new ToolDeclarationException(
      `${type.name} adds no arguments: an argument type needs at least one property with @ToolParam() or a class-validator ` +
        'decorator.',
    );
  }
  const { $defs = {}, properties, required } = dtoSchema(type) as unknown as Omit<Parts, '$defs'> & Partial<Parts>;
  return { $defs, properties, required };
}

function toParts(added: readonly AugmentedArgumentType[]): Parts {
  return {
    $defs: {},
    properties: Object.fromEntries(
      added.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: added.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * Renames definitions whose names are taken. If one of them differs, all are renamed, because they
 * may reference each other.
 */
function renameTaken(
  added: Readonly<Record<string, JsonSchema>>,
  taken: Readonly<Record<string, JsonSchema>>,
): ReadonlyMap<string, string> {
  const same = Object.keys(added).filter((name) => Object.hasOwn(taken, name));
  if (same.every((name) => JSON.stringify(taken[name]) === JSON.stringify(added[name]))) return new Map();
  return new Map(
    same.map((name) => {
      let n = 2;
      while (Object.hasOwn(taken, `${name}_${n}`) || Object.hasOwn(added, `${name}_${n}`)) n++;
      return [name, `${name}_${n}`] as const;
    }),
  );
}
