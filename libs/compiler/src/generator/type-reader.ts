import type ts from 'typescript';
import { enumSchema } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';
import type { AnyReader, ReaderContext } from './any-reader.js';
import { NO_COMMENT, type ValueComment } from './comments.js';
import { ContainerReader } from './container-reader.js';
import { misfitsOf } from './keyword-fit.js';
import { ObjectReader } from './object-reader.js';
import type { ReadValue } from './read-value.js';
import { SharedTypes } from './shared-types.js';
import { templatePattern } from './template-pattern.js';
import { UnionReader } from './union-reader.js';
import { UnsayableType } from './unsayable.js';

/** Reads the type of one value as a schema, and how its JSON becomes that type. */
export class TypeReader implements AnyReader {
  readonly shared = new SharedTypes();
  readonly #objects: ObjectReader;
  readonly #containers: ContainerReader;
  readonly #unions: UnionReader;

  constructor(readonly context: ReaderContext) {
    this.#objects = new ObjectReader(this);
    this.#containers = new ContainerReader(this);
    this.#unions = new UnionReader(this);
  }

  /**
   * @param node where the type is written, if it is known: it has the order of a union
   * @throws UnsayableType if no schema describes the type
   */
  read(type: ts.Type, node?: ts.TypeNode): ReadValue {
    const value = this.#read(type, node);
    // An object type has its comment where it is declared.
    return typeof value.schema['$ref'] === 'object' ? value : this.#withAliasComment(value, type, node);
  }

  #read(type: ts.Type, node: ts.TypeNode | undefined): ReadValue {
    const { TypeFlags } = this.context.ts;
    const { flags } = type;
    if (flags & TypeFlags.Any) return this.#any(type);
    if (flags & TypeFlags.Unknown) return { schema: {} };
    if (flags & TypeFlags.Boolean) return { schema: { type: 'boolean' } };
    if (flags & TypeFlags.Union) {
      return this.shared.shareIfRecursive(type, () => this.#unions.read(type as ts.UnionType, node));
    }
    if (flags & TypeFlags.Intersection) return this.#intersection(type as ts.IntersectionType, node);
    if (flags & TypeFlags.Object) return this.#containers.read(type as ts.ObjectType, node) ?? this.#objects.read(type);
    return this.#primitive(type, node);
  }

