import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { recordOf } from './read-value.js';

/** The value of a literal in source code. Undefined for any other expression. */
export function literalOf(ts: TypeScript, node: ts.Expression): unknown {
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
  if (ts.isArrayLiteralExpression(node)) return allOf(node.elements.map((element) => literalOf(ts, element)));
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const entries = node.properties.map((property) => {
    const name = property.name && 'text' in property.name ? property.name.text : undefined;
    const value = ts.isPropertyAssignment(property) ? literalOf(ts, property.initializer) : undefined;
    return name === undefined || value === undefined ? undefined : ([name, value] as const);
  });
  const known = allOf(entries);
  return known && recordOf(known);
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
