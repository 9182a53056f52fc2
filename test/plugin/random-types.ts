import * as fc from 'fast-check';

/** A random type: its text, and values that fit. */
export interface RandomType {
  readonly text: string;
  readonly value: fc.Arbitrary<unknown>;
}

type TypeArbitrary = fc.Arbitrary<RandomType>;

/** A property of a random object. */
interface Property {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: RandomType;
}

/** Types that others refer to: some are shared, generic or recursive. */
export const DECLARATIONS = `
export interface Point { x: number; y?: number | null }
export interface Box<T> { value: T; others?: T[] }
export interface Tree { label: string; children?: Tree[] }
export type Linked<T> = { item: T; rest: Linked<T> | null };
export enum Level { Low = 1, Mid, High }
export type Lenient<T> = T;
export type Nullish<T> = { [K in keyof T]?: T[K] | null };
export type Writable<T> = { -readonly [K in keyof T]-?: T[K] };
export type IfText<T, Yes, No> = T extends string ? Yes : No;
`;

// Not 'constructor', which every object of TypeScript has, nor '1', which its arrays may have.
const NAMES = ['a', 'b', 'c', 'first-name', '1st', '$ref', 'ünï code'];
const TEXTS = ['', 'a', 'b', 'up', 'down', 'ä "q"', '1', 'true', 'null'];
const NUMBERS = [0, 1, 2, -1, 1.5, 1e21, -0.25];

const NO_NULL = { noNullPrototype: true } as const;

const text = fc.constantFrom(...TEXTS);
const number = fc.constantFrom(...NUMBERS);

/** Any JSON value. `__proto__` is left out: in a literal of TypeScript, it is no property. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, 'kind', 'x', 'value'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const plain = (typeText: string, value: fc.Arbitrary<unknown>): RandomType => ({ text: typeText, value });

const literalText = (value: unknown): string => JSON.stringify(value);

const PRIMITIVES: TypeArbitrary = fc.constantFrom(
  plain('string', text),
  plain('number', number),
  plain('boolean', fc.boolean()),
  plain('null', fc.constant(null)),
  plain('Level', fc.constantFrom(1, 2, 3)),
  plain('Point', fc.record({ x: number, y: fc.option(number) }, { requiredKeys: ['x'], ...NO_NULL })),
  plain(
    'Tree',
    fc.record(
      { label: text, children: fc.constantFrom([], [{ label: 'x' }]) },
      { requiredKeys: ['label'], ...NO_NULL },
    ),
  ),
);

const LITERALS: TypeArbitrary = fc
  .uniqueArray(fc.oneof(text, number, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((values) => plain(values.map(literalText).join(' | '), fc.constantFrom(...values)));

/** A type of bounded depth. */
export const randomType: TypeArbitrary = typeOf(3);

function typeOf(depth: number): TypeArbitrary {
  if (depth === 0) return fc.oneof(PRIMITIVES, LITERALS);
  const inner = typeOf(depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: fc.oneof(PRIMITIVES, LITERALS) },
    { weight: 1, arbitrary: fc.oneof(arrayOf(inner), tupleOf(inner), recordOf(inner)) },
    { weight: 3, arbitrary: fc.oneof(objectOf(inner), mappedOf(inner), intersectionOf(inner)) },
    { weight: 2, arbitrary: fc.oneof(nullableOf(inner), unionOf(inner), discriminatedOf(inner), genericOf(inner)) },
    { weight: 2, arbitrary: fc.oneof(computedOf(inner), computedOf(inner), lenientOf(inner)) },
  );
}

function arrayOf(item: TypeArbitrary): TypeArbitrary {
  return fc.tuple(item, fc.constantFrom('(T)[]', 'readonly (T)[]', 'Array<T>')).map(([{ text, value }, shape]) => {
    return plain(`(${shape.replace('T', () => text)})`, fc.array(value, { maxLength: 3 }));
  });
}

