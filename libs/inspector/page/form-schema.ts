/** The part of JSON Schema that makes a form. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly FormSchema[];
  readonly oneOf?: readonly FormSchema[];
  readonly allOf?: readonly FormSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
}

/** The schema that a reference leads to, with the parts of `allOf` joined. */
export function resolved(schema: FormSchema, root: FormSchema): FormSchema {
  let current = schema;
  for (let steps = 0; current.$ref !== undefined && steps < 20; steps++) {
    const name = /^#\/\$defs\/(.+)$/.exec(current.$ref)?.[1];
    const found = current.$ref === '#' ? root : name === undefined ? undefined : root.$defs?.[decodeURIComponent(name)];
    if (!found) return {};
    current = { ...found, ...(current.description !== undefined && { description: current.description }) };
  }
  const { allOf, ...rest } = current;
  if (!allOf) return current;
  const parts = allOf.map((part) => resolved(part, root));
  return parts.reduce<FormSchema>(
    (joined, part) => ({ ...joined, ...part, properties: { ...joined.properties, ...part.properties } }),
    rest,
  );
}

/** The type of a value, without `null`. */
export function typeOf({ type, properties }: FormSchema): string | undefined {
  if (typeof type === 'string') return type;
  if (type) return type.find((one) => one !== 'null');
  return properties ? 'object' : undefined;
}

/** A value to begin with. */
export function emptyOf(schema: FormSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  const empty: Record<string, unknown> = { object: {}, array: [], string: '', boolean: false, number: 0, integer: 0 };
  return schema.enum ? schema.enum[0] : empty[typeOf(schema) ?? ''];
}

/** The label of a value, with what the schema says about it. */
export function titleOf({
  label,
  schema,
  isRequired,
}: {
  label: string;
  schema: FormSchema;
  isRequired: boolean;
}): string {
  const { description } = schema;
  return `${label}${isRequired ? ' *' : ''}${description ? ` – ${description}` : ''}`;
}
