import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/** The value of a literal in source code. */
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
  return undefined;
}

/** Whether undefined is a value of a type. */
export function allowsUndefined(ts: TypeScript, type: ts.Type): boolean {
  const types = type.isUnion() ? type.types : [type];
  return types.some(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}
