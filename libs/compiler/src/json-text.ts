import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/**
 * `globalThis.JSON.parse('{…}')`. A text of JSON is one node for compilers, and quicker to load than
 * an object literal.
 */
export function createParsedJson(ts: TypeScript, value: unknown): ts.CallExpression {
  const text = ts.factory.createStringLiteral(JSON.stringify(value), true);
  // Characters outside of ASCII stay as they are.
  return createGlobalCall(ts, 'JSON', 'parse', ts.setEmitFlags(text, ts.EmitFlags.NoAsciiEscaping));
}

/** A call of a method of a global object. A file may have something of its own with the same name. */
export const createGlobalCall = (
  { factory }: TypeScript,
  object: string,
  method: string,
  argument: ts.Expression,
): ts.CallExpression =>
  factory.createCallExpression(
    factory.createPropertyAccessExpression(
      factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), object),
      method,
    ),
    undefined,
    [argument],
  );