  /** TypeScript forgets the aliases of primitives and arrays, so the comment is found by the name, also that of an enum. */
  #withAliasComment(value: ReadValue, type: ts.Type, node: ts.TypeNode | undefined): ReadValue {
    const { ts, checker, comments } = this.context;
    const named = node && withoutNull(ts, node);
    if (!named || !ts.isTypeReferenceNode(named)) return value;
    const local = checker.getSymbolAtLocation(named.typeName);
    const symbol = local && local.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(local) : local;
    const declaration = symbol?.declarations?.find(
      (one) => ts.isTypeAliasDeclaration(one) || ts.isEnumDeclaration(one),
    );
    if (!symbol || !declaration || comments.isOfHelper(declaration)) return value;
    // A mapped type gives a property that is written with the alias another type.
    if (!comments.isAbout(named, type)) return value;
    if (ts.isEnumDeclaration(declaration)) {
      const meanings = comments.ofValues(declaration);
      const comment = { description: '', ...comments.ofSymbol(symbol) };
      return this.commented({ ...value, ...(meanings && { meanings }) }, comment, declaration);
    }
    // The members of a union have their comments.
    if (named !== node) return value;
    const inner = this.#withAliasComment(value, type, declaration.type);
    return this.commented(inner, comments.ofSymbol(symbol), declaration);
  }

  #any(type: ts.Type): ReadValue {
    if ((type as { intrinsicName?: string }).intrinsicName !== 'error') return { schema: {} };
    throw new UnsayableType('has a type that TypeScript does not find', 'Check its import.');
  }

  #primitive(type: ts.Type, node: ts.TypeNode | undefined): ReadValue {
    const { ts, checker, classes } = this.context;
    const { TypeFlags } = ts;
    const { flags } = type;
    if (type.isLiteral() && !(flags & TypeFlags.BigIntLiteral)) return { schema: literalSchema(type.value) };
    if (flags & TypeFlags.BooleanLiteral) {
      return { schema: { type: 'boolean', const: (type as { intrinsicName?: string }).intrinsicName === 'true' } };
    }
    if (flags & TypeFlags.TemplateLiteral) {
      return { schema: { type: 'string', pattern: templatePattern(ts, type as ts.TemplateLiteralType) } };
    }
    if (flags & TypeFlags.StringMapping) {
      return { schema: { type: 'string', pattern: casePattern((type as ts.StringMappingType).symbol.name) } };
    }
    if (flags & TypeFlags.String) return { schema: { type: 'string' } };
    // A computed member of an enum is no literal.
    if (flags & TypeFlags.NumberLike) return { schema: { type: 'number' } };
    if (flags & TypeFlags.Null) return { schema: { type: 'null' } };
    if (flags & TypeFlags.NonPrimitive) return { schema: { type: 'object' } };
    if (flags & TypeFlags.BigIntLike && !classes) return { schema: { type: 'string' } };
    if (flags & TypeFlags.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type);
      if (constraint && constraint !== type && !(constraint.flags & TypeFlags.Unknown))
        return this.read(constraint, node);
      throw this.#generic(type);
    }
    throw this.#unsayable(type);
  }

  #generic(type: ts.Type): UnsayableType {
    const { ts, checker } = this.context;
    const declarations = (type.symbol as ts.Symbol | undefined)?.declarations ?? [];
    const isOfClass = declarations.some((one) => ts.isTypeParameterDeclaration(one) && ts.isClassLike(one.parent));
    const error = new UnsayableType(
      `has the type '${checker.typeToString(type)}', which is not known before the call`,
      isOfClass
        ? 'Write the type itself in place of the type parameter, or make the class abstract and write it where a class extends it.'
        : 'Write the type itself in place of the type parameter.',
    );
    error.generic = type;
    return error;
  }

  #unsayable(type: ts.Type): UnsayableType {
    const { ts, checker } = this.context;
    const { TypeFlags } = ts;
    if (type.flags & TypeFlags.BigIntLike) {
      return UnsayableType.outsideJson(
        'is a bigint, which JSON does not have',
        'Declare a string, which keeps all digits, and convert it in the method: BigInt(text).',
      );
    }
    if (type.flags & TypeFlags.ESSymbolLike) {
      return UnsayableType.outsideJson('is a symbol, which JSON does not have', 'Declare a string.');
    }
    return UnsayableType.outsideJson(`is of type '${checker.typeToString(type)}', which no value of JSON has`);
  }

  /** A branded primitive is the primitive. Any other intersection is an object with all properties. */
  #intersection(type: ts.IntersectionType, node: ts.TypeNode | undefined): ReadValue {
    const { ts, checker } = this.context;
    const { TypeFlags } = ts;
    const isGeneric = type.types.some(({ flags }) => flags & (TypeFlags.TypeVariable | TypeFlags.Conditional));
    const constraint = isGeneric ? checker.getBaseConstraintOfType(type) : undefined;
    if (constraint && constraint !== type) return this.read(constraint, node);
    const primitives = type.types.filter(({ flags }) => !(flags & (TypeFlags.Object | TypeFlags.NonPrimitive)));
    if (primitives.length > 0) {
      // A type parameter or template may narrow the primitive.
      const narrow = primitives.find(({ flags }) => !(flags & (TypeFlags.String | TypeFlags.Number)));
      return this.read(narrow ?? primitives[0]!);
    }
    for (const part of type.types) {
      const container = this.#containers.read(part as ts.ObjectType, node);
      if (container) return container;
    }
    return this.#objects.read(type);
  }

  /** Adds what a comment says to a schema, without the tags that do not fit it. */
  commented(value: ReadValue, comment: ValueComment, node: ts.Node | undefined): ReadValue {
    if (comment === NO_COMMENT) return value;
    const { description, keywords, problems, mustFit } = comment;
    const { type: isWhole, ...limits } = keywords;
    const misfits = misfitsOf(limits, value);
    const schema = isWhole === undefined ? value.schema : withIntegers(value.schema);
    const all = [...problems, ...misfits.map(({ problem }) => problem)];
    if (!schema) all.push('@asType integer is for numbers, and arrays of numbers.');
    if (mustFit) for (const problem of all) this.context.reportTag(problem, node);
    const unfit = new Set(misfits.flatMap(({ keywords }) => keywords));
    const fit = Object.entries(limits).filter(([keyword]) => !unfit.has(keyword));
    const whole = description === undefined ? '' : [description, value.meanings].filter(Boolean).join('\n\n');
    return {
      ...value,
      schema: { ...(schema ?? value.schema), ...Object.fromEntries(fit), ...(whole && { description: whole }) },
    };
  }
}

/** The other type of `T | null`. */
function withoutNull(ts: TypeScript, node: ts.TypeNode): ts.TypeNode {
  if (!ts.isUnionTypeNode(node)) return node;
  const isNull = (one: ts.TypeNode): boolean =>
    ts.isLiteralTypeNode(one) && one.literal.kind === ts.SyntaxKind.NullKeyword;
  const others = node.types.filter((one) => !isNull(one) && one.kind !== ts.SyntaxKind.UndefinedKeyword);
  return others.length === 1 ? others[0]! : node;
}

/** The schema of whole numbers. Undefined if the schema is not about numbers. */
function withIntegers(schema: ReadValue['schema']): ReadValue['schema'] | undefined {
  const { type, items } = schema;
  const kinds = [type].flat();
  if (kinds.includes('number')) {
    const whole = kinds.map((kind) => (kind === 'number' ? 'integer' : kind));
    return { ...schema, type: Array.isArray(type) ? whole : whole[0] };
  }
  const whole = kinds.includes('array') && typeof items === 'object' && withIntegers({ ...items });
  return whole ? { ...schema, items: whole } : undefined;
}

function literalSchema(value: string | number | ts.PseudoBigInt): ReadValue['schema'] {
  const { enum: _values, ...rest } = enumSchema([value]);
  return { ...rest, const: value };
}

/** The texts of `Uppercase<string>` and its kind. */
function casePattern(name: string): string {
  switch (name) {
    case 'Uppercase':
      return '^\\P{Ll}*$';
    case 'Lowercase':
      return '^\\P{Lu}*$';
    case 'Capitalize':
      return '^(\\P{Ll}|$)';
    default:
      return '^(\\P{Lu}|$)';
  }
}
