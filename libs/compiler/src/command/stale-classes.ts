import type ts from 'typescript';
import type { TypeScript } from '../typescript.js';

/**
 * The classes whose types differ in two texts of `metadata.ts`, and those that only one of them has.
 * The format of the texts does not matter.
 */
export function staleClasses(ts: TypeScript, before: string, after: string): string[] {
  const known = classesIn(ts, before);
  const current = classesIn(ts, after);
  return [...new Set([...known.keys(), ...current.keys()])]
    .filter((name) => known.get(name) !== current.get(name))
    .sort();
}

/** The classes of `metadata.ts`, with a text of their types that does not depend on the format. */
function classesIn(ts: TypeScript, text: string): ReadonlyMap<string, string> {
  const file = ts.createSourceFile('metadata.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const classes = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    const [first, second] = ts.isArrayLiteralExpression(node) ? node.elements : [];
    const imported = first && importIn(ts, first);
    if (imported && second && ts.isObjectLiteralExpression(second)) {
      for (const property of second.properties) {
        if (ts.isPropertyAssignment(property))
          classes.set(`${nameOf(property)} in ${specifierIn(ts, imported)}`, valueOf(ts, property.initializer));
      }
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return classes;
}

/** The import at the start of an expression such as `import('./a').catch(…)`. */
function importIn(ts: TypeScript, node: ts.Node): ts.CallExpression | undefined {
  if (ts.isPropertyAccessExpression(node)) return importIn(ts, node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  return node.expression.kind === ts.SyntaxKind.ImportKeyword ? node : importIn(ts, node.expression);
}

const specifierIn = (ts: TypeScript, { arguments: [specifier] }: ts.CallExpression): string =>
  specifier ? valueOf(ts, specifier).slice(1, -1) : '';

const nameOf = ({ name }: ts.PropertyAssignment): string =>
  'text' in name ? name.text : name.getText().replaceAll(/^\[['"]|['"]\]$/g, '');

/** The value of an expression as text. */
function valueOf(ts: TypeScript, node: ts.Node): string {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return valueOf(ts, node.expression);
  if (ts.isCallExpression(node) && node.expression.getText().endsWith('JSON.parse')) return parsedIn(ts, node);
  if (ts.isStringLiteralLike(node)) return JSON.stringify(node.text);
  if (ts.isArrayLiteralExpression(node)) return `[${node.elements.map((item) => valueOf(ts, item)).join()}]`;
  if (ts.isObjectLiteralExpression(node)) {
    const properties = node.properties.map((property) => {
      if (ts.isPropertyAssignment(property)) return `${nameOf(property)}:${valueOf(ts, property.initializer)}`;
      return ts.isSpreadAssignment(property) ? `...${valueOf(ts, property.expression)}` : property.getText();
    });
    return `{${properties.join()}}`;
  }
  return node.getText().replaceAll(/["'\s]/g, '');
}

/** The value of a text of JSON. */
function parsedIn(ts: TypeScript, { arguments: [text] }: ts.CallExpression): string {
  const json = text && ts.isStringLiteralLike(text) ? text.text : '';
  const file = ts.createSourceFile('metadata.json', json, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSON);
  const [statement] = file.statements;
  return statement && ts.isExpressionStatement(statement) ? valueOf(ts, statement.expression) : '';
}