/** Items, then optional ones, then any number of others. */
function tupleOf(item: TypeArbitrary): TypeArbitrary {
  const parts = fc.tuple(fc.array(item, { maxLength: 2 }), fc.array(item, { maxLength: 2 }), fc.option(item));
  return parts.map(([required, optional, rest]) => {
    const texts = [
      ...required.map(({ text }) => text),
      ...optional.map(({ text }) => `(${text})?`),
      ...(rest ? [`...(${rest.text})[]`] : []),
    ];
    const items = [...required, ...optional].map(({ value }) => value);
    const value = fc
      .tuple(fc.tuple(...items), rest ? fc.array(rest.value, { maxLength: 2 }) : fc.constant([]), fc.nat(2))
      .map(([first, last, dropped]) => {
        const shorter = first.slice(0, Math.max(required.length, first.length - dropped));
        return shorter.length < first.length ? shorter : [...first, ...last];
      });
    return plain(`[${texts.join(', ')}]`, value);
  });
}

function recordOf(item: TypeArbitrary): TypeArbitrary {
  const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'first-name'), { minLength: 1 });
  return fc.oneof(
    item.map(({ text, value }) =>
      plain(`Record<string, ${text}>`, fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3, ...NO_NULL })),
    ),
    fc.tuple(item, keys).map(([type, names]) => {
      const properties = names.map((name): Property => ({ name, isOptional: false, type }));
      return plain(`Record<${names.map(literalText).join(' | ')}, ${type.text}>`, valueOf(properties));
    }),
  );
}

/** Objects have at least one property: every value but null fits `{}`. */
function propertiesOf(inner: TypeArbitrary, names: readonly string[] = NAMES): fc.Arbitrary<Property[]> {
  const property = fc.record({ name: fc.constantFrom(...names), isOptional: fc.boolean(), type: inner });
  return fc.uniqueArray(property, { selector: ({ name }) => name, minLength: 1, maxLength: 4 });
}

function objectOf(inner: TypeArbitrary): TypeArbitrary {
  return propertiesOf(inner).map((properties) => plain(textOf(properties), valueOf(properties)));
}

/** The utility types that change all properties, or take some of them. */
function mappedOf(inner: TypeArbitrary): TypeArbitrary {
  const all = (isOptional: boolean) => (property: Property) => ({ ...property, isOptional });
  return fc
    .tuple(propertiesOf(inner), fc.constantFrom('Partial', 'Required', 'Readonly', 'Pick', 'Omit'))
    .map(([properties, utility]) => {
      const [first, ...others] = properties;
      const text = textOf(properties);
      const name = literalText(first!.name);
      if (utility === 'Partial') return plain(`Partial<${text}>`, valueOf(properties.map(all(true))));
      if (utility === 'Required') return plain(`Required<${text}>`, valueOf(properties.map(all(false))));
      if (utility === 'Pick') return plain(`Pick<${text}, ${name}>`, valueOf([first!]));
      if (utility === 'Omit' && others.length > 0) return plain(`Omit<${text}, ${name}>`, valueOf(others));
      return plain(`Readonly<${text}>`, valueOf(properties));
    });
}

/** Objects without common properties: those would be narrowed to types that accept nothing. */
function intersectionOf(inner: TypeArbitrary): TypeArbitrary {
  return fc
    .tuple(propertiesOf(inner, ['a', '1st']), propertiesOf(inner, ['b', 'c']))
    .map(([left, right]) => plain(`(${textOf(left)} & ${textOf(right)})`, valueOf([...left, ...right])));
}

function nullableOf(inner: TypeArbitrary): TypeArbitrary {
  return inner.map(({ text, value }) => plain(`(${text}) | null`, fc.option(value)));
}

/**
 * Types that TypeScript computes. Their values may not fit: the compiler is the judge. None of them
 * includes undefined: for us, a property with such a type is optional, as JSON has no undefined.
 */
