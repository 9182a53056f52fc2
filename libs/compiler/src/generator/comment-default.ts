import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';
import { constantOf, literalOf } from './literals.js';

/** Values that JSON does not have. */
const NO_VALUES: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);

/**
 * Reads what people write as a default value: JSON, code, the name of a constant, or a text.
 *
 * @param place where it is written
 * @returns undefined if it is code, whose value is only known at run time
 */
export function defaultIn(
  ts: TypeScript,
  checker: ts.TypeChecker,
  text: string,
  place: ts.Node,
): { readonly value: unknown } | undefined {
  const code = parse(ts, text);
  if (!code) return { value: text };
  const value = literalOf(ts, code, (node) => constantAt(ts, checker, node, place));
  if (value !== undefined) return { value };
  return isCode(ts, checker, code, place) ? undefined : { value: text };
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
function isCode(ts: TypeScript, checker: ts.TypeChecker, node: ts.Expression, place: ts.Node): boolean {
  if (ts.isNewExpression(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return true;
  if (ts.isCallExpression(node)) return isName(ts, node.expression) && node.arguments.pos === node.expression.end + 1;
  if (!isName(ts, node)) return false;
  const [first = ''] = node.getText().split('.', 1);
  return NO_VALUES.has(first) || findSymbol(ts, checker, first, place) !== undefined;
}

function constantAt(ts: TypeScript, checker: ts.TypeChecker, node: ts.Expression, place: ts.Node): unknown {
  if (!isName(ts, node)) return undefined;
  const [first, ...names] = node.getText().split('.');
  const symbol = findSymbol(ts, checker, first!, place);
  let type = symbol && checker.getTypeOfSymbolAtLocation(symbol, place);
  for (const name of names) {
    const property = type && checker.getPropertyOfType(type, name);
    type = property && checker.getTypeOfSymbol(property);
  }
  return type && constantOf(ts, checker, type);
}

/** Finds what a file declares or imports under a name. Asking TypeScript for all names in scope takes longer. */
function findSymbol(ts: TypeScript, checker: ts.TypeChecker, name: string, place: ts.Node): ts.Symbol | undefined {
  const node = place
    .getSourceFile()
    .statements.flatMap((one) => declaredBy(ts, one))
    .find((one) => one.text === name);
  const symbol = node && checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The names of values that a statement may declare. */
function declaredBy(ts: TypeScript, statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name).filter(ts.isIdentifier);
  if (ts.isEnumDeclaration(statement)) return [statement.name];
  if (ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement))
    return statement.name ? [statement.name] : [];
  if (!ts.isImportDeclaration(statement)) return [];
  const { name, namedBindings } = statement.importClause ?? {};
  const named = namedBindings && (ts.isNamespaceImport(namedBindings) ? [namedBindings] : namedBindings.elements);
  return [...(name ? [name] : []), ...(named ?? []).map((one) => one.name)];
}

function isName(ts: TypeScript, node: ts.Expression): boolean {
  return ts.isIdentifier(node) || (ts.isPropertyAccessExpression(node) && isName(ts, node.expression));
}
