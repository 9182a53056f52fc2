import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** The default value that source code says. Undefined if it is only known at run time. */
export function initialValue(ts: TypeScript, checker: ts.TypeChecker, initializer: ts.Expression): unknown {
  return literalOf(ts, initializer, (node) => constantOf(ts, checker, checker.getTypeAtLocation(node)));
}

/** The only value of a type, such as the one of a constant or of an enum's member. Undefined if it has others. */
export function constantOf(ts: TypeScript, checker: ts.TypeChecker, type: ts.Type): unknown {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  return type.flags & ts.TypeFlags.BooleanLiteral ? checker.typeToString(type) === 'true' : undefined;
}

/**
 * The value of a literal in source code.
 *
 * @param constantAt the value of any other expression, if it is known
 */
export function literalOf(ts: TypeScript, node: ts.Expression, constantAt: (node: ts.Expression) => unknown): unknown {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
    return literalOf(ts, node.expression, constantAt);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  )
    return -Number(node.operand.text);
  if (ts.isArrayLiteralExpression(node))
    return allOf(node.elements.map((element) => literalOf(ts, element, constantAt)));
  if (!ts.isObjectLiteralExpression(node)) return constantAt(node);
  const entries = node.properties.map((property) => {
    const name = property.name && 'text' in property.name ? property.name.text : undefined;
    const value = ts.isPropertyAssignment(property) ? literalOf(ts, property.initializer, constantAt) : undefined;
    return name === undefined || value === undefined ? undefined : ([name, value] as const);
  });
  const known = allOf(entries);
  return known && Object.fromEntries(known);
}

/** Undefined if any value is unknown. */
function allOf<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

/** Whether undefined is a value of a type. */
export function allowsUndefined(ts: TypeScript, type: ts.Type): boolean {
  const types = type.isUnion() ? type.types : [type];
  return types.some(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}
