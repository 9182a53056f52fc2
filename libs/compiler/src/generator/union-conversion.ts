import type ts from 'typescript';
import type { JsonKind } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import { isConverted, type OpenRevive, type ReadValue, type SharedType } from './read-value.js';
import type { ReaderContext } from './any-reader.js';
import { UnsayableType } from './unsayable.js';

/** One type of a union, and what was read of it. */
export interface Member {
  readonly type: ts.Type;
  readonly value: ReadValue;
}

interface PlainObject {
  readonly names: ReadonlySet<string>;
  readonly converted: Readonly<Record<string, OpenRevive>>;
}

/** Chooses how a JSON value becomes one of several types. */
export class UnionConversion {
  constructor(private readonly context: ReaderContext) {}

  /**
   * The conversion of the alternative that a value belongs to.
   *
   * @param constants the literals of the union
   */
  of(members: readonly Member[], constants: readonly ts.Type[]): OpenRevive | undefined {
    const converted = members.filter(({ value }) => value.revive && isConverted(value.revive));
    if (converted.length === 0) return undefined;
    if (members.length === 1 && constants.length === 0) return converted[0]!.value.revive;
    const kinds = new Map<JsonKind, Member[]>();
    for (const member of members) {
      for (const kind of kindsOf(member.value)) kinds.set(kind, [...(kinds.get(kind) ?? []), member]);
    }
    const entries = [...kinds].flatMap(([kind, of]): [string, OpenRevive][] => {
      if (!of.some((member) => converted.includes(member))) return [];
      const alike = kind === 'string' ? constants.filter((type) => type.isStringLiteral()) : [];
      if (of.length === 1 && alike.length === 0) return [[kind, of[0]!.value.revive!]];
      return [[kind, this.#ofAlike(kind, of, alike)]];
    });
    return { kinds: Object.fromEntries(entries) };
  }

  /** The conversion of one of several types of the same kind of JSON. */
  #ofAlike(kind: JsonKind, members: readonly Member[], constants: readonly ts.Type[]): OpenRevive {
    const [first] = members;
    const { revive } = first!.value;
    const areSame = members.every(({ value }) => isSame(value.revive, revive));
    if (revive && areSame && constants.length === 0) return revive;
    const found = kind === 'object' && (this.#discriminated(members) ?? merged(members));
    if (found) return found;
    const { checker } = this.context;
    const types = [...members.map(({ type }) => type), ...constants].map((type) => checker.typeToString(type));
    throw new UnsayableType(
      `is one of several types, which JSON writes alike (${types.slice(0, 5).join(', ')}${types.length > 5 ? ', …' : ''})`,
      kind === 'object'
        ? "Give each a property with a different literal, such as kind: 'a'."
        : 'Declare one of them, and convert it in the method.',
    );
  }

  /** By a property with a different literal in each type. */
  #discriminated(members: readonly Member[]): OpenRevive | undefined {
    const { checker } = this.context;
    for (const { name: by } of checker.getPropertiesOfType(members[0]!.type)) {
      const values = members.map(({ type }) => this.#constants(type, by));
      const all = values.flat();
      if (values.some((of) => of.length === 0) || new Set(all).size !== all.length) continue;
      const cases = members.flatMap(({ value }, index) =>
        value.revive ? values[index]!.map((constant): [string, OpenRevive] => [constant, value.revive!]) : [],
      );
      return { by, cases: Object.fromEntries(cases) };
    }
    return undefined;
  }

  /** The literals of a property, as text. Empty if it may have other values. */
  #constants(type: ts.Type, name: string): readonly string[] {
    const { ts, checker } = this.context;
    const property = checker.getPropertyOfType(type, name);
    if (!property || property.flags & ts.SymbolFlags.Optional) return [];
    const values = checker.getTypeOfSymbol(property);
    const types = values.isUnion() ? values.types : [values];
    const constants = types.flatMap((one) =>
      isLiteral(one) ? String(one.value) : isBooleanLiteral(ts, one) ? checker.typeToString(one) : [],
    );
    return constants.length === types.length ? constants : [];
  }
}

export function isLiteral(type: ts.Type): type is ts.StringLiteralType | ts.NumberLiteralType {
  return type.isStringLiteral() || type.isNumberLiteral();
}

export function isBooleanLiteral(ts: TypeScript, { flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.BooleanLiteral) !== 0;
}

/** One conversion for all, if the types agree on each property that is converted. */
function merged(members: readonly Member[]): OpenRevive | undefined {
  const objects = members.map(({ value }) => objectOf(value));
  const properties = new Map<string, OpenRevive>();
  for (const one of objects) {
    for (const [name, revive] of Object.entries(one?.converted ?? {})) {
      if (!isSame(properties.get(name) ?? revive, revive)) return undefined;
      properties.set(name, revive);
    }
  }
  const names = [...properties.keys()];
  const agree = objects.every(
    (one) => one && names.every((name) => !one.names.has(name) || Object.hasOwn(one.converted, name)),
  );
  return agree ? { object: Object.fromEntries(properties) } : undefined;
}

/** The properties of a plain object that has no others, and the conversions of those that are converted. */
function objectOf({ schema, revive = { object: {} } }: ReadValue): PlainObject | undefined {
  const { $ref, properties, additionalProperties, patternProperties } = schema;
  if (typeof $ref === 'object') {
    const { value } = $ref as SharedType;
    return value && objectOf(value);
  }
  if (typeof properties !== 'object' || additionalProperties !== false || patternProperties) return undefined;
  if (typeof revive !== 'object' || !('object' in revive) || revive.instance !== undefined) return undefined;
  const converted = Object.entries(revive.object).filter(([, one]) => isConverted(one));
  return { names: new Set(Object.keys(properties as object)), converted: Object.fromEntries(converted) };
}

/** Whether two conversions are the same, as far as it is known. */
function isSame(a: OpenRevive | undefined, b: OpenRevive | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if ('ref' in a || 'ref' in b) return 'ref' in a && 'ref' in b && a.ref === b.ref;
  if ('array' in a && 'array' in b) return isSame(a.array, b.array);
  if ('class' in a && 'class' in b) return a.class === b.class;
  return false;
}

/** The kinds of JSON that a schema allows. */
function kindsOf({ schema }: ReadValue): readonly JsonKind[] {
  const { $ref, type, anyOf } = schema;
  if (typeof $ref === 'object') {
    const shared = $ref as SharedType;
    return shared.value ? kindsOf(shared.value) : ['object'];
  }
  if (typeof $ref === 'string') return ['object'];
  if (Array.isArray(anyOf)) return anyOf.flatMap((one: ReadValue['schema']) => kindsOf({ schema: one }));
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  if (type === undefined) return ['string', 'number', 'boolean', 'array', 'object'];
  return types.flatMap((one): JsonKind[] => (one === 'integer' ? ['number'] : one === 'null' ? [] : [one as JsonKind]));
}
