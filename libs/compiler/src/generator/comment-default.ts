import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import type { Project } from './declarations.js';
import { constantOf, literalOf } from './literals.js';

/** The part of a source file that the compiler's types leave out: what it declares and imports. */
interface WithLocals {
  readonly locals?: ReadonlyMap<ts.__String, ts.Symbol>;
}

/** Values that JSON does not have. */
const NO_VALUES: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);

/**
 * Reads what people write as a default value: JSON, code, the name of a constant, or a text.
 *
 * @param place where it is written
 * @returns undefined if it is code, whose value is only known at run time
 */
export function defaultIn(project: Project, text: string, place: ts.Node): { readonly value: unknown } | undefined {
  const { ts } = project;
  const code = parse(ts, text);
  if (!code) return { value: text };
  const value = literalOf(ts, code, (node) => constantAt(project, node, place));
  if (value !== undefined) return { value };
  return isCode(project, code, place) ? undefined : { value: text };
}

/** Undefined if the text is no expression. */
function parse(ts: TypeScript, text: string): ts.Expression | undefined {
  const { statements } = ts.createSourceFile('default.ts', `(${text})`, ts.ScriptTarget.Latest, true);
  const [only, another] = statements;
  if (!only || another || !ts.isExpressionStatement(only)) return undefined;
  const { expression } = only;
  return ts.isParenthesizedExpression(expression) && expression.end === text.length + 2
    ? expression.expression
    : undefined;
}

/** Whether an expression is no text. `celsius`, `en-US` and `Berlin (Germany)` are texts. */
function isCode(project: Project, node: ts.Expression, place: ts.Node): boolean {
  const { ts } = project;
  if (ts.isNewExpression(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true;
  if (ts.isCallExpression(node)) return isName(ts, node.expression) && node.arguments.pos === node.expression.end + 1;
  if (!isName(ts, node)) return false;
  const [first = ''] = node.getText().split('.', 1);
  return NO_VALUES.has(first) || findSymbol(project, first, place) !== undefined;
}

function constantAt(project: Project, node: ts.Expression, place: ts.Node): unknown {
  const { ts, checker } = project;
  if (!isName(ts, node)) return undefined;
  const [first, ...names] = node.getText().split('.');
  const symbol = findSymbol(project, first!, place);
  let type = symbol && checker.getTypeOfSymbolAtLocation(symbol, place);
  for (const name of names) {
    const property = type && checker.getPropertyOfType(type, name);
    type = property && checker.getTypeOfSymbol(property);
  }
  return type && constantOf(ts, checker, type);
}

/** Finds what a file declares or imports under a name. Asking TypeScript for all names in scope takes longer. */
function findSymbol({ ts, checker }: Project, name: string, place: ts.Node): ts.Symbol | undefined {
  const { Alias, Value } = ts.SymbolFlags;
  const local = (place.getSourceFile() as WithLocals).locals?.get(ts.escapeLeadingUnderscores(name));
  const symbol = local && checker.getExportSymbolOfSymbol(local);
  if (!symbol || !(symbol.flags & (Alias | Value))) return undefined;
  return symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isName(ts: TypeScript, node: ts.Expression): boolean {
  return ts.isIdentifier(node) || (ts.isPropertyAccessExpression(node) && isName(ts, node.expression));
}