function computedOf(inner: TypeArbitrary): TypeArbitrary {
  return fc
    .tuple(propertiesOf(inner), inner, LITERALS)
    .map(([properties, type, literals]) => {
      const [first] = properties;
      const text = textOf(properties);
      const names = fc.constantFrom(...properties.map(({ name }) => name));
      const value = valueOf(properties);
      return fc.constantFrom(
        plain(`keyof ${text}`, names),
        plain(`Required<${text}>[${literalText(first!.name)}]`, first!.type.value),
        plain(`Required<${text}>[keyof ${text}]`, fc.oneof(...properties.map((property) => property.type.value))),
        plain(`Exclude<${literals.text} | 'left', ${literals.text}>`, fc.oneof(literals.value, fc.constant('left'))),
        plain(`Extract<${literals.text} | 'b', string | 1>`, fc.oneof(literals.value, fc.constant('b'))),
        plain(`NonNullable<(${type.text}) | null | 'some'>`, fc.oneof(type.value, fc.constant('some'))),
        plain(`Nullish<${text}>`, value),
        plain(`Writable<Readonly<${text}>>`, value),
        plain(`IfText<${literals.text}, ${type.text}, 'no'>`, fc.oneof(type.value, fc.constant('no'))),
      );
    })
    .chain((one) => one);
}

/**
 * Objects that no property tells apart. TypeScript accepts one with properties of several members,
 * which closed schemas refuse: `Lenient<T>` marks them.
 */
function lenientOf(inner: TypeArbitrary): TypeArbitrary {
  return fc
    .tuple(propertiesOf(inner), propertiesOf(inner))
    .map(([left, right]) =>
      plain(`Lenient<${textOf(left)} | ${textOf(right)}>`, fc.oneof(valueOf(left), valueOf(right))),
    );
}

/** One type of each kind of JSON. */
function unionOf(inner: TypeArbitrary): TypeArbitrary {
  const members = fc.tuple(LITERALS, arrayOf(PRIMITIVES), objectOf(inner), PRIMITIVES.filter(isSimple));
  return fc.tuple(members, fc.subarray([0, 1, 2, 3], { minLength: 2 })).map(([all, chosen]) => {
    const used = chosen.map((index) => all[index]!);
    return plain(used.map(({ text }) => `(${text})`).join(' | '), fc.oneof(...used.map(({ value }) => value)));
  });
}

function isSimple({ text }: RandomType): boolean {
  return text === text.toLowerCase();
}

function discriminatedOf(inner: TypeArbitrary): TypeArbitrary {
  const kinds = fc.uniqueArray(fc.oneof(text, number, fc.boolean()), { minLength: 2, maxLength: 3 });
  return kinds.chain((values) =>
    fc.tuple(...values.map(() => propertiesOf(inner))).map((members) => {
      const objects = members.map((properties, index): Property[] => [
        ...properties,
        { name: 'kind', isOptional: false, type: plain(literalText(values[index]), fc.constant(values[index])) },
      ]);
      return plain(objects.map(textOf).join(' | '), fc.oneof(...objects.map(valueOf)));
    }),
  );
}

function genericOf(inner: TypeArbitrary): TypeArbitrary {
  return inner.chain(({ text, value }) => {
    const others = fc.array(value, { maxLength: 2 });
    return fc.constantFrom(
      plain(`Box<${text}>`, fc.record({ value, others }, { requiredKeys: ['value'], ...NO_NULL })),
      plain(`Linked<${text}>`, fc.record({ item: value, rest: fc.option(fc.record({ item: value, rest: NOTHING })) })),
    );
  });
}

const NOTHING = fc.constant(null);
function textOf(properties: readonly Property[]): string {
  const members = properties.map(({ name, isOptional, type }) => {
    return `${literalText(name)}${isOptional ? '?' : ''}: ${type.text}`;
  });
  return `{ ${members.join('; ')} }`;
}

function valueOf(properties: readonly Property[]): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(properties.map(({ name, type }) => [name, type.value]));
  const requiredKeys = properties.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return fc.record(values, { requiredKeys, ...NO_NULL });
}
