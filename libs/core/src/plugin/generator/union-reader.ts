import type ts from 'typescript';
import { enumSchema } from '../../tool/schema/enum-schema.js';
import { withNull } from '../../tool/schema/with-null.js';
import type { JsonKind } from '../../tool/typed/class-types.js';
import { isConverted, isOpen, type OpenRevive, type ReadValue, recordOf, type SharedType } from './read-value.js';
import type { TypeReader } from './type-reader.js';
import { orderedMembers, type UnionMember } from './union-order.js';
import { UnsayableType } from './unsayable.js';

/** One type of a union, and what was read of it. */
interface Member {
  readonly type: ts.Type;
  readonly value: ReadValue;
}

/** Reads unions: enums, optional values, alternatives. */
export class UnionReader {
  constructor(private readonly reader: TypeReader) {}

  read(union: ts.UnionType, node: ts.TypeNode | undefined): ReadValue {
    const { ts, checker } = this.reader.context;
    const { TypeFlags } = ts;
    const members = orderedMembers(ts, checker, union, node).filter(
      ({ type }) => !(type.flags & (TypeFlags.Undefined | TypeFlags.Void)),
    );
    const isNullable = members.some(({ type }) => type.flags & TypeFlags.Null);
    const others = members.filter(({ type }) => !(type.flags & TypeFlags.Null));
    if (isNullable && others.length === 0) return { schema: { type: 'null' } };
    const value = this.#alternatives(others);
    return isNullable ? { ...value, schema: withNull(value.schema) } : value;
  }

  #alternatives(written: readonly UnionMember[]): ReadValue {
    const isConstant = ({ type }: UnionMember): boolean => isLiteral(type) || this.#isBooleanLiteral(type);
    const constants = written.filter(isConstant).map(({ type }) => type);
    const literals = this.#literals(constants);
    const others = written.filter((member) => !isConstant(member));
    const members = others.map(({ type, node }): Member => ({ type, value: this.reader.read(type, node) }));
    const schemas = [...literals, ...members.map(({ value }) => value.schema)];
    if (schemas.length === 0) throw new UnsayableType('accepts no value');
    const alternatives = members.flatMap(({ value }) => value.revive ?? []);
    const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
    const choose = (): OpenRevive | undefined => this.#revive(members, constants);
    const revive = alternatives.some((one) => isOpen(one)) ? { alternatives, choose } : choose();
    return { schema, ...(revive && { revive }) };
  }

  /** One schema for the literals of each kind. */
  #literals(types: readonly ts.Type[]): ReadValue['schema'][] {
    const values = types.filter(isLiteral).map(({ value }) => value);
    const booleans = types.filter((type) => this.#isBooleanLiteral(type));
    const kinds = ['string', 'number'].map((kind) => values.filter((value) => typeof value === kind));
    return [
      ...kinds
        .filter((of) => of.length > 0)
        .map((of) => (of.length === 1 ? { type: typeof of[0], const: of[0] } : enumSchema(of))),
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map((type) => this.reader.read(type).schema)),
    ];
  }

  #isBooleanLiteral({ flags }: ts.Type): boolean {
    return (flags & this.reader.context.ts.TypeFlags.BooleanLiteral) !== 0;
  }

  /** The conversion of the alternative that a value belongs to. */
  #revive(members: readonly Member[], constants: readonly ts.Type[]): OpenRevive | undefined {
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
      return [[kind, this.#discriminated(kind, of, alike)]];
    });
    return { kinds: recordOf(entries) };
  }

  #discriminated(kind: JsonKind, members: readonly Member[], constants: readonly ts.Type[]): OpenRevive {
    const { checker } = this.reader.context;
    const names = kind === 'object' ? checker.getPropertiesOfType(members[0]!.type).map(({ name }) => name) : [];
    for (const by of names) {
      const values = members.map(({ type }) => this.#constants(type, by));
      const all = values.flat();
      if (values.some((of) => of.length === 0) || new Set(all).size !== all.length) continue;
      const cases = members.flatMap(({ value }, index) =>
        value.revive ? values[index]!.map((constant): [string, OpenRevive] => [constant, value.revive!]) : [],
      );
      return { by, cases: recordOf(cases) };
    }
    const types = [...members.map(({ type }) => type), ...constants].map((type) => checker.typeToString(type));
    throw new UnsayableType(
      `is one of several types, which JSON writes alike (${types.slice(0, 5).join(', ')}${types.length > 5 ? ', …' : ''})`,
      kind === 'object'
        ? "Give each a property with a different literal, such as kind: 'a'."
        : 'Declare one of them, and convert it in the method.',
    );
  }

  /** The literals of a property, as text. Empty if it may have other values. */
  #constants(type: ts.Type, name: string): readonly string[] {
    const { checker } = this.reader.context;
    const property = checker.getPropertyOfType(type, name);
    if (!property) return [];
    const values = checker.getTypeOfSymbol(property);
    const types = values.isUnion() ? values.types : [values];
    const constants = types.flatMap((one) =>
      isLiteral(one) ? String(one.value) : this.#isBooleanLiteral(one) ? checker.typeToString(one) : [],
    );
    return constants.length === types.length ? constants : [];
  }
}

function isLiteral(type: ts.Type): type is ts.StringLiteralType | ts.NumberLiteralType {
  return type.isStringLiteral() || type.isNumberLiteral();
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
