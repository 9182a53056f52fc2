import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** An expression of a JSON value. Properties that are undefined are left out. */
export function createJsonExpression(ts: TypeScript, value: unknown, multiLine = false): ts.Expression {
  const { factory } = ts;
  if (value === null) return factory.createNull();
  if (typeof value === 'string') return createText(ts, value);
  if (typeof value === 'boolean') return value ? factory.createTrue() : factory.createFalse();
  if (typeof value === 'number') return createNumber(ts, value);
  if (Array.isArray(value)) {
    return factory.createArrayLiteralExpression(
      value.map((item) => createJsonExpression(ts, item, multiLine)),
      multiLine && value.some((item) => typeof item === 'object' && item !== null),
    );
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}.`);
  const properties = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) =>
      factory.createPropertyAssignment(createKey(ts, key), createJsonExpression(ts, item, multiLine)),
    );
  return factory.createObjectLiteralExpression(properties, multiLine && properties.length > 0);
}

/** The name of a property. Without brackets, `__proto__` would set the prototype. */
function createKey(ts: TypeScript, key: string): ts.PropertyName {
  const text = createText(ts, key);
  return key === '__proto__' ? ts.factory.createComputedPropertyName(text) : text;
}

/** Characters outside of ASCII stay as they are, except halves of surrogate pairs, which a file cannot have. */
function createText(ts: TypeScript, text: string): ts.StringLiteral {
  const literal = ts.factory.createStringLiteral(text);
  return /[\ud800-\udfff]/.test(text) ? literal : ts.setEmitFlags(literal, ts.EmitFlags.NoAsciiEscaping);
}

function createNumber({ factory, SyntaxKind }: TypeScript, value: number): ts.Expression {
  const literal = factory.createNumericLiteral(String(Math.abs(value)));
  return value < 0 ? factory.createPrefixUnaryExpression(SyntaxKind.MinusToken, literal) : literal;
}
