import type ts from 'typescript';
import { enumSchema, withNull } from '@nestor-ai/schema/format';
import { classOf } from './class-references.js';
import { isConverted, isOpen, type OpenRevive, type ReadValue } from './read-value.js';
import type { AnyReader } from './any-reader.js';
import { isBooleanLiteral, isLiteral, type Member, UnionConversion } from './union-conversion.js';
import { orderedMembers, type UnionMember } from './union-order.js';
import { UnsayableType } from './unsayable.js';

/** Reads unions: enums, optional values, alternatives. */
export class UnionReader {
  /** The types that unions are read without. */
  readonly #outsideJson = new Map<ts.Type, UnsayableType>();
  readonly #conversion: UnionConversion;

  constructor(private readonly reader: AnyReader) {
    this.#conversion = new UnionConversion(reader.context);
  }

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
    const { ts } = this.reader.context;
    const isConstant = ({ type }: UnionMember): boolean => isLiteral(type) || isBooleanLiteral(ts, type);
    const constants = written.filter(isConstant).map(({ type }) => type);
    const literals = this.#literals(constants);
    const others = written.filter((member) => !isConstant(member));
    const members = this.#withoutCovered(this.#members(others, literals.length > 0));
    const schemas = [...literals, ...members.map(({ value }) => value.schema)];
    if (schemas.length === 0) throw UnsayableType.outsideJson('accepts no value');
    const alternatives = members.flatMap(({ value }) => value.revive ?? []);
    const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
    const choose = (): OpenRevive | undefined => this.#conversion.of(members, constants);
    const revive = alternatives.some((one) => isOpen(one)) ? { alternatives, choose } : choose();
    return { schema, ...(revive && { revive }) };
  }

  /** Without the types that JSON has no values of, unless nothing else remains. */
  #members(written: readonly UnionMember[], hasOthers: boolean): readonly Member[] {
    const problems: UnsayableType[] = [];
    const members = written.flatMap(({ type, node }): Member[] => {
      const known = this.#outsideJson.get(type);
      if (known) {
        problems.push(known.copy());
        return [];
      }
      try {
        return [{ type, value: this.reader.read(type, node) }];
      } catch (error) {
        if (!(error instanceof UnsayableType) || !error.isOutsideJson) throw error;
        this.#outsideJson.set(type, error.copy());
        problems.push(error);
        return [];
      }
    });
    if (members.length === 0 && problems[0] && !hasOthers) throw problems[0];
    return members;
  }

  /** Of types that JSON writes alike, the one that JSON has as it is: the text, not the Date. */
  #withoutCovered(members: readonly Member[]): readonly Member[] {
    const isPlain = ({ value }: Member): boolean => !value.revive || !isConverted(value.revive);
    const isCovered = (one: Member): boolean =>
      members.some(
        (other) =>
          (isPlain(other) && covers(other.value.schema, one.value.schema)) || this.#replaces(other.type, one.type),
      );
    return members.filter((one) => isPlain(one) || !isCovered(one));
  }

  /** Whether an object type has all properties of a class without decorators: `User | DeepPartial<User>`. */
  #replaces(plain: ts.Type, made: ts.Type): boolean {
    const { ts, checker, decorated } = this.reader.context;
    if (plain.isUnion()) return plain.types.some((one) => this.#replaces(one, made));
    if (checker.isArrayType(plain) && checker.isArrayType(made)) {
      const [one, other] = [plain, made].map((type) => checker.getTypeArguments(type as ts.TypeReference)[0]!);
      return this.#replaces(one!, other!);
    }
    const declaration = classOf(ts, made);
    if (!declaration || decorated.has(declaration) || classOf(ts, plain)) return false;
    if (!(plain.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
    const names = new Set(checker.getPropertiesOfType(plain).map(({ name }) => name));
    return checker.getPropertiesOfType(made).every(({ name }) => names.has(name));
  }

  /** One schema for the literals of each kind. */
  #literals(types: readonly ts.Type[]): ReadValue['schema'][] {
    const { ts } = this.reader.context;
    const values = types.filter(isLiteral).map(({ value }) => value);
    const booleans = types.filter((type) => isBooleanLiteral(ts, type));
    const kinds = ['string', 'number'].map((kind) => values.filter((value) => typeof value === kind));
    return [
      ...kinds
        .filter((of) => of.length > 0)
        .map((of) => (of.length === 1 ? { type: typeof of[0], const: of[0] } : enumSchema(of))),
      ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map((type) => this.reader.read(type).schema)),
    ];
  }
}

/** Whether any text, or an array of them, includes what another schema allows. */
function covers(general: ReadValue['schema'], special: ReadValue['schema']): boolean {
  const { type, items } = general;
  if (type !== special['type'] || Object.keys(general).some((keyword) => !UNLIMITED.has(keyword))) return false;
  if (type !== 'array') return type === 'string';
  const inner = special['items'];
  return typeof items === 'object' && typeof inner === 'object' && covers({ ...items }, { ...inner });
}

/** The keywords that refuse no text. */
const UNLIMITED = new Set(['type', 'items', 'title', 'description', 'default', 'examples', 'deprecated']);
