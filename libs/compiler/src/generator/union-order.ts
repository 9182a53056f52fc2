import type ts from 'typescript';
import { remembered } from '@nestor-ai/schema/format';
import type { TypeScript } from '../typescript.js';

/** A member of a union, and where it is written, if it is known. */
export interface UnionMember {
  readonly type: ts.Type;
  readonly node?: ts.TypeNode | undefined;
}

/**
 * The members of a union in the order in which they are written. TypeScript orders them by their
 * first use in the program, so that the order would change with other files.
 *
 * @param node where the union is written, if it is known
 */
export function orderedMembers(
  ts: TypeScript,
  checker: ts.TypeChecker,
  union: ts.UnionType,
  node: ts.TypeNode | undefined,
): readonly UnionMember[] {
  const written = new Map<ts.Type, ts.TypeNode | undefined>();
  const visited = new Set<ts.Node>();
  const visit = (at: ts.TypeNode | undefined): void => {
    if (!at || visited.has(at)) return;
    visited.add(at);
    if (ts.isUnionTypeNode(at)) return at.types.forEach(visit);
    if (ts.isParenthesizedTypeNode(at)) return visit(at.type);
    const type = checker.getTypeFromTypeNode(at);
    if (!type.isUnion()) return void written.set(type, at);
    if (type.flags & ts.TypeFlags.EnumLike) return add(type);
    const alias = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
    if (alias) return visit(alias.type);
    add(type);
  };
  const add = (type: ts.UnionType): void => ordered(type).forEach((one) => written.set(one, undefined));
  const ordered = ({ flags, types }: ts.UnionType, of = types): readonly ts.Type[] =>
    flags & ts.TypeFlags.EnumLike ? of : of.toSorted(byText(checker));
  visit(node);
  visit(union.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type);
  const members = new Set(union.types);
  const known = [...written].filter(([type]) => members.has(type)).map(([type, at]) => ({ type, node: at }));
  // Nearly all are written, and to name a type takes long.
  const others = ordered(
    union,
    union.types.filter((type) => !written.has(type)),
  );
  return [...known, ...others.map((type) => ({ type }))];
}

function byText(checker: ts.TypeChecker): (a: ts.Type, b: ts.Type) => number {
  const texts = new Map<ts.Type, string>();
  const textOf = (type: ts.Type): string => remembered(texts, type, () => checker.typeToString(type));
  return (a, b) =>
    a.isNumberLiteral() && b.isNumberLiteral() ? a.value - b.value : compareTexts(textOf(a), textOf(b));
}

/**
 * The properties of an object in an order that no other file changes. TypeScript orders those of
 * `Pick<T, K>`, `Omit<T, K>` and `Record<K, T>` like the members of `K`: here they are as declared.
 */
export function orderedProperties(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): readonly ts.Symbol[] {
  if (type.isIntersection()) {
    const names = type.types.flatMap((part) => orderedProperties(ts, checker, part).map(({ name }) => name));
    return [...new Set(names)].flatMap((name) => checker.getPropertyOfType(type, name) ?? []);
  }
  const properties = checker.getPropertiesOfType(type);
  const keys = (type as { declaration?: Partial<ts.MappedTypeNode> }).declaration?.typeParameter?.constraint;
  return keys && !ts.isTypeOperatorNode(keys) ? properties.toSorted(byPlace) : properties;
}

function byPlace(a: ts.Symbol, b: ts.Symbol): number {
  const [one, other] = [a.declarations?.[0], b.declarations?.[0]];
  if (!one || !other) return compareTexts(a.name, b.name);
  const [file, otherFile] = [one.getSourceFile().fileName, other.getSourceFile().fileName];
  return file === otherFile ? one.pos - other.pos : compareTexts(file, otherFile);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
